// A mix of common and rare searches, of first pages and of pages deep in the result. Each search is measured with the
// plan that PostgreSQL chooses and with the best plan found when single plan types are disabled.
import { Client, DatabaseError } from 'pg'
import { searchCves } from '../../../src/api/endpoints/search-cves/endpoint.ts'
import { type CursorPosition, createCursors } from '../../../src/contract/cursor.ts'
import { readInput } from '../../../src/contract/read-input.ts'
import { type Database, formatSessionOptions } from '../../../src/database/postgres.ts'
import { READ_SESSION_SETTINGS } from '../../../src/runtime/connections.ts'
import { MAX_COLLECTED } from '../../../src/search/collect-hits.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'
import { findPage, type SearchPage } from '../../../src/search/find-page.ts'
import { isByModified } from '../../../src/search/keyset-page.ts'
import { normaliseQuery, type Query, RELEVANCE } from '../../../src/search/parameters.ts'
import { median } from '../load/percentile.ts'
import { captureStatements, type Statement } from './capture-statement.ts'

export interface Search {
  readonly query: string
  /** Cursor position after which a deep result page begins. */
  readonly after?: Pick<CursorPosition, 'value' | 'key'>
}

const AS_OF = '2026-12-31T00:00:00Z'
const DEEP = { value: '2015-06-01T00:00:00Z', key: '201500000000001000' }

const CHOSEN_SEARCHES: readonly Search[] = [
  { query: '' },
  { query: 'sort=severity_desc' },
  { query: 'sort=epss_desc' },
  { query: 'sort=epss_asc' },
  { query: 'sort=modified_asc' },
  { query: 'sort=priority_desc' },
  { query: 'sort=level_desc' },
  { query: 'kev=true&sort=level_desc' },
  { query: 'priority=P0,P1&sort=priority_desc' },
  { query: 'q=kernel&sort=priority_desc' },
  { query: 'priority=P2&sort=published_desc' },
  { query: 'priority=P0&kev=true' },
  { query: 'q=vulnerability' },
  { query: 'q=the&sort=epss_desc' },
  { query: 'q=kernel&sort=published_asc' },
  { query: 'q=kernel&sort=severity_desc' },
  { query: 'q=log4j' },
  { query: 'q=zyxel&sort=epss_desc' },
  { query: 'q=CVE-2021-44228' },
  { query: 'q=%22remote%20code%20execution%22&sort=modified_desc' },
  { query: 'q=sql%20injection&severity=critical&sort=epss_desc' },
  { query: 'q=linux&kev=true&sort=published_asc' },
  { query: 'kev=true&sort=epss_desc' },
  { query: 'kev=true' },
  { query: 'has_acsc=true&sort=severity_desc' },
  { query: 'has_acsc=true&has_references=false' },
  { query: 'exploit=true&sort=published_asc' },
  { query: 'exploit=false&sort=epss_desc' },
  { query: 'severity=critical&exploit=true&sort=epss_desc' },
  { query: 'severity=low&sort=modified_desc' },
  { query: 'status=Rejected&has_references=true' },
  { query: 'status=Undergoing%20Analysis&sort=severity_asc' },
  { query: 'cpe_count_min=500&sort=epss_desc' },
  { query: 'epss_min=0.5&sort=published_desc' },
  { query: 'epss_max=0.001&sort=severity_desc' },
  { query: 'published_after=2019-01-01&published_before=2019-01-31&sort=epss_desc' },
  { query: 'modified_after=2026-08-01&sort=severity_desc' },
  { query: 'vendor=msrc&include=enrichment&sort=modified_asc' },
  { query: 'vendor=nvd&attack_vector=physical&patched=true&include=enrichment&sort=severity_asc' },
  {
    query:
      'attack_vector=network&patched=false&exploit=false&has_references=true&status=Analyzed&include=enrichment&sort=modified_asc',
  },
  { query: 'q=the&epss_min=0.01&sort=epss_asc' },
  { query: 'has_references=true&epss_max=0.01&sort=epss_desc&limit=100' },
  { query: 'q=vulnerability&severity=low,medium&sort=severity_desc' },
  { query: 'severity=high&published_before=2005-01-01', after: { value: '2003-01-01T00:00:00Z', key: '1' } },
  { query: '', after: DEEP },
  { query: 'q=vulnerability', after: DEEP },
  { query: 'q=overflow&sort=severity_desc', after: { value: 7.5, key: '201000000000001000' } },
  { query: 'sort=severity_desc', after: { value: null, key: '202000000000001000' } },
  { query: 'exploitable=true&sort=epss_asc', after: { value: 0.01, key: '201000000000001000' } },
  { query: 'kev=true', after: DEEP },
  { query: 'sort=priority_desc', after: { value: 2500, key: '201500000000001000' } },
  { query: 'q=log4j&sort=epss_asc&limit=1', after: { value: 0.01, key: '201000000000001000' } },
  { query: 'q=log4j&sort=epss_desc&limit=1', after: { value: 0.9, key: '201000000000001000' } },
  { query: 'q=log4j&sort=relevance' },
  { query: 'q=CVE-2021-44228&sort=relevance' },
  { query: 'q=apache%20tomcat&sort=relevance' },
  { query: 'q=linux&sort=relevance' },
  { query: 'q=vulnerability&sort=relevance' },
  { query: 'q=microsoft&sort=relevance' },
  { query: 'q=%22remote%20code%20execution%22&sort=relevance' },
  { query: 'q=google%20chrome&sort=relevance' },
  { query: 'q=overflow&kev=true&sort=relevance' },
  {
    query: 'q=linux&sort=relevance',
    after: { value: '2 priority 11000 2500 2015-06-01T00:00:00Z', key: '201500000000001000' },
  },
  { query: 'cwe=CWE-79' },
  { query: 'cwe=CWE-79&sort=epss_desc' },
  { query: 'cwe=CWE-89,CWE-78&kev=true&sort=published_asc' },
  { query: 'cwe=CWE-1321&sort=severity_desc' },
  { query: 'cwe=CWE-787&product_vendor=google&cvss_min=8&sort=epss_desc' },
  { query: 'technique=T1190&sort=priority_desc' },
  { query: 'technique=T1059&severity=critical' },
  { query: 'technique=T1505.003&sort=modified_desc' },
  { query: 'product=linux_kernel' },
  { query: 'product=linux_kernel&cvss_min=9&sort=epss_desc' },
  { query: 'product_vendor=microsoft&sort=severity_desc' },
  { query: 'product_vendor=microsoft&kev_added_after=2026-01-01' },
  { query: 'product_vendor=fortinet&product=fortios&cvss_min=9' },
  { query: 'product=log4j' },
  { query: 'product=no_such_product&sort=epss_desc' },
  { query: 'assigner=mitre&sort=severity_desc' },
  { query: 'assigner=microsoft&published_after=2026-01-01&sort=epss_desc' },
  { query: 'assigner=redhat&has_fix=true&sort=modified_desc' },
  { query: 'assigner=no-such-organisation' },
  { query: 'has_fix=false&epss_min=0.5&sort=epss_desc' },
  { query: 'has_fix=true&exploit_maturity=active,ransomware&sort=published_desc' },
  { query: 'has_cvss=false&sort=modified_desc' },
  { query: 'has_epss=false&sort=severity_desc' },
  { query: 'score_version=4&sort=severity_desc' },
  { query: 'score_version=2&published_after=2020-01-01' },
  { query: 'score_version=2&cvss_min=9.5&sort=epss_asc' },
  { query: 'epss_percentile_min=0.99&sort=severity_desc' },
  { query: 'epss_percentile_min=0.95&kev=false&sort=epss_desc' },
  { query: 'epss_percentile_min=0.5&cwe=CWE-22' },
  { query: 'ransomware=true&sort=epss_desc' },
  { query: 'ransomware=false&kev=true&sort=modified_asc' },
  { query: 'kev_added_after=2026-06-01' },
  { query: 'kev_added_after=2021-01-01&kev_added_before=2021-12-31&sort=epss_asc' },
  { query: 'exploit_maturity=weaponized&sort=epss_desc' },
  { query: 'exploit_maturity=none&severity=critical&sort=modified_asc' },
  { query: 'evidence_min=5&sort=priority_desc' },
  { query: 'evidence_min=1&kev=false&sort=published_desc' },
  { query: 'ssvc_exploitation=active&sort=severity_desc' },
  { query: 'ssvc_exploitation=poc&ssvc_automatable=yes&ssvc_impact=total&sort=epss_desc' },
  { query: 'ssvc_automatable=yes&sort=published_desc' },
  { query: 'ssvc_impact=partial&severity=critical&sort=severity_asc' },
  { query: 'score_disagreement=true&sort=severity_desc' },
  { query: 'disagree=affected,rejected&sort=modified_desc' },
  { query: 'disagree=kev_ssvc' },
  { query: 'kev_in=eu,cisa&evidence_min=3&technique=T1190' },
  { query: 'q=overflow&cwe=CWE-787&sort=severity_desc' },
  { query: 'q=injection&product_vendor=cisco&sort=published_desc' },
  { query: 'cwe=CWE-79', after: DEEP },
  { query: 'product_vendor=microsoft', after: DEEP },
  { query: 'ssvc_exploitation=poc&sort=severity_desc', after: { value: 7.5, key: '201000000000001000' } },
  { query: 'has_fix=true&sort=epss_desc', after: { value: 0.01, key: '201000000000001000' } },
]

/** Filters whose CVEs are looked up before the search. */
const FOUND_BEFORE: readonly FilterName[] = ['cpe', 'purl']

/** A search with the example of each filter that no chosen search uses. */
const FURTHER_FILTERS: readonly Search[] = FILTER_ENTRIES.flatMap(([name, { lists, needs, parameter }]) => {
  const isChosen = CHOSEN_SEARCHES.some(({ query }) => new URLSearchParams(query).has(name))
  if (isChosen || !lists.includes('search') || FOUND_BEFORE.includes(name)) return []
  return [{ query: `${name}=${String(parameter.example)}${needs === undefined ? '' : `&include=${needs}`}` }]
})

export const SEARCH_MIX: readonly Search[] = [...CHOSEN_SEARCHES, ...FURTHER_FILTERS]

/** Connects to the database with the session settings of an API node's read pool. */
export async function connectToSearch(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, options: formatSessionOptions(READ_SESSION_SETTINGS) })
  await client.connect()
  return client
}

/** PostgreSQL settings that disable a plan type. */
const PLAN_SETTINGS = ['enable_seqscan', 'enable_bitmapscan', 'enable_indexscan', 'enable_sort', 'enable_nestloop']
const NO_SETTING = ''

export interface PlanComparison {
  readonly search: Search
  readonly plannedMs: number
  readonly bestMs: number
  /** Plan setting that was off in the fastest run; empty if the plan that PostgreSQL chose was the fastest. */
  readonly bestWithout: string
  readonly sequentialScans: readonly string[]
}

/**
 * Compares the median duration of a search over `runs` runs: with the plan that PostgreSQL chooses, and with each plan
 * setting turned off.
 */
export async function comparePlans(client: Client, search: Search, runs: number): Promise<PlanComparison> {
  const statements = await captureSearch(client, search)
  const scans: string[] = []
  for (const each of statements) scans.push(...listSequentialScans((await explain(client, each)).Plan))
  const plannedMs = await measureMedianMs(client, statements, runs)
  let [bestMs, bestWithout] = [plannedMs, NO_SETTING]
  for (const setting of PLAN_SETTINGS) {
    const ms = await withoutSetting(client, setting, plannedMs, () => measureMedianMs(client, statements, runs))
    if (ms < bestMs) [bestMs, bestWithout] = [ms, setting]
  }
  return { search, plannedMs, bestMs, bestWithout, sequentialScans: scans }
}

/**
 * Measures a search with one plan setting turned off. Returns Infinity if the search takes more than about twice as
 * long as with PostgreSQL's own plan, because some plans would take minutes.
 */
async function withoutSetting(client: Client, setting: string, plannedMs: number, work: () => Promise<number>) {
  await client.query(`set ${setting} = off`)
  await client.query(`set statement_timeout = ${Math.ceil(plannedMs * 2 + 20)}`)
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseError && error.code === QUERY_CANCELED) return Number.POSITIVE_INFINITY
    throw error
  } finally {
    await client.query(`reset ${setting}`)
    await client.query('reset statement_timeout')
  }
}

/** SQLSTATE code query_canceled, with which PostgreSQL reports a statement timeout. */
const QUERY_CANCELED = '57014'

/** Runs a search and returns the SQL statements of its steps. */
export async function captureSearch(client: Client, search: Search): Promise<readonly Statement[]> {
  const total = await readTotal(client, search)
  return (await captureStatements(client, (db) => readPage(db, search, total))).statements
}

/** Reads a page. `totalEstimate` is the total number of hits, which the cursor of a deep page contains. */
function readPage(db: Database, { query, after }: Search, totalEstimate: number): Promise<SearchPage> {
  const parsed = parseQuery(query)
  const position = after && { ...after, totalEstimate, asOf: AS_OF }
  return findPage(db, parsed, position)
}

/**
 * Encodes the cursor of a deep result page, as an API node with the given secret does. Returns undefined for a first
 * page, which needs no cursor.
 */
export function encodeCursor({ query, after }: Search, totalEstimate: number, secret: string): string | undefined {
  const parsed = parseQuery(query)
  const position = after && {
    ...after,
    totalEstimate,
    asOf: parsed.sort !== RELEVANCE && isByModified(parsed.sort) ? AS_OF : null,
  }
  return (
    position && createCursors([secret]).encode({ endpoint: searchCves.name, filters: normaliseQuery(parsed) }, position)
  )
}

/**
 * Reads the number of all hits of a search. The first page counts the hits, and the cursors of later pages contain the
 * number.
 */
export async function readTotal(client: Client, { query, after }: Search): Promise<number> {
  if (!after) return 0
  const { result } = await captureStatements(client, (db) => readPage(db, { query }, 0))
  return result.total
}

function parseQuery(query: string): Query {
  const input = readInput(searchCves, { path: {}, query, body: undefined })
  // The type cast is safe: the input was validated with the parameters of the search endpoint.
  return input.query as Query
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Loops'?: number
  readonly 'Actual Rows'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

interface Plan {
  readonly Plan: PlanNode
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

async function measureMedianMs(client: Client, statements: readonly Statement[], runs: number): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    let ms = 0
    for (const each of statements) {
      const plan = await explain(client, each)
      ms += plan['Planning Time'] + plan['Execution Time']
    }
    times.push(ms)
  }
  return median(times)
}

/** Executes an SQL statement and returns its query plan with actual row counts. */
export async function explain(client: Client, { sql, parameters }: Statement): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(
    `explain (analyze, buffers, timing off, format json) ${sql}`,
    [...parameters],
  )
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('EXPLAIN returned no plan.')
  return plan
}

/**
 * Lists the tables that a query read completely. Ignores scans that ended early because the count of hits has a limit,
 * and plan nodes that were not executed.
 */
export function listSequentialScans(node: PlanNode, parent?: PlanNode): readonly string[] {
  if (node['Actual Loops'] === 0) return []
  const endsEarly = parent?.['Node Type'] === 'Limit' && (parent['Actual Rows'] ?? 0) > MAX_COLLECTED
  const own = node['Node Type'] === 'Seq Scan' && !endsEarly ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap((child) => listSequentialScans(child, node))]
}
