// Discovers through the API which CVEs the server holds, and caches the result for the rest of the run.

import { skip } from './check.mjs'
import { wordsOf } from './contract.mjs'
import { ok } from './expect.mjs'
import { readPages } from './pages.mjs'

/** Add-ons that the suite does not request in lists. */
const OTHER_ADD_ONS = ['priority', 'fixes', 'aliases', 'epss_trend']
export const FIELDS = wordsOf('searchCves', 'fields').filter((name) => !OTHER_ADD_ONS.includes(name))
export const ADD_ONS = 'acsc,enrichment,attack'
/**
 * Every add-on that a stored copy of a record has. kev and epss are always there; the timeline and the EPSS scores of
 * earlier days are read when they are asked for.
 */
export const ALL_ADD_ONS = wordsOf('getCve', 'include')
  .filter((name) => !['kev', 'epss', 'timeline', 'epss_trend'].includes(name))
  .join(',')
export const UNKNOWN_ID = 'CVE-1998-9876543210'

// All fields except `cpe`, because the lists of CPE matches add up to megabytes per page.
const WIDE = { include: ADD_ONS, fields: FIELDS.filter((name) => name !== 'cpe').join(',') }
const DAY_MS = 86_400_000
/**
 * Number of CVEs in the test period: enough to include every common type of CVE, and few enough to read them 100 times.
 */
const MIN_IN_PERIOD = 150
const MAX_IN_PERIOD = 700
/** The checks use CVEs from a publication period that starts at most this many days before the newest CVE. */
const MAX_START_DAYS = 120
const FIRST_PERIOD_DAYS = 16
const MAX_ATTEMPTS = 14
const MAX_MIXED = 50

export const toSeconds = (value) => `${new Date(value).toISOString().slice(0, 19)}Z`
export const shift = (time, seconds) => toSeconds(Date.parse(time) + seconds * 1000)
export const toDay = (time) => time.slice(0, 10)

const once = (make) => {
  let made
  return () => {
    made ??= make()
    return made
  }
}

const isMinor = (record) => !record.kev && !(record.severity >= 7) && !(record.epss?.score >= 0.1)

const KINDS = {
  'in KEV': (r) => r.kev,
  'in KEV and with ACSC notices': (r) => r.kev && r.acsc_notices.length > 0,
  'with ACSC notices': (r) => r.acsc_notices.length > 0,
  'without ACSC notices': (r) => r.acsc_notices.length === 0,
  'in KEV with EPSS': (r) => r.kev && r.epss,
  'not in KEV': (r) => !r.kev,
  'without EPSS': (r) => !r.epss,
  'with EPSS': (r) => r.epss,
  'with tags': (r) => r.tags,
  'that is rejected': (r) => r.status === 'Rejected',
  'without a score': (r) => r.severity === null,
  'with only a v4.0 score': (r) => r.cvss.v3_1 === null && r.cvss.v4_0,
  'with v3 and v4.0 scores': (r) => r.cvss.v3_1 && r.cvss.v4_0,
  'with a score but neither v3 nor v4.0': (r) => r.severity !== null && !r.cvss.v3_1 && !r.cvss.v4_0,
  'with a v3.0 score': (r) => r.cvss.v3_1?.version === '3.0',
  'with a score of 0.0': (r) => r.severity === 0,
  'that the CVE List leads': (r) => r.source_tag === 'cve',
  'with an exploit flag outside KEV': (r) => r.enrichment?.exploit_flag && !r.kev,
  'without enrichment': (r) => r.enrichment === null,
  'with techniques': (r) => r.attack.techniques.length > 0,
  'without techniques': (r) => r.attack.techniques.length === 0,
  'without references': (r) => r.references.length === 0,
  'that is not attacked over a network': (r) => r.enrichment?.attack_vector && r.enrichment.attack_vector !== 'network',
  'that is attacked from an adjacent network': (r) => r.enrichment?.attack_vector === 'adjacent',
  'that is attacked physically': (r) => r.enrichment?.attack_vector === 'physical',
  'with full detail': (r) => r.source_tag === 'nvd' && r.status === 'Analyzed' && r.severity >= 7,
  'with partial detail': (r) =>
    r.source_tag === 'nvd' &&
    r.severity !== null &&
    isMinor(r) &&
    r.enrichment &&
    !r.enrichment.exploit_flag &&
    r.enrichment.cpe_count < 50,
  'without detail': (r) => r.enrichment === null && isMinor(r),
}

/** Checks choose example CVEs from the first 50 results of each of these queries and from the publication period. */
const POOL_QUERIES = [
  {},
  { kev: true },
  { has_acsc: true },
  { has_acsc: true, kev: true },
  { severity: 'low' },
  { severity: 'medium' },
  { sort: 'epss_desc' },
  { sort: 'epss_asc' },
  { sort: 'published_asc' },
  { sort: 'severity_asc' },
  { sort: 'modified_desc' },
  { exploitable: true, kev: false },
  { has_references: false },
  { q: 'rejected' },
  { severity: 'critical' },
  { severity_max: 0 },
  { attack_vector: 'adjacent' },
  { attack_vector: 'physical' },
]

async function countUpTo(api, query, maxPages) {
  const { items, complete } = await readPages(api, '/cves', { ...query, fields: 'cve_id' }, { maxPages })
  return complete ? items.length : Number.POSITIVE_INFINITY
}

async function findEdge(api, sort) {
  const { cves } = ok(await api.get('/cves', { sort, limit: 50 }))
  const first = cves.find((record) => record.published) ?? skip('the server holds no CVEs')
  return Date.parse(first.published)
}

/** Searches by bisection for a period in which MIN_IN_PERIOD to MAX_IN_PERIOD CVEs were published. */
async function findPeriod(api) {
  const [newest, oldest] = [await findEdge(api, 'published_desc'), await findEdge(api, 'published_asc')]
  const start = Math.max((newest + oldest) / 2, newest - MAX_START_DAYS * DAY_MS)
  let [length, low, high] = [FIRST_PERIOD_DAYS * DAY_MS, 0, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const query = { published_after: toSeconds(start), published_before: toSeconds(start + length) }
    const size = await countUpTo(api, query, MAX_IN_PERIOD / 100)
    if (size >= MIN_IN_PERIOD && size <= MAX_IN_PERIOD) return query
    if (size < MIN_IN_PERIOD) low = length
    else high = length
    length = high === Number.POSITIVE_INFINITY ? length * 2 : (low + high) / 2
  }
  return skip(`no period of publication holds ${MIN_IN_PERIOD} to ${MAX_IN_PERIOD} CVEs`)
}

/** Chooses up to 50 CVE ids, at most four of each type, to get more types than one publication period has. */
function chooseMixedIds(pool) {
  const chosen = new Set()
  for (let round = 0; round < 4; round += 1) {
    for (const isOfKind of Object.values(KINDS)) {
      const fresh = pool.find((record) => isOfKind(record) && !chosen.has(record.cve_id))
      if (fresh && chosen.size < MAX_MIXED) chosen.add(fresh.cve_id)
    }
  }
  return [...chosen]
}

export function createDiscovery(api) {
  const readAll = async (query) => (await readPages(api, '/cves', { ...WIDE, ...query })).items

  const period = once(async () => {
    const query = await findPeriod(api)
    return { name: 'one period of publication', query, records: await readAll(query) }
  })

  const pool = once(async () => {
    const lists = [(await period()).records]
    for (const query of POOL_QUERIES) lists.push(ok(await api.get('/cves', { ...WIDE, limit: 50, ...query })).cves)
    return [...new Map(lists.flat().map((record) => [record.cve_id, record])).values()]
  })

  const mixed = once(async () => {
    const query = { ids: chooseMixedIds(await pool()).join(',') }
    return { name: 'a mixed set of ids', query, records: await readAll(query) }
  })

  const findSome = async (kind, max) => {
    const found = (await pool()).filter(KINDS[kind]).slice(0, max)
    return found.length > 0 ? found : skip(`the server has no CVE ${kind}`)
  }

  return {
    period,
    mixed,
    pool,
    sets: async () => [await period(), await mixed()],
    kev: once(async () => (await readPages(api, '/kev', {}, { limit: 500 })).items),
    /** Up to five CVEs in ENISA's EU KEV catalog. */
    inEuKev: once(async () => {
      const { cves } = ok(await api.get('/cves', { kev_in: 'eu', limit: 5 }))
      return cves.length > 0 ? cves : skip('the server has no CVE in EU KEV')
    }),
    findOne: async (kind) => (await findSome(kind, 1))[0],
    findSome,
  }
}
