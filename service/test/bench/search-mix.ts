// A mix of searches, common and rare, first pages and deep ones, and what PostgreSQL makes of each: how long it takes as
// planned, and how long the best of the plans that it can be talked into.

import { Client, DatabaseError } from 'pg'
import { createCursors, type Place } from '../../src/api/cursor.ts'
import { select } from '../../src/api/cve-record/selection.ts'
import { searchCves } from '../../src/api/endpoints/search-cves/endpoint.ts'
import { type FoundRow, findPage, MAX_EXACT_TOTAL } from '../../src/api/endpoints/search-cves/query.ts'
import { filtersOf, normalised } from '../../src/api/search/filters.ts'
import { isByModified } from '../../src/api/search/keyset-page.ts'
import { type Asked, limitOf } from '../../src/api/search/parameters.ts'
import { readInput } from '../../src/contract/read-input.ts'
import { startOptions } from '../../src/database/postgres.ts'
import { READING } from '../../src/runtime/connections.ts'
import { median } from './load/percentile.ts'
import { type Statement, statementOf } from './statement.ts'

export interface Search {
  readonly query: string
  /** A deep page begins after this item. */
  readonly after?: Pick<Place, 'value' | 'key'>
}

const END_OF_TIME = '2026-12-31T00:00:00Z'
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
  { query: 'q=log4j&sort=epss_asc&limit=1', after: { value: 0.01, key: '201000000000001000' } },
  { query: 'q=log4j&sort=epss_desc&limit=1', after: { value: 0.9, key: '201000000000001000' } },
]

/** With the settings of a session that searches, as a node has it. */
export async function connectToSearch(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, options: startOptions(READING) })
  await client.connect()
  return client
}

/** The settings by which PostgreSQL can be talked out of a kind of plan. */
const AVOIDABLE = ['enable_seqscan', 'enable_bitmapscan', 'enable_indexscan', 'enable_sort', 'enable_nestloop']
const PLANNED = ''

export interface Compared {
  readonly search: Search
  readonly plannedMs: number
  readonly bestMs: number
  /** What turned off gave the best time. */
  readonly bestWithout: string
  readonly sequentialScans: readonly string[]
}

/** Medians of so many runs each, as planned and with each setting off. */
export async function comparePlans(client: Client, search: Search, runs: number): Promise<Compared> {
  const statement = await searchStatement(search, await totalOf(client, search))
  const plan = await explain(client, statement)
  const plannedMs = await typicalMs(client, statement, runs)
  let [bestMs, bestWithout] = [plannedMs, PLANNED]
  for (const setting of AVOIDABLE) {
    const ms = await withoutSetting(client, setting, plannedMs, () => typicalMs(client, statement, runs))
    if (ms < bestMs) [bestMs, bestWithout] = [ms, setting]
  }
  return { search, plannedMs, bestMs, bestWithout, sequentialScans: sequentialScans(plan.Plan) }
}

/** Some plans take minutes: one that is slower than what was planned is not the best, and need not end. */
async function withoutSetting(client: Client, setting: string, plannedMs: number, work: () => Promise<number>) {
  await client.query(`set ${setting} = off`)
  await client.query(`set statement_timeout = ${Math.ceil(plannedMs * 2 + 20)}`)
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseError && error.code === TIMED_OUT) return Number.POSITIVE_INFINITY
    throw error
  } finally {
    await client.query(`reset ${setting}`)
    await client.query('reset statement_timeout')
  }
}

const TIMED_OUT = '57014'

/** `totalEstimate`: what the cursor of a deep page says. */
export function searchStatement({ query, after }: Search, totalEstimate: number): Promise<Statement> {
  const asked = askedBy(query)
  const place = after && { ...after, totalEstimate, asOf: END_OF_TIME }
  const wanted = { filters: filtersOf(asked), sort: asked.sort, after: place, limit: limitOf(asked) }
  return statementOf((db) => findPage(db, { ...wanted, selection: select('listed', asked) }))
}

/** The parameter that asks for a deep page, as a node with this secret would have given it. */
export function cursorOf({ query, after }: Search, totalEstimate: number, secret: string): string | undefined {
  const asked = askedBy(query)
  const place = after && { ...after, totalEstimate, asOf: isByModified(asked.sort) ? END_OF_TIME : null }
  return place && createCursors([secret]).seal({ endpoint: searchCves.name, filters: normalised(asked) }, place)
}

/** Counted by the first page, which knows no more than that there are many; a cursor holds it. */
export async function totalOf(client: Client, { query, after }: Search): Promise<number> {
  if (!after) return 0
  const { sql, parameters } = await searchStatement({ query }, 0)
  const { rows } = await client.query<FoundRow>(sql, [...parameters])
  return rows[0]?.found ?? 0
}

function askedBy(query: string): Asked {
  const input = readInput(searchCves, { path: {}, query, body: undefined })
  // Earned: these are the parameters of that very endpoint.
  return input.query as Asked
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Subplan Name'?: string
  readonly 'Actual Loops'?: number
  readonly 'Actual Rows'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Plan {
  readonly Plan: PlanNode
  readonly 'Planning Time': number
  readonly 'Execution Time': number
}

async function typicalMs(client: Client, statement: Statement, runs: number): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const plan = await explain(client, statement)
    times.push(plan['Planning Time'] + plan['Execution Time'])
  }
  return median(times)
}

/** Of the statement as it was carried out. */
export async function explain(client: Client, { sql, parameters }: Statement): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(`explain (analyze, timing off, format json) ${sql}`, [
    ...parameters,
  ])
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  return plan
}

/**
 * Tables that were read from end to end. Where counting ended early, hits are common and it is not that; and what is only
 * planned, for the case that all hits must be collected, was not read.
 */
export function sequentialScans(node: PlanNode, parent?: PlanNode): readonly string[] {
  if (node['Actual Loops'] === 0) return []
  const endsEarly = parent?.['Node Type'] === 'Limit' && (parent['Actual Rows'] ?? 0) > MAX_EXACT_TOTAL
  const own = node['Node Type'] === 'Seq Scan' && !endsEarly ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap((child) => sequentialScans(child, node))]
}

/** How often a part of the statement was carried out. */
export function loopsOf(node: PlanNode, subplan: string): number {
  const own = node['Subplan Name'] === subplan ? (node['Actual Loops'] ?? Number.NaN) : 0
  return (node.Plans ?? []).reduce((sum, child) => sum + loopsOf(child, subplan), own)
}
