// Checks of the filters of GET /cves. The suite knows all records of two sets of CVEs, filters them itself and compares
// the result with the service's answer. A filter that returns too many or too few records therefore fails.

import { section, skip } from '../../lib/check.mjs'
import { toBand } from '../../lib/cve-shapes.mjs'
import { shift, toDay } from '../../lib/discovery.mjs'
import { equal, idsOf, ok, sameMembers } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'

const ENRICHED = { include: 'enrichment' }
const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600
/** Maximum number of records per date check, because a date check sends three or four requests per record. */
const MAX_DATED_RECORDS = 8

const isPlainNumber = (value) => /^\d+(\.\d+)?$/.test(String(value))
const inBand =
  (...names) =>
  ({ severity }) =>
    severity !== null && names.includes(toBand(severity).toLowerCase())
const hasVector = (name) => (record) => record.enrichment?.attack_vector?.startsWith(name) ?? false

/** Returns the ids of the records in a known set that the service returns for a query. */
export async function readFiltered(api, set, query) {
  return idsOf((await readPages(api, '/cves', { ...set.query, fields: 'cve_id', ...query })).items)
}

/**
 * Compares the records that a filter returns with the expected records of both sets. If the filter keeps all records or
 * none, the result proves nothing and the check is skipped.
 */
export async function assertFilter({ api, discovery }, query, predicate) {
  let [kept, dropped] = [0, 0]
  for (const set of await discovery.sets()) {
    const expected = idsOf(set.records.filter(predicate))
    sameMembers(await readFiltered(api, set, query), expected, `${JSON.stringify(query)} over ${set.name}`)
    kept += expected.length
    dropped += set.records.length - expected.length
  }
  if (kept === 0) skip(`no known record passes ${JSON.stringify(query)}`)
  if (dropped === 0) skip(`every known record passes ${JSON.stringify(query)}`)
}

/** Tests a filter such as epss_min. The bound is the median of the known values, so at least one record has it. */
export async function assertBound(context, readValue, toQuery, toPredicate) {
  const { records } = await context.discovery.period()
  const values = records.map(readValue).filter((value) => value !== null && isPlainNumber(value))
  if (values.length === 0) skip('no record of the period has the value')
  const bound = values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
  await assertFilter(context, toQuery(bound), toPredicate(bound))
}

const scoreOf = (record) => record.severity
const epssOf = (record) => record.epss?.score ?? null
const cpeCountOf = (record) => record.enrichment?.cpe_count ?? 0
const hasScore = (test) => (record) => record.severity !== null && test(record.severity)
const hasEpss = (test) => (record) => Boolean(record.epss) && test(record.epss.score)
const hasCpeCount = (min) => (record) => cpeCountOf(record) >= min

const isListed = async (api, id, query) => ok(await api.get('/cves', { ids: id, ...query })).cves.length === 1

async function findDated(discovery, field) {
  const { records } = await discovery.period()
  return records.filter((record) => record[field]).slice(0, MAX_DATED_RECORDS)
}

// Filters with a minimum or maximum: [name of the check, function that reads a record's value, function that turns the
// bound into a query, function that turns the bound into a predicate]
const BOUNDS = [
  [
    'C7 severity_min is inclusive and excludes records without a score',
    scoreOf,
    (bound) => ({ severity_min: bound }),
    (bound) => hasScore((value) => value >= bound),
  ],
  [
    'C7 severity_max is inclusive and excludes records without a score',
    scoreOf,
    (bound) => ({ severity_max: bound }),
    (bound) => hasScore((value) => value <= bound),
  ],
  [
    'C7 severity_min equal to severity_max returns exactly that score',
    scoreOf,
    (bound) => ({ severity_min: bound, severity_max: bound }),
    (bound) => hasScore((value) => value === bound),
  ],
  [
    'C3 cvss_min is inclusive and compares the same score as severity_min',
    scoreOf,
    (bound) => ({ cvss_min: bound }),
    (bound) => hasScore((value) => value >= bound),
  ],
  [
    'C7 epss_min is inclusive and excludes records without EPSS',
    epssOf,
    (bound) => ({ epss_min: bound }),
    (bound) => hasEpss((value) => value >= bound),
  ],
  [
    'C7 epss_max is inclusive and excludes records without EPSS',
    epssOf,
    (bound) => ({ epss_max: bound }),
    (bound) => hasEpss((value) => value <= bound),
  ],
  [
    'C7 cpe_count_min compares the cpe_count of the enrichment',
    (record) => cpeCountOf(record) || null,
    (bound) => ({ cpe_count_min: bound }),
    hasCpeCount,
  ],
]

const hasExploitFlag = (record) => record.enrichment?.exploit_flag === true
const BOOLEANS = {
  kev: (record) => 'kev' in record,
  has_acsc: (record) => record.acsc_notices.length > 0,
  has_references: (record) => record.references.length > 0,
  exploit: (record) => 'kev' in record || hasExploitFlag(record),
  exploitable: hasExploitFlag,
  patched: (record) => record.enrichment?.patch_available === true,
}

function defineValueFilters(check) {
  for (const name of ['critical', 'high', 'medium', 'low']) {
    check(`C6 severity=${name} returns exactly the CVEs of this band`, (context) =>
      assertFilter(context, { severity: name }, inBand(name)),
    )
  }
  check('C6 severity accepts a comma-separated list', (context) =>
    assertFilter(context, { severity: 'critical,low' }, inBand('critical', 'low')),
  )
  check('C6, C7 the four bands together return exactly the CVEs with a score above 0.0', (context) =>
    assertFilter(
      context,
      { severity: 'critical,high,medium,low' },
      hasScore((value) => value > 0),
    ),
  )
  for (const [title, readValue, toQuery, toPredicate] of BOUNDS)
    check(title, (context) => assertBound(context, readValue, toQuery, toPredicate))

  const isScored = hasScore(() => true)
  check('C7 severity_min=0 excludes records without a score', (context) =>
    assertFilter(context, { severity_min: 0 }, isScored),
  )
  check('C7 severity_max=10 excludes records without a score', (context) =>
    assertFilter(context, { severity_max: 10 }, isScored),
  )
  check('C7 epss_min=0 excludes records without EPSS', (context) =>
    assertFilter(
      context,
      { epss_min: 0 },
      hasEpss(() => true),
    ),
  )
}

function defineOtherFilters(check) {
  for (const [name, predicate] of Object.entries(BOOLEANS)) {
    const extra = name === 'patched' ? ENRICHED : {}
    check(`C8 ${name}=true returns exactly the records for which it is true`, (context) =>
      assertFilter(context, { ...extra, [name]: true }, predicate),
    )
    check(`C8 ${name}=false returns exactly the records for which it is false or has no data`, (context) =>
      assertFilter(context, { ...extra, [name]: false }, (record) => !predicate(record)),
    )
  }

  check('E23 kev_in=cisa returns the same CVEs as kev=true', (context) =>
    assertFilter(context, { kev_in: 'cisa' }, BOOLEANS.kev),
  )
  check('E23 kev_in=cisa,eu returns the CVEs of either catalog', async ({ api, discovery }) => {
    for (const set of await discovery.sets()) {
      const [cisa, eu] = [
        await readFiltered(api, set, { kev_in: 'cisa' }),
        await readFiltered(api, set, { kev_in: 'eu' }),
      ]
      const either = await readFiltered(api, set, { kev_in: 'eu,cisa' })
      sameMembers(either, [...new Set([...cisa, ...eu])], `either catalog over ${set.name}`)
    }
  })

  for (const [letter, name] of Object.entries({ N: 'network', A: 'adjacent', L: 'local', P: 'physical' })) {
    check(`attack_vector=${name} and attack_vector=${letter} are the same filter`, async (context) => {
      for (const value of [name, letter])
        await assertFilter(context, { ...ENRICHED, attack_vector: value }, hasVector(name))
    })
  }

  check('D6 filters combine with AND', async (context) => {
    const isSevere = inBand('high', 'critical')
    const query = { kev: false, severity: 'high,critical', has_references: true, epss_max: 1 }
    await assertFilter(
      context,
      query,
      (record) => !record.kev && isSevere(record) && record.references.length > 0 && record.epss,
    )
  })

  check('D20 status filters by a list of status words', async (context) => {
    await assertFilter(context, { status: 'Rejected' }, (record) => record.status === 'Rejected')
    const isEither = (record) => ['Analyzed', 'Rejected'].includes(record.status)
    await assertFilter(context, { status: 'Analyzed,Rejected' }, isEither)
  })

  const vendorTitle = 'A12, C17 vendor=x returns the CVEs that have x in vendor_tags'
  check(vendorTitle, async ({ api, discovery }) => {
    const set = await discovery.period()
    for (const vendor of ['nvd', 'cve']) {
      const found = new Set(await readFiltered(api, set, { ...ENRICHED, vendor }))
      // A record without enrichment has no vendor_tags, so its sources are not known.
      for (const { cve_id: id, enrichment } of set.records.filter((record) => record.enrichment)) {
        const tags = enrichment.vendor_tags
        equal(found.has(id), tags.includes(vendor), `${id} (${tags}) under vendor=${vendor}`)
      }
    }
  })
}

function defineDateFilters(check, field) {
  const [after, before] = [`${field}_after`, `${field}_before`]

  check(`C9 ${after} and ${before} are inclusive to the second`, async ({ api, discovery }) => {
    for (const record of await findDated(discovery, field)) {
      const [id, at] = [record.cve_id, record[field]]
      const expectations = [
        [after, at, true],
        [before, at, true],
        [after, shift(at, 1), false],
        [before, shift(at, -1), false],
      ]
      for (const [name, bound, expected] of expectations)
        equal(await isListed(api, id, { [name]: bound }), expected, `${id} ${field} ${at} under ${name}=${bound}`)
    }
  })

  const dayTitle = `C9 a date-only ${before} means the end of that day, a date-only ${after} means its start`
  check(dayTitle, async ({ api, discovery }) => {
    for (const record of await findDated(discovery, field)) {
      const [id, at] = [record.cve_id, record[field]]
      const [dayBefore, day, dayAfter] = [-DAY_SECONDS, 0, DAY_SECONDS].map((seconds) => toDay(shift(at, seconds)))
      equal(await isListed(api, id, { [before]: day, [after]: day }), true, `${id} on its day ${day}`)
      equal(await isListed(api, id, { [before]: dayBefore }), false, `${id} on the day before`)
      equal(await isListed(api, id, { [after]: dayAfter }), false, `${id} on the day after`)
    }
  })
}

export const checks = section('Search filters', (check) => {
  defineValueFilters(check)
  defineOtherFilters(check)
  for (const field of ['published', 'modified']) defineDateFilters(check, field)

  check('C9 the UTC offset of a time is applied, and a time without a zone is UTC', async ({ api, discovery }) => {
    const { cve_id: id, published } = (await discovery.period()).records[0]
    const isFound = (published_after) => isListed(api, id, { published_after })
    const localTime = (hours, seconds = 0) => shift(published, hours * HOUR_SECONDS + seconds).slice(0, 19)
    equal(await isFound(`${localTime(2)}+02:00`), true, 'the same instant at +02:00')
    equal(await isFound(`${localTime(2, 1)}+02:00`), false, 'one second later at +02:00')
    equal(await isFound(`${localTime(-5)}-05:00`), true, 'the same instant at -05:00')
    equal(await isFound(localTime(0)), true, 'no zone')
  })

  check('C7 modified_after with modified_before returns exactly the records between them', async (context) => {
    const { records } = await context.discovery.period()
    const times = records.map((record) => record.modified).sort()
    const [low, high] = [times[Math.floor(times.length / 4)], times[Math.floor(times.length * 0.75)]]
    const isBetween = ({ modified }) => modified !== null && modified >= low && modified <= high
    await assertFilter(context, { modified_after: low, modified_before: high }, isBetween)
  })
})
