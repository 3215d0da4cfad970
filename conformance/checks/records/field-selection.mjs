// Checks of the parameters `fields` and `include` on all four endpoints that return CVEs.

import { section, skip } from '../../lib/check.mjs'
import { ADD_ONS, FIELDS } from '../../lib/discovery.mjs'
import { equal, ok, rejects, same } from '../../lib/expect.mjs'

const toList = (text) => text?.split(',')

const getOne = async (api, id, query) => ok(await api.get(`/cve/${id}`, query)).cve
const getListed = async (api, id, query) => ok(await api.get('/cves', { ids: id, ...query })).cves[0]
const getRecent = async (api, _id, query) => {
  const { cves } = ok(await api.get('/cves/recent', { days: 30, limit: 1, ...query }))
  return cves[0] ?? skip('no CVE was published or modified in the last 30 days')
}
const getFromBatch = async (api, id, { fields, include } = {}) => {
  const body = { cve_ids: [id], fields: toList(fields), include: toList(include) }
  return ok(await api.batch(body)).cves[id]
}

const RECENT = 'GET /cves/recent'
const BY_ID = { 'GET /cve/{id}': getOne, 'GET /cves': getListed, 'POST /cve/batch': getFromBatch }
const ENDPOINTS = { ...BY_ID, [RECENT]: getRecent }
const LISTS = new Set(['GET /cves', RECENT])
const ADD_ON_NAMES = ['acsc', 'attack', 'enrichment']
const ADD_ON_KEYS = ['acsc', 'acsc_notices', 'attack', 'enrichment']

/** The filters of the specification that need `include=enrichment`, each with a value. */
const NEEDS_ENRICHMENT = { vendor: 'nvd', attack_vector: 'network', patched: 'true' }

const toOutputKey = (field, endpoint) => (field === 'acsc' && LISTS.has(endpoint) ? 'acsc_notices' : field)
const addOnsOf = (record) => ADD_ON_KEYS.filter((key) => key in record)

function defineForEndpoint(check, endpoint, read) {
  check(`D2 ${endpoint} returns acsc, attack and enrichment only if include names them`, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    same(addOnsOf(await read(api, id)), [], 'without include')
    for (const name of ADD_ON_NAMES) {
      const record = await read(api, id, { include: name })
      same(addOnsOf(record), [toOutputKey(name, endpoint)], `include=${name}`)
    }
    equal(addOnsOf(await read(api, id, { include: ADD_ONS })).length, 3, `include=${ADD_ONS}`)
  })

  check(`D1 ${endpoint} returns exactly the selected field, without an implicit cve_id`, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV with EPSS')
    for (const field of FIELDS) {
      const record = await read(api, id, { fields: field, include: ADD_ONS })
      // The record is empty if only this field is requested and the CVE has no tags, or if the first CVE of /cves/recent
      // has no kev or epss.
      const optional = endpoint === RECENT ? ['tags', 'kev', 'epss'] : ['tags']
      const isMissing = optional.includes(field) && !(field in record)
      same(Object.keys(record), isMissing ? [] : [toOutputKey(field, endpoint)], `fields=${field}`)
    }
  })

  check(
    `D1 ${endpoint} returns acsc, attack and enrichment only if fields and include name them`,
    async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      for (const name of ADD_ON_NAMES) {
        const selected = await read(api, id, { fields: `cve_id,${name}` })
        same(Object.keys(selected), ['cve_id'], `selected ${name}, not included`)
        const included = await read(api, id, { fields: 'cve_id', include: name })
        same(Object.keys(included), ['cve_id'], `included ${name}, not selected`)
      }
    },
  )

  check(
    `D1 ${endpoint} returns priority and aliases if include names them, also if fields does not`,
    async (context) => {
      const { cve_id: id } = await context.discovery.findOne('in KEV')
      for (const name of ['priority', 'aliases']) {
        const record = await read(context.api, id, { fields: 'cve_id', include: name })
        same(Object.keys(record), ['cve_id', name], `include=${name}`)
      }
    },
  )

  check(`D1 ${endpoint} returns fields in the order of the schema`, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV with EPSS')
    const one = Object.keys(await read(api, id, { fields: 'epss,cvss,published,cve_id' }))
    const other = Object.keys(await read(api, id, { fields: 'cve_id,published,cvss,epss' }))
    same(one, other, 'keys')
    equal(one[0], 'cve_id', 'first key')
  })

  check(`D2 ${endpoint} accepts include=epss,kev and changes no output`, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV with EPSS')
    same(await read(api, id, { include: 'epss,kev' }), await read(api, id), 'record')
  })
}

export const checks = section('Field selection', (check) => {
  for (const [endpoint, read] of Object.entries(ENDPOINTS)) defineForEndpoint(check, endpoint, read)

  check('D1 fields=kev returns an empty object for a CVE that is not in KEV', async ({ api, discovery }) => {
    const candidates = await discovery.findSome('without EPSS', 50)
    const record = candidates.find(({ kev }) => !kev) ?? (await discovery.findOne('not in KEV'))
    same(await getOne(api, record.cve_id, { fields: 'kev' }), {}, 'cve')
  })

  for (const [filter, value] of Object.entries(NEEDS_ENRICHMENT))
    check(`D1 ${filter} needs include=enrichment, and fields=cve_id returns exactly that member`, async ({ api }) => {
      const query = { [filter]: value, include: 'enrichment', fields: 'cve_id', limit: 5 }
      const { cves } = ok(await api.get('/cves', query))
      if (cves.length === 0) skip(`no CVE has ${filter}=${value}`)
      for (const cve of cves) same(Object.keys(cve), ['cve_id'], `${filter}=${value}`)
      rejects(await api.get('/cves', { [filter]: value, fields: 'cve_id' }), filter)
    })

  const emptyTitle = 'C2 a CVE without data for include has acsc [], acsc_notices [] or attack without techniques'
  check(emptyTitle, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('without ACSC notices')
    same((await getOne(api, id, { include: 'acsc' })).acsc, [], 'GET /cve/{id}')
    same((await getListed(api, id, { include: 'acsc' })).acsc_notices, [], 'GET /cves')
    same((await getFromBatch(api, id, { include: 'acsc' })).acsc, [], 'POST /cve/batch')
    const { cve_id: other } = await discovery.findOne('without techniques')
    same((await getOne(api, other, { include: 'attack' })).attack, { techniques: [], mapping: null }, 'attack')
  })

  check('C2 a CVE without enrichment has enrichment null if include names it', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('without enrichment')
    for (const read of Object.values(BY_ID))
      equal((await read(api, id, { include: 'enrichment' })).enrichment, null, 'enrichment')
  })
})
