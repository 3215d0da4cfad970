// Checks that endpoints which return the same value agree on it.

import { section, skip } from '../../lib/check.mjs'
import { ADD_ONS } from '../../lib/discovery.mjs'
import { ensure, equal, idsOf, ok, same, sameMembers } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'

const BASIC = ['cve_id', 'published', 'modified', 'description']
const ADDED = ['epss', 'attack', 'enrichment']
const NOTICE = ['id', 'type', 'title', 'priority', 'published']

function pick(record, keys) {
  return Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]]))
}
const assertAgree = (one, other, keys, what) => same(pick(one, keys), pick(other, keys), what)

async function getListed(api, query) {
  const { cves } = ok(await api.get('/cves', { ...query, limit: 100, include: ADD_ONS }))
  return new Map(cves.map((record) => [record.cve_id, record]))
}

export const checks = section('Agreement', (check) => {
  const sharedTitle = 'GET /cve/{id}, GET /cves and POST /cve/batch agree on every shared field'
  check(sharedTitle, async ({ api, discovery }) => {
    const { records, query } = await discovery.mixed()
    const batch = ok(await api.batch({ cve_ids: idsOf(records), include: ADD_ONS.split(',') })).cves
    const listed = await getListed(api, query)
    for (const record of records) {
      const id = record.cve_id
      const { cve } = ok(await api.get(`/cve/${id}`, { include: ADD_ONS }))
      assertAgree(
        listed.get(id),
        cve,
        [...BASIC, 'severity', 'status', 'cvss', 'kev', ...ADDED],
        `${id} list and single`,
      )
      assertAgree(
        batch[id],
        cve,
        [...BASIC, 'severity', 'status', 'source_tag', 'acsc', ...ADDED],
        `${id} batch and single`,
      )
      assertAgree(batch[id], record, ['enrichment_status'], `${id} batch and selected fields`)
    }
  })

  check('D3 an ACSC notice in a list equals the notice of GET /cve/{id}', async ({ api, discovery }) => {
    for (const { cve_id: id, acsc_notices: notices } of await discovery.findSome('with ACSC notices', 10)) {
      const { acsc } = ok(await api.get(`/cve/${id}`, { include: 'acsc' })).cve
      const expected = new Map(acsc.map((each) => [each.id, pick({ ...each, published: each.publishedDate }, NOTICE)]))
      sameMembers(
        notices.map((notice) => notice.id),
        [...expected.keys()],
        `${id} notices`,
      )
      for (const notice of notices) same(pick(notice, NOTICE), expected.get(notice.id), id)
    }
  })

  const kevTitle = 'D10, D14 the kev objects of GET /cves and POST /cve/batch agree with the entry of /kev'
  check(kevTitle, async ({ api, discovery }) => {
    const catalog = new Map((await discovery.kev()).map((entry) => [entry.cveId, entry]))
    const records = await discovery.findSome('in KEV', 40)
    const batch = ok(await api.batch({ cve_ids: idsOf(records) })).cves
    for (const { cve_id: id, kev } of records) {
      const entry = catalog.get(id)
      ensure(entry, `${id} is not in /kev`)
      const shared = Object.keys(kev).filter((key) => key in entry)
      for (const key of shared) same(kev[key], entry[key], `${id} kev.${key}`)
      const { due_date: dueDate, action_required: action } = batch[id].kev
      same([dueDate, action], [entry.dueDate, entry.requiredAction], `${id} batch kev`)
    }
  })

  check(
    'D18 every KEV entry has a CVE record: kev=true returns exactly the CVEs of /kev',
    async ({ api, discovery }) => {
      const { items } = await readPages(api, '/cves', { kev: true, fields: 'cve_id' })
      sameMembers(idsOf(items), idsOf(await discovery.kev()), 'kev=true')
    },
  )

  check('D5, D6 GET /cves returns the same record for ids and for q', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV with EPSS')
    const byId = ok(await api.get('/cves', { ids: id })).cves[0]
    const found = ok(await api.get('/cves', { q: id, limit: 100 })).cves
    same(
      found.find((record) => record.cve_id === id),
      byId,
      id,
    )
  })

  check('A full detail record agrees with the CVE record on the CVSS v3 score', async ({ api, discovery }) => {
    const keys = ['version', 'vectorString', 'baseScore', 'baseSeverity']
    for (const { cve_id: id, cvss } of await discovery.findSome('with full detail', 10)) {
      const { metrics } = ok(await api.get(`/cve/${id}/detail`))
      if (metrics?.cvss_v31 && cvss.v3_1) assertAgree(metrics.cvss_v31, cvss.v3_1, keys, id)
    }
  })

  check('D10 the records of /cves/recent agree with the batch', async ({ api }) => {
    const { cves } = ok(await api.get('/cves/recent', { days: 30, limit: 20 }))
    if (cves.length === 0) skip('no CVE was published or modified in the last 30 days')
    const batch = ok(await api.batch({ cve_ids: idsOf(cves) })).cves
    const keys = [...BASIC, 'severity', 'status', 'source_tag', 'enrichment_status', 'epss']
    for (const record of cves) assertAgree(record, batch[record.cve_id], keys, record.cve_id)
  })

  check('C20 totalKev of stats is the number of entries of /kev', async ({ api, discovery }) => {
    equal(ok(await api.get('/stats')).stats.totalKev, (await discovery.kev()).length, 'totalKev')
  })

  check('C20 totalWithAcsc of stats is the number of published CVEs that has_acsc=true returns', async ({ api }) => {
    const query = { has_acsc: true, fields: 'cve_id,published' }
    const { items, complete } = await readPages(api, '/cves', query, { maxPages: 60 })
    const { totalWithAcsc } = ok(await api.get('/stats')).stats
    const published = items.filter((record) => record.published).length
    if (complete) equal(totalWithAcsc, published, 'totalWithAcsc')
    else ensure(totalWithAcsc >= published, `totalWithAcsc ${totalWithAcsc} < ${published}`)
  })

  check('C20 cvesLast* of stats count by published, as /cves/recent does', async ({ api }) => {
    const { stats } = ok(await api.get('/stats'))
    for (const [key, query] of [
      ['cvesLast24Hours', { hours: 24 }],
      ['cvesLast7Days', { days: 7 }],
      ['cvesLast30Days', { days: 30 }],
    ]) {
      const recent = ok(await api.get('/cves/recent', { ...query, type: 'published', limit: 1 }))
      const found = recent.total_found
      // The counts of /stats may be a minute old (decision D17).
      const tolerance = 5 + found / 100
      ensure(Math.abs(stats[key] - found) <= tolerance, `${key} is ${stats[key]}, /cves/recent has ${found}`)
    }
  })

  check('D15 the table_count of the dataset kev is the number of entries of /kev', async ({ api, discovery }) => {
    const { datasets } = ok(await api.health())
    equal(datasets.kev.table_count, (await discovery.kev()).length, 'table_count')
  })
})
