// A simple reference search for tests: it checks every CVE against every filter and sorts all results.
import { sql } from 'kysely'
import { COLUMNS_WITH_VALUES, type SearchValues } from '../../../src/catalog/render/search-values.ts'
import type { Database } from '../../../src/database/postgres.ts'
import { findLevelOfRank, RANKS_PER_LEVEL } from '../../../src/domain/priority/policy.ts'
import type { FilterName } from '../../../src/search/filters/table.ts'
import { parseSearch } from '../../../src/search/words/parse.ts'
import { encodePieces } from '../../../src/search/words/pieces.ts'
import { requireCveKey } from './cve-builder.ts'

/** Search values of a CVE, with times in seconds, and its rows in other tables. */
export interface PlainCve extends Omit<SearchValues, 'published' | 'modified' | 'names' | 'text'> {
  readonly id: string
  readonly key: bigint
  readonly published: number | null
  readonly modified: number
  readonly epss: number | null
  readonly percentile: number | null
  /** Day of the addition to CISA's KEV catalog. */
  readonly kevAdded: string | null
  /** Time in seconds at which the CVE became urgent last, according to the change log. */
  readonly becameUrgent: number | null
  /** Days since 1970. */
  readonly urgentDay: number | null
  /** Vulnerable products as `vendor/product`. */
  readonly products: readonly string[]
}

export async function readPlainCves(db: Database): Promise<readonly PlainCve[]> {
  const columns = COLUMNS_WITH_VALUES.map(({ column, value }) => sql`${sql.ref(`cve.${column}`)} as ${sql.id(value)}`)
  const { rows } = await sql<PlainCve>`
    select ${sql.join(columns)}, catalog.cve_id(cve_key) as id,
           extract(epoch from published)::float8 as published, extract(epoch from modified)::float8 as modified,
           urgent_day as "urgentDay", epss.score as epss, percentile, to_char(date_added, 'YYYY-MM-DD') as "kevAdded",
           (select extract(epoch from max(change.at))::float8
              from catalog.change
             where change.cve_key = cve.cve_key and change.cause = 'data' and 'became_urgent' = any(change.types)) as "becameUrgent",
           array(select vendor || '/' || product from catalog.cve_product_name named where named.cve_key = cve.cve_key) as products
      from catalog.cve as cve
      join catalog.epss as epss using (cve_key)
      left join catalog.kev as kev using (cve_key)
  `.execute(db)
  return rows.map((row) => ({ ...row, key: BigInt(requireCveKey(row.id)) }))
}

/**
 * Splits the texts of all CVEs into words once. Returns a function that does the same as findIdsWithWords in less time,
 * for tests with many queries on a catalog that does not change.
 */
export async function createWordFinder(db: Database): Promise<(q: string) => Promise<ReadonlySet<string>>> {
  await sql`
    create unlogged table public.words_of_cves as
    select catalog.cve_id(cve_key) as id,
           catalog.text_words(catalog.cve_id(cve_key), description::json #>> '{}') as words
      from catalog.cve_document
  `.execute(db)
  return async (q) => {
    const { rows } = await sql<{ id: string }>`
      select id
        from public.words_of_cves
       where coalesce(words @@ ${toQuery(q)}, true)
    `.execute(db)
    return new Set(rows.map(({ id }) => id))
  }
}

/** Returns the ids of the CVEs whose text contains the words of a query. Checks every CVE, without using an index. */
export async function findIdsWithWords(db: Database, q: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select catalog.cve_id(cve_key) as id
      from catalog.cve_document
     where coalesce(
             catalog.text_words(catalog.cve_id(cve_key), description::json #>> '{}') @@ ${toQuery(q)},
             true
           )
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const toQuery = (q: string) => sql`catalog.pieces_query(${encodePieces(parseSearch(q))}::text[])`

export type Query = Readonly<Record<string, string>>

const BANDS: Readonly<Record<string, readonly [number, number]>> = {
  critical: [9, 10],
  high: [7, 8.9],
  medium: [4, 6.9],
  low: [0.1, 3.9],
}
const LETTERS: Readonly<Record<string, string>> = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' }

const atLeast = (value: number | null, bound: string) => value !== null && value >= Number(bound)
const atMost = (value: number | null, bound: string) => value !== null && value <= Number(bound)
const toStartSeconds = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / 1000)
const toEndSeconds = (day: string) => String(Date.parse(`${day}T23:59:59Z`) / 1000)
const matchesFlag = (actual: boolean, value: string) => actual === (value === 'true')

type Matches = (cve: PlainCve, value: string) => boolean

/** Whether a CVE meets a filter. The words of `q` are compared by findIdsWithWords. */
const FILTERS: Readonly<Record<Exclude<FilterName, 'q' | 'ids' | 'cpe' | 'purl'>, Matches>> = {
  severity: ({ score }, value) =>
    value.split(',').some((name) => {
      const [min, max] = BANDS[name] ?? [1, 0]
      return score !== null && score >= min && score <= max
    }),
  severity_min: ({ score }, value) => atLeast(score, value),
  severity_max: ({ score }, value) => atMost(score, value),
  cvss_min: ({ score }, value) => atLeast(score, value),
  exploit: (cve, value) => matchesFlag(cve.hasExploit || cve.inKev, value),
  exploitable: (cve, value) => matchesFlag(cve.hasExploit, value),
  kev: (cve, value) => matchesFlag(cve.inKev, value),
  kev_in: ({ inKev, inEuKev }, value) => (inKev && value.includes('cisa')) || (inEuKev && value.includes('eu')),
  has_acsc: (cve, value) => matchesFlag(cve.hasNotice, value),
  has_references: (cve, value) => matchesFlag(cve.hasReference, value),
  epss_min: ({ epss }, value) => atLeast(epss, value),
  epss_max: ({ epss }, value) => atMost(epss, value),
  cpe_count_min: ({ cpeCount }, value) => atLeast(cpeCount, value),
  published_after: ({ published }, value) => atLeast(published, toStartSeconds(value)),
  published_before: ({ published }, value) => atMost(published, toEndSeconds(value)),
  modified_after: ({ modified }, value) => atLeast(modified, toStartSeconds(value)),
  modified_before: ({ modified }, value) => atMost(modified, toEndSeconds(value)),
  vendor: ({ sources }, value) => sources.includes(value),
  attack_vector: ({ attackVector }, value) => attackVector === (LETTERS[value] ?? value),
  patched: (cve, value) => matchesFlag(cve.hasPatch, value),
  status: ({ status }, value) => value.split(',').includes(status),
  priority: ({ priority }, value) => hasAny(value, [findLevelOfRank(priority) ?? '']),
  cwe: ({ cwes }, value) => hasAny(value, cwes),
  technique: ({ techniques }, value) => hasAny(value, techniques),
  product: ({ products }, value) => hasAny(value, products.map(getProductName)),
  product_vendor: ({ products }, value) => hasAny(value, products.map(getVendorName)),
  assigner: ({ assigner }, value) => assigner !== null && hasAny(value, [assigner.toLowerCase()]),
  has_fix: (cve, value) => matchesFlag(cve.hasFix, value),
  has_cvss: (cve, value) => matchesFlag(cve.score !== null, value),
  has_epss: (cve, value) => matchesFlag(cve.epss !== null, value),
  score_version: ({ scoreVersion }, value) => hasAny(value, [String(scoreVersion)]),
  epss_percentile_min: ({ percentile }, value) => atLeast(percentile, value),
  ransomware: (cve, value) => matchesFlag(cve.isRansomware, value),
  kev_added_after: ({ kevAdded }, value) => kevAdded !== null && kevAdded >= value,
  kev_added_before: ({ kevAdded }, value) => kevAdded !== null && kevAdded <= value,
  became_urgent_after: ({ becameUrgent }, value) => atLeast(becameUrgent, toStartSeconds(value)),
  exploit_maturity: ({ maturity }, value) => hasAny(value, [MATURITIES[maturity] ?? '']),
  evidence_min: ({ evidenceCount }, value) => atLeast(evidenceCount, value),
  ssvc_exploitation: ({ ssvc }, value) =>
    ssvc !== null && hasAny(value, [['none', 'poc', 'active'][Math.floor(ssvc / 9)] ?? '']),
  ssvc_automatable: ({ ssvc }, value) =>
    ssvc !== null && hasAny(value, [['', 'no', 'yes'][Math.floor(ssvc / 3) % 3] ?? '']),
  ssvc_impact: ({ ssvc }, value) => ssvc !== null && hasAny(value, [['', 'partial', 'total'][ssvc % 3] ?? '']),
  score_disagreement: ({ disagreements }, value) => matchesFlag(disagreements % 2 === 1, value),
  disagree: ({ disagreements }, value) =>
    hasAny(
      value,
      DISAGREEMENTS.filter((_, bit) => Math.floor(disagreements / 2 ** bit) % 2 === 1),
    ),
}

const MATURITIES = ['none', 'poc', 'functional', 'weaponized', 'active', 'ransomware']
const DISAGREEMENTS = ['score', 'affected', 'rejected', 'kev_ssvc']

function hasAny(value: string, actual: readonly string[]): boolean {
  return value.split(',').some((each) => actual.includes(each))
}

const getVendorName = (name: string) => name.slice(0, name.indexOf('/'))
const getProductName = (name: string) => name.slice(name.indexOf('/') + 1)

/** If a search names vendors and products, a single product must match both. */
function hasNamedProduct({ products }: PlainCve, { product, product_vendor }: Query): boolean {
  if (product === undefined || product_vendor === undefined) return true
  return products.some(
    (name) => hasAny(product, [getProductName(name)]) && hasAny(product_vendor, [getVendorName(name)]),
  )
}

/**
 * Returns the ids of all hits in order. `idsWithWords` are the ids that match the query's words; undefined without
 * words.
 */
export function naiveSearch(
  cves: readonly PlainCve[],
  query: Query,
  idsWithWords: ReadonlySet<string> | undefined,
): string[] {
  const filters = Object.entries(FILTERS).flatMap(([name, matches]) => {
    const value = query[name]
    return value === undefined ? [] : [(cve: PlainCve) => matches(cve, value)]
  })
  const kept = cves.filter(
    (cve) => (idsWithWords?.has(cve.id) ?? true) && filters.every((isMet) => isMet(cve)) && hasNamedProduct(cve, query),
  )
  const [field = '', direction] = (query['sort'] ?? 'published_desc').split('_')
  return kept.toSorted(compareBy(field, direction === 'desc' ? -1 : 1)).map(({ id }) => id)
}

function compareBy(field: string, direction: 1 | -1) {
  return (a: PlainCve, b: PlainCve) => {
    const [x, y] = [getSortValue(a, field), getSortValue(b, field)]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    if (x !== null && y !== null && x !== y) return (x < y ? -1 : 1) * direction
    return (a.key < b.key ? -1 : 1) * direction
  }
}

function getSortValue(cve: PlainCve, field: string): number | null {
  switch (field) {
    case 'severity':
      return cve.score
    case 'epss':
      return cve.epss
    case 'modified':
      return cve.modified
    case 'priority':
      return cve.priority
    case 'level':
      return cve.priority === null
        ? null
        : Math.floor(cve.priority / RANKS_PER_LEVEL) * 100_000 + Math.max(cve.eventDay ?? 0, cve.urgentDay ?? 0)
    default:
      return cve.published
  }
}
