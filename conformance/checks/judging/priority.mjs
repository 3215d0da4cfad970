// Checks of priorities: the add-on, the filter, the sort orders, POST /prioritize and GET /policy.

import { section } from '../../lib/check.mjs'
import { priority } from '../../lib/cve-shapes.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, idsOf, ok, rejects, same, sameOrder, suggests } from '../../lib/expect.mjs'
import { assertShape } from '../../lib/shape.mjs'

const LEVELS = ['P0', 'P1', 'P2', 'unrated', 'P3', 'P4']
const SELECTED = { include: 'priority', fields: 'cve_id,priority' }

const getPriority = async (api, id) => ok(await api.get(`/cve/${id}`, SELECTED)).cve.priority
/** Position of a level in order of urgency; a CVE without a level comes last. */
const toPosition = (level) => (level === null ? LEVELS.length : LEVELS.indexOf(level))

function assertUrgency(levels, what) {
  const positions = levels.map(toPosition)
  same(
    positions,
    [...positions].sort((a, b) => a - b),
    what,
  )
}

// Invalid bodies: [description of the mistake, body, parameter in the error]
const BAD_BODIES = [
  ['no ids', {}, 'cve_ids'],
  ['a malformed id', { cve_ids: ['nonsense'] }, 'cve_ids'],
  ['an item without an id', { items: [{ exposure: 'exposed' }] }, 'items[0].cve_id'],
  ['an item that is a text', { items: ['CVE-2021-44228'] }, 'items[0]'],
  ['an unknown exposure', { cve_ids: ['CVE-2021-44228'], context: { exposure: 'public' } }, 'context.exposure'],
  ['an unknown mission', { items: [{ cve_id: 'CVE-2021-44228', mission: 'top' }] }, 'items[0].mission'],
  ['a long ref', { items: [{ cve_id: 'CVE-2021-44228', ref: 'x'.repeat(101) }] }, 'items[0].ref'],
  ['a limit as text', { cve_ids: ['CVE-2021-44228'], limit: '5' }, 'limit'],
  ['a limit of 0', { cve_ids: ['CVE-2021-44228'], limit: 0 }, 'limit'],
  [
    '501 ids in both lists',
    {
      cve_ids: Array.from({ length: 500 }, (_, index) => `CVE-2020-${10_000 + index}`),
      items: [{ cve_id: 'CVE-2021-44228' }],
    },
    'cve_ids',
  ],
]

export const checks = section('Priority', (check) => {
  check('D20 include=priority adds the priority with reasons to a single CVE', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('in KEV', 5)) {
      const found = await getPriority(api, record.cve_id)
      assertShape(found, priority, `priority of ${record.cve_id}`)
      ensure(['P0', 'P1'].includes(found.level), `${record.cve_id} is in KEV, but its level is ${found.level}`)
      equal(found.ssvc.exploitation, 'active', `exploitation of ${record.cve_id}`)
      ensure(
        found.reasons.some((reason) => reason.includes(record.kev.dateAdded)),
        `no reason names the day of the KEV entry: ${found.reasons}`,
      )
    }
  })

  check('E22 a deadline without inputs of CISA has no days', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('not in KEV', 10)) {
      const { deadline } = await getPriority(api, id)
      if (deadline?.inputs === 'incomplete') ensure(!('exposed' in deadline || 'internal' in deadline), id)
    }
  })

  check('E9 a rejected CVE has no level and one reason', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('that is rejected')
    const { level, ssvc, deadline, reasons } = await getPriority(api, id)
    same([level, ssvc, deadline, reasons.length], [null, null, null, 1], id)
  })

  check('D2 lists and batches return the same priority as GET /cve/{id}', async ({ api, discovery }) => {
    const ids = idsOf((await discovery.mixed()).records).slice(0, 10)
    const { cves: listed } = ok(await api.get('/cves', { ids: ids.join(), ...SELECTED }))
    const { cves: batch } = ok(await api.batch({ cve_ids: ids, include: 'priority', fields: 'cve_id,priority' }))
    for (const record of listed) {
      same(record, batch[record.cve_id], `batch: ${record.cve_id}`)
      same(record.priority, await getPriority(api, record.cve_id), `single: ${record.cve_id}`)
    }
  })

  for (const level of LEVELS) {
    check(`D20 priority=${level} returns CVEs of this level only`, async ({ api }) => {
      const { cves } = ok(await api.get('/cves', { priority: level, limit: 50, ...SELECTED }))
      for (const record of cves) equal(record.priority.level, level, record.cve_id)
    })
  }

  check('D20 every CVE that is not rejected has exactly one level', async ({ api, discovery }) => {
    const { query, records } = await discovery.period()
    const count = async (priority) =>
      ok(await api.get('/cves', { ...query, priority, limit: 1 })).pagination.totalEstimate
    let sum = 0
    for (const level of LEVELS) sum += await count(level)
    const expected = records.filter(({ status }) => status !== 'Rejected').length
    same([sum, await count(LEVELS.join())], [expected, expected], 'CVEs of single levels, CVEs of all levels')
  })

  check('D20 sort=priority_desc returns the most urgent CVEs first', async ({ api }) => {
    const { cves } = ok(await api.get('/cves', { sort: 'priority_desc', limit: 100, ...SELECTED }))
    assertUrgency(
      cves.map((each) => each.priority.level),
      'levels',
    )
  })

  check('D20 sort=priority_asc returns the least urgent CVEs first', async ({ api }) => {
    const { cves } = ok(await api.get('/cves', { sort: 'priority_asc', limit: 20, ...SELECTED }))
    ensure(
      cves.every((each) => each.priority.level !== null),
      'a CVE without a level precedes others',
    )
  })

  check('POST /prioritize ranks as sort=priority_desc does', async ({ api, discovery }) => {
    const ids = idsOf((await discovery.mixed()).records).slice(0, 50)
    const sorted = ok(await api.get('/cves', { ids: ids.join(), sort: 'priority_desc', fields: 'cve_id' })).cves
    const data = ok(await api.prioritize({ cve_ids: ids }))
    sameOrder(idsOf(data.ranked), idsOf(sorted), 'ranked')
    same(
      data.ranked.map(({ rank }) => rank),
      ids.map((_, at) => at + 1),
      'rank',
    )
    for (const each of data.ranked) assertShape(each.priority, priority, each.cve_id)
    equal(
      Object.values(data.by_level).reduce((sum, each) => sum + each, 0),
      ids.length,
      'sum of by_level',
    )
  })

  check('POST /prioritize merges duplicate ids, collects refs and lists unknown ids', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const items = [
      { cve_id: id.toLowerCase(), ref: 'a' },
      { cve_id: id, ref: 'b' },
    ]
    const data = ok(await api.prioritize({ cve_ids: [id, UNKNOWN_ID], items }))
    same(
      data.ranked.map(({ cve_id: found, refs }) => [found, refs]),
      [[id, ['a', 'b']]],
      'ranked',
    )
    same(data.not_found, [UNKNOWN_ID], 'not_found')
  })

  check('POST /prioritize lowers an internal CVE that is not exploited, and says so', async ({ api, discovery }) => {
    const records = await discovery.findSome('not in KEV', 20)
    const { ranked: before } = ok(await api.prioritize({ cve_ids: idsOf(records) }))
    const { ranked: after } = ok(await api.prioritize({ cve_ids: idsOf(records), context: { exposure: 'internal' } }))
    const levels = new Map(before.map(({ cve_id: id, priority: { level } }) => [id, level]))
    for (const { cve_id: id, priority: found } of after) {
      const moved = toPosition(found.level) - toPosition(levels.get(id))
      ensure(moved === 0 || moved === 1, `${id} moved by ${moved} levels`)
      equal(found.reasons[0].startsWith('Lowered'), moved === 1, `${id}: a reason names the move`)
    }
  })

  check('POST /prioritize keeps the level of an internal CVE in KEV', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const { ranked } = ok(await api.prioritize({ cve_ids: [id], context: { exposure: 'internal' } }))
    equal(ranked[0].priority.level, (await getPriority(api, id)).level, id)
    ensure(!('exposed' in ranked[0].priority.deadline), 'the deadline has a value for another exposure')
  })

  check('POST /prioritize with limit returns the first CVEs and counts all', async ({ api, discovery }) => {
    const ids = idsOf((await discovery.mixed()).records).slice(0, 20)
    const all = ok(await api.prioritize({ cve_ids: ids }))
    const { ranked, by_level } = ok(await api.prioritize({ cve_ids: ids, limit: 3 }))
    same(ranked, all.ranked.slice(0, 3), 'ranked')
    same(by_level, all.by_level, 'by_level')
  })

  for (const [what, body, parameter] of BAD_BODIES) {
    check(`B3 POST /prioritize with ${what} returns 400 that names ${parameter}`, async ({ api }) => {
      rejects(await api.prioritize(body), parameter)
    })
  }

  check('B6 an unknown member of an item returns 400 with suggestion', async ({ api }) => {
    const item = { cve_id: 'CVE-2021-44228', exposur: 'exposed' }
    suggests(rejects(await api.prioritize({ items: [item] }), 'items[0].exposur'), 'exposure')
  })

  check('B11 POST /prioritize accepts 256 KiB and returns 413 with the limit for more', async ({ api }) => {
    const body = '{"cve_ids":["CVE-2021-44228"]}'
    ok(await api.prioritize(body.padEnd(262_144)))
    const { message } = fails(await api.prioritize(body.padEnd(262_145)), 413)
    ensure(message.includes('262144'), `the message names no limit: ${message}`)
  })

  check('GET /policy returns the rules of the policy that priorities name', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const { policy } = ok(await api.get('/policy'))
    equal((await getPriority(api, id)).policy_version, policy.version, 'version')
    same(
      policy.levels.map(({ level }) => level),
      LEVELS,
      'levels',
    )
    for (const { any_of: alternatives } of policy.levels)
      for (const { fact } of alternatives.flat()) ensure(fact in policy.facts, `${fact} is not described`)
    same(ok(await api.get('/policy', { version: policy.version })).policy, policy, 'the same version by name')
  })

  check('GET /policy with an unknown version returns 400 that lists the versions', async ({ api }) => {
    const { policy } = ok(await api.get('/policy'))
    same(
      rejects(await api.get('/policy', { version: '1999-01' }), 'version').allowed,
      policy.policy_versions,
      'allowed',
    )
  })
})
