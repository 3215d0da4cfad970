// Searches that a caller could choose because they cost the database much: very common words and prefixes, many words,
// phrases of stop words, and sort orders in which the hits come late. Each search costs one credit, like any other.
import type { Client } from 'pg'
import { MAX_COLLECTED } from '../../../service/src/search/collect-hits.ts'
import { RELEVANCE } from '../../../service/src/search/parameters.ts'
import { SORTS } from '../../../service/src/search/sort.ts'
import { captureSearch, explain, type Search } from '../../../service/test/support/search/search-mix.ts'

const TEXTS = [
  'a',
  'the',
  'cve',
  'and',
  'con',
  '202',
  'vulnerability',
  'allows remote attackers',
  'vulnerability attacker allow remote',
  'to in the a',
  'con pro com app',
  '1 2 3 4 5',
  'the this that which with from for not',
  'the a in to of and vulnerability allows via remote attackers this an is execute arbitrary or for before with by issue that code not affected user service which on file site can from was as cross access',
  'a to in of an is on or by 1 2 3 4 5 6 7 8 9 0 10 11 12 x s c as it be no at if we',
  '"a a a a a a a a a a"',
  '"the the the"',
  '"in the"',
  '"of the a"',
  '"and in and in"',
  '"attach to"',
  '"the con"',
  '"the vulnerability"',
  '"allows remote attackers to"',
  '"remote attackers to execute"',
  '"this issue" "in the" "to a"',
]

const FILTERS = [
  '',
  'has_references=true',
  'kev=false',
  'kev=true',
  'status=Rejected',
  'severity=low',
  'cvss_min=0',
  'epss_min=0',
  'epss_min=0.0004&epss_max=0.01',
  'epss_min=0.2&published_after=2025-06-01',
  'exploit=false&patched=false&status=Analyzed&include=enrichment',
  'attack_vector=physical&status=Rejected&include=enrichment',
  'vendor=cve&include=enrichment',
  'severity=low&published_before=2012-01-01',
]

/** Every combination of a text, a filter and a sort order, with the largest page. */
export const EXPENSIVE_SEARCHES: readonly Search[] = TEXTS.flatMap((text) =>
  FILTERS.flatMap((filter) =>
    [...SORTS, RELEVANCE].map((sort) => ({
      query: [`q=${encodeURIComponent(text)}`, filter, `sort=${sort}`, 'limit=100'].filter(Boolean).join('&'),
    })),
  ),
)

export interface MeasuredSearch {
  readonly query: string
  /** Number of 8 kB pages of tables and indexes that the search read. It does not depend on the load of the machine. */
  readonly pages: number
  readonly ms: number
}

/** Measures the first page of a search. */
export async function measureSearch(client: Client, search: Search): Promise<MeasuredSearch> {
  let [pages, ms] = [0, 0]
  for (const statement of await captureSearch(client, search)) {
    const plan = await explain(client, statement)
    pages += plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks']
    ms += plan['Planning Time'] + plan['Execution Time']
  }
  return { query: decodeURIComponent(search.query), pages, ms }
}

/** Reads the number of pages of the table catalog.cve. */
export async function countTablePages(client: Client): Promise<number> {
  const { rows } = await client.query<{ pages: number }>(
    `select relpages as pages from pg_class where oid = 'catalog.cve'::regclass`,
  )
  return rows[0]?.pages ?? Number.NaN
}

/**
 * Returns a bound for the pages that one search reads: six pages for each hit that is collected before an estimate, and
 * six times the pages of the table for candidates, the scan in sort order, the collection of all hits and lookups of EPSS
 * scores.
 */
export async function computePageBound(client: Client): Promise<number> {
  return 6 * (MAX_COLLECTED + (await countTablePages(client)))
}
