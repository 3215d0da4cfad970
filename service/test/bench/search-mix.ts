// A mix of searches, common and rare, first pages and deep ones, and what PostgreSQL makes of each: how long it takes as
// planned, and how long the best of the plans that it can be talked into.

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Client } from 'pg'
import type { Place } from '../../src/api/cursor.ts'
import { select } from '../../src/api/cve-record/selection.ts'
import { searchCves } from '../../src/api/endpoints/search-cves/endpoint.ts'
import { filtersOf } from '../../src/api/endpoints/search-cves/filters.ts'
import { type Asked, limitOf } from '../../src/api/endpoints/search-cves/parameters.ts'
import { pageStatement } from '../../src/api/endpoints/search-cves/query.ts'
import { readInput } from '../../src/contract/read-input.ts'

interface Search {
  readonly query: string
  /** A deep page begins after this item. */
  readonly after?: Pick<Place, 'value' | 'key'>
}

const DEEP = { value: '2015-06-01T00:00:00Z', key: '201500000000001000' }

export const SEARCH_MIX: readonly Search[] = [
  { query: '' },
  { query: 'sort=severity_desc' },
  { query: 'sort=epss_desc' },
  { query: 'sort=epss_asc' },
  { query: 'sort=modified_asc' },
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
  { query: 'severity=high&published_before=2005-01-01', after: { value: '2003-01-01T00:00:00Z', key: '1' } },
  { query: '', after: DEEP },
  { query: 'q=vulnerability', after: DEEP },
  { query: 'q=overflow&sort=severity_desc', after: { value: 7.5, key: '201000000000001000' } },
  { query: 'sort=severity_desc', after: { value: null, key: '202000000000001000' } },
  { query: 'exploitable=true&sort=epss_asc', after: { value: 0.01, key: '201000000000001000' } },
  { query: 'kev=true', after: DEEP },
  { query: 'q=log4j&sort=epss_asc&limit=1', after: { value: 0.01, key: '201000000000001000' } },
  { query: 'q=log4j&sort=epss_desc&limit=1', after: { value: 0.9, key: '201000000000001000' } },
]

const VARIANTS = ['', 'enable_seqscan', 'enable_bitmapscan', 'enable_indexscan', 'enable_sort', 'enable_nestloop']
const RUNS = 3

export interface Measured {
  readonly search: Search
  readonly plannedMs: number
  readonly bestMs: number
  /** What turned off gave the best time. */
  readonly bestWithout: string
  readonly sequentialScans: readonly string[]
}

export async function measure(client: Client, search: Search): Promise<Measured> {
  const statement = statementOf(search)
  const plan = await explain(client, statement, false)
  const times: { without: string; ms: number }[] = []
  for (const without of VARIANTS) {
    if (without !== '') await client.query(`set ${without} = off`)
    times.push({ without, ms: await fastest(client, statement) })
    if (without !== '') await client.query(`reset ${without}`)
  }
  const best = times.reduce((a, b) => (b.ms < a.ms ? b : a))
  return {
    search,
    plannedMs: times[0]?.ms ?? 0,
    bestMs: best.ms,
    bestWithout: best.without,
    sequentialScans: sequentialScans(plan.Plan),
  }
}

interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export function statementOf({ query, after }: Search): Statement {
  const input = readInput(searchCves, { path: {}, query, body: undefined })
  // Earned: these are the parameters of that very endpoint.
  const asked = input.query as Asked
  const place = after && { ...after, totalEstimate: 0, asOf: '2026-12-31T00:00:00Z' }
  const wanted = { filters: filtersOf(asked), sort: asked.sort, after: place, limit: limitOf(asked) }
  return pageStatement({ ...wanted, selection: select('listed', asked) }).compile(compiler)
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

interface Plan {
  readonly Plan: PlanNode
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

async function fastest(client: Client, statement: Statement): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run += 1) {
    const plan = await explain(client, statement, true)
    least = Math.min(least, plan['Planning Time'] + plan['Execution Time'])
  }
  return least
}

export async function explain(client: Client, { sql, parameters }: Statement, isRun: boolean): Promise<Plan> {
  const options = isRun ? 'analyze, timing off, format json' : 'format json'
  const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(`explain (${options}) ${sql}`, [...parameters])
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  return plan
}

export function sequentialScans(node: PlanNode): readonly string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(sequentialScans)]
}
