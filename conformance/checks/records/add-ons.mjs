// Checks of the add-ons that exist only for a single CVE and in batches: configurations, sources and exploits.

import { section } from '../../lib/check.mjs'
import { configurations, exploits, sources } from '../../lib/cve-shapes.mjs'
import { ensure, equal, ok, rejects, same, suggests } from '../../lib/expect.mjs'
import { assertShape } from '../../lib/shape.mjs'

const NAMES = ['configurations', 'sources', 'exploits']
const LISTS = ['/cves', '/cves/recent']

const getOne = async (api, id, query) => ok(await api.get(`/cve/${id}`, query)).cve

const listMatches = (tree) => tree.flatMap(({ nodes }) => nodes.flatMap(({ cpe_match }) => cpe_match))
const toKeys = (matches) => [...new Set(matches.map((match) => JSON.stringify(match)))].sort()

export const checks = section('Add-ons of single CVEs and batches', (check) => {
  check('E7 configurations contains exactly the CPE matches of cpe', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('in KEV', 5)) {
      const cve = await getOne(api, record.cve_id, { include: 'configurations' })
      assertShape(cve.configurations, configurations, `configurations of ${record.cve_id}`)
      same(toKeys(listMatches(cve.configurations)), toKeys(cve.cpe), `matches of ${record.cve_id}`)
    }
  })

  check('E7 configurations is the same if cpe is not selected', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const { configurations: whole } = await getOne(api, id, { include: 'configurations' })
    const query = { include: 'configurations', fields: 'configurations' }
    same(await getOne(api, id, query), { configurations: whole }, 'cve')
  })

  check('E15 sources names a source of every value that the record has', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('in KEV with EPSS', 5)) {
      const cve = await getOne(api, record.cve_id, { include: 'sources' })
      assertShape(cve.sources, sources, `sources of ${record.cve_id}`)
      for (const name of ['source_tag', 'modified', 'kev', 'epss']) checkFrom(cve, name)
      for (const name of ['published', 'description']) if (cve[name] !== null) checkFrom(cve, name)
      for (const name of ['cpe', 'references']) if (cve[name].length > 0) checkFrom(cve, name)
      if (cve.cvss.v3_1) checkFrom(cve, 'cvss_v3_1')
      equal(cve.sources.epss.stated_by[0].date, cve.epss.date, 'date of the EPSS score')
    }
  })

  check('E15 the references of all sources add up to the references of the record', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const cve = await getOne(api, id, { include: 'sources' })
    const { stated_by: from, omitted } = cve.sources.references ?? { stated_by: [] }
    const counted = from.reduce((sum, { count }) => sum + count, 0)
    ensure(omitted !== undefined || counted === cve.references.length, `${counted} of ${cve.references.length} counted`)
  })

  check('E15 sources is the same on every plan', { needs: ['free', 'enterprise'] }, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const read = async (key) => ok(await api.get(`/cve/${id}`, { include: 'sources' }, { key })).cve.sources
    same(await read('free'), await read('enterprise'), `sources of ${id}`)
  })

  check('D2 timeline sorts dated facts, and places none without a day', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('in KEV with EPSS', 5)) {
      const { timeline, published } = await getOne(api, record.cve_id, { include: 'timeline' })
      const days = timeline.dated.map(({ date }) => date)
      same(days, days.toSorted(), `days of ${record.cve_id}`)
      ensure(!timeline.undated.some(({ date }) => date !== undefined), `an undated fact of ${record.cve_id} has a day`)
      const own = timeline.dated.find(({ kind }) => kind === 'published')
      equal(own?.date, published?.slice(0, 'YYYY-MM-DD'.length), `publication of ${record.cve_id}`)
      const { points, missing_days: missing } = timeline.epss_movements
      for (const { from, to } of missing)
        ensure(
          !points.some(({ date }) => from <= date && date <= to),
          `${record.cve_id} has a score in ${from} to ${to}`,
        )
    }
  })

  check('E23 exploits names CISA for a CVE in KEV, with the day of the entry', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('in KEV', 5)) {
      const cve = await getOne(api, record.cve_id, { include: 'exploits' })
      assertShape(cve.exploits, exploits, `exploits of ${record.cve_id}`)
      const cisa = cve.exploits.kev_catalogs.find(({ name }) => name === 'cisa')
      const { since, removed_at: removedAt } = cisa ?? {}
      same([since, removedAt], [cve.kev.dateAdded, null], `CISA's entry of ${record.cve_id}`)
    }
  })

  check('E23 exploits names no current entry of CISA for a CVE that is not in KEV', async ({ api, discovery }) => {
    for (const record of await discovery.findSome('not in KEV', 5)) {
      const { kev_catalogs: catalogs } = (await getOne(api, record.cve_id, { include: 'exploits' })).exploits
      const isCurrent = ({ name, removed_at: removedAt }) => name === 'cisa' && removedAt === null
      ensure(!catalogs.some(isCurrent), `${record.cve_id} has an entry of CISA`)
    }
  })

  check('E23 the entries of exploits are sorted by their days', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.inEuKev()) {
      const { kev_catalogs: catalogs } = (await getOne(api, id, { include: 'exploits' })).exploits
      const days = catalogs.map(({ since }) => since)
      same(days, [...days].sort(), `days of ${id}`)
      for (const { since, first } of catalogs) equal(first, since === days[0], `first of ${id}`)
      ensure(
        catalogs.some(({ name, removed_at: removedAt }) => name === 'eu' && removedAt === null),
        `${id} has no entry of EU KEV`,
      )
    }
  })

  for (const path of LISTS) {
    check(
      `B3 a typing error in include of ${path} is corrected without a word about other endpoints`,
      async ({ api }) => {
        const issue = rejects(await api.get(path, { include: 'enrichmint' }), 'include', 'enrichmint')
        suggests(issue, 'enrichment')
        ensure(!issue.message.includes('available'), issue.message)
      },
    )
  }

  check('D10 include=events outside of /cves/recent returns 400 that names the place', async ({ api }) => {
    const { message } = rejects(await api.get('/cves', { include: 'events' }), 'include', 'events')
    ensure(message.includes('/api/v1/cves/recent'), message)
  })

  for (const name of NAMES) {
    check(`D2 a batch returns the same ${name} as GET /cve/{id}`, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      const { cves } = ok(await api.batch({ cve_ids: [id], include: [name], fields: [name] }))
      same(cves[id], await getOne(api, id, { include: name, fields: name }), id)
    })

    check(`D2 GET /cve/{id} returns ${name} only if include names it`, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      ensure(!(name in (await getOne(api, id))), `${name} without include`)
      same(await getOne(api, id, { fields: `cve_id,${name}` }), { cve_id: id }, 'selected, not included')
    })

    for (const path of LISTS) {
      check(`D2 ${name} in include or fields of ${path} returns 400 that names the places`, async ({ api }) => {
        for (const parameter of ['include', 'fields']) {
          const { message } = rejects(await api.get(path, { [parameter]: name }), parameter, name)
          ensure(message.includes('/api/v1/cve/batch'), `the message names no place: ${message}`)
        }
      })
    }
  }
})

function checkFrom({ cve_id: id, sources: all }, name) {
  ensure(all[name]?.stated_by.length > 0, `${id}: sources.${name} names no source`)
}
