// Benchmark sections search and tenfold: run a mix of typical searches, one search at a time. Section search compares
// the endpoint with its SQL statement, under the plan that PostgreSQL chooses and under the best plan found; section
// tenfold compares a catalog of ten times the size with the usual one.
import type { Client } from 'pg'
import { growCatalog } from '../../../service/test/support/generator/grow-catalog.ts'
import { buildGetRequest, type Connection, openConnection } from '../../../service/test/support/load/connection.ts'
import { median, percentile } from '../../../service/test/support/load/percentile.ts'
import type { Statement } from '../../../service/test/support/search/capture-statement.ts'
import {
  captureSearch,
  comparePlans,
  connectToSearch,
  encodeCursor,
  readTotal,
  SEARCH_MIX,
  type Search,
} from '../../../service/test/support/search/search-mix.ts'
import { addCallers } from '../callers.ts'
import { getDatabaseName } from '../databases.ts'
import { toRatio } from '../figures.ts'
import { type AlternatingTimes, measureAlternately } from '../load/measure-alternately.ts'
import { computeSpread, measureInTurns, type Ratio, type Side } from '../load/measure-in-turns.ts'
import { type Bench, type Section, summariseSides } from '../section.ts'
import { CURSOR_SECRET } from '../setup.ts'

/** Durations of one search on all sides of a comparison, measured in turns. */
type SearchTimes<Side extends string> = AlternatingTimes<Side> & { readonly search: Search }

const mergeTimes = <Side extends string>(times: readonly SearchTimes<Side>[], side: Side) =>
  times.flatMap((each) => each[side])

type SearchSide = 'statement' | 'bestPlan' | 'endpoint'

export const search: Section = async (bench) => {
  const { setup } = bench
  const [caller] = await addCallers(setup.accountsUrl, 1, 'enterprise')
  const server = await setup.serve()
  const connection = await openConnection(server.port)
  const client = await connectToSearch(setup.url)
  const times: SearchTimes<SearchSide>[] = []
  const calls: (() => Promise<void>)[] = []
  for (const each of SEARCH_MIX) {
    const { bestWithout } = await comparePlans(client, each, bench.isQuick ? 1 : 3)
    const total = await readTotal(client, each)
    const statements = await captureSearch(client, each)
    const endpoint = createCaller(connection, buildPath(each, total), caller?.key ?? '')
    const statement = () => runAll(client, statements)
    const bestPlan = await connectWithout(setup.url, bestWithout)
    const works = { statement, bestPlan: () => runAll(bestPlan, statements), endpoint }
    times.push({ search: each, ...(await measureAlternately(works, getRounds(bench))) })
    await bestPlan.end()
    calls.push(endpoint)
  }
  const sides = await measurePrice(bench, calls, server.pid)
  connection.close()
  await client.end()
  await server.stop()
  return {
    measured: [
      { figure: 'searchAddedMs', ratio: computeAddedMs(times) },
      { figure: 'searchP99', ratio: computePercentileRatio(times, { ours: 'endpoint', others: 'bestPlan' }, 0.99) },
    ],
    sides,
    notes: formatSearchTimes(times),
  }
}

function formatSearchTimes(times: readonly SearchTimes<SearchSide>[]): readonly string[] {
  const [endpoint, statement, bestPlan] = (['endpoint', 'statement', 'bestPlan'] as const).map((side) =>
    formatPercentiles(mergeTimes(times, side)),
  )
  const slowest = times.toSorted((a, b) => median(b.endpoint) - median(a.endpoint))[0]
  return [
    `Search mix through the API: ${endpoint}; the SQL statements alone: ${statement}; with the best plans found: ${bestPlan}`,
    `The slowest search of the mix was ${slowest?.search.query} with ${median(slowest?.endpoint ?? []).toFixed(1)} ms`,
  ]
}

async function runAll(client: Client, statements: readonly Statement[]): Promise<void> {
  for (const { sql, parameters } of statements) await client.query(sql, [...parameters])
}

/** Opens a second session, in which one plan setting of PostgreSQL may be off, so that sessions need no switching. */
async function connectWithout(url: string, setting: string) {
  const client = await connectToSearch(url)
  if (setting !== '') await client.query(`set ${setting} = off`)
  return client
}

/** Computes the time that the endpoint adds to its SQL statement: the median over all searches, for each round. */
function computeAddedMs(times: readonly SearchTimes<SearchSide>[]): Ratio {
  const rounds = Math.min(...times.map(({ endpoint }) => endpoint.length))
  return computeSpread(
    Array.from({ length: rounds }, (_, round) =>
      median(times.map(({ endpoint, statement }) => (endpoint[round] ?? 0) - (statement[round] ?? 0))),
    ),
  )
}

/** Measures the processor time of a search through the API, averaged over the mix: all searches once, one at a time. */
async function measurePrice({ setup }: Bench, calls: readonly (() => Promise<void>)[], pid: number) {
  const side: Side = {
    name: 'search',
    pids: [pid],
    run: async () => {
      const startedAt = performance.now()
      for (const call of calls) await call()
      return { calls: calls.length, seconds: (performance.now() - startedAt) / 1000 }
    },
  }
  const turns = await measureInTurns([side], { turns: 3, warmUpTurns: 0, sliceMs: 0 }, setup.sharedCpu)
  return summariseSides('search mix', turns)
}

export const tenfold: Section = async (bench) => {
  const { setup } = bench
  const large = await openGrownCatalog(bench)
  const [caller] = await addCallers(setup.accountsUrl, 1, 'enterprise')
  const servers = [await setup.serve(), await setup.serve({ DATABASE_URL: large })] as const
  const [usual, grown] = await Promise.all(servers.map(({ port }) => openConnection(port)))
  const [usualClient, grownClient] = [await connectToSearch(setup.url), await connectToSearch(large)]
  const times: SearchTimes<'usual' | 'grown'>[] = []
  const timedOut = new Set<string>()
  for (const each of SEARCH_MIX) {
    if (!usual || !grown) break
    const onUsual = createCaller(usual, buildPath(each, await readTotal(usualClient, each)), caller?.key ?? '')
    // A search that times out is counted with the timeout as its duration and is listed in the benchmark report.
    const grownPath = buildPath(each, await readTotal(grownClient, each))
    const onGrown = createCaller(grown, grownPath, caller?.key ?? '', () => timedOut.add(each.query))
    times.push({ search: each, ...(await measureAlternately({ usual: onUsual, grown: onGrown }, getRounds(bench))) })
  }
  usual?.close()
  grown?.close()
  for (const client of [usualClient, grownClient]) await client.end()
  await Promise.all(servers.map((server) => server.stop()))
  const worst = times.toSorted((a, b) => median(b.grown) - median(a.grown))[0]
  const sides = { ours: 'grown', others: 'usual' } as const
  return {
    measured: [
      { figure: 'tenfoldP50', ratio: computePercentileRatio(times, sides, 0.5) },
      { figure: 'tenfoldP95', ratio: computePercentileRatio(times, sides, 0.95) },
      { figure: 'tenfoldWorstMs', ratio: toRatio(median(worst?.grown ?? [])) },
    ],
    notes: [
      `Search mix with ten times the data: ${formatPercentiles(mergeTimes(times, 'grown'))}; with the usual data: ${formatPercentiles(mergeTimes(times, 'usual'))}`,
      `The slowest search with ten times the data was ${worst?.search.query}`,
      ...[...timedOut].map((query) => `With ten times the data, the search ${query} timed out at least once`),
    ],
  }
}

/**
 * Opens the catalog that was multiplied to ten times its size. With `GROWN_CATALOG=<database>`, the catalog is kept for
 * later runs, because creating it is slow.
 */
async function openGrownCatalog({ setup }: Bench): Promise<string> {
  const keptName = process.env['GROWN_CATALOG']
  if (keptName !== undefined) {
    return setup.openKeptDatabase(keptName, getDatabaseName(setup.url), (url) => growCatalog(url, FACTOR))
  }
  const large = await setup.createDatabase('tenfold', getDatabaseName(setup.url))
  await growCatalog(large, FACTOR)
  return large
}

const FACTOR = 10

const TIMEOUT_STATUS = 503

const getRounds = ({ isQuick }: Bench) => (isQuick ? 3 : 7)

/**
 * Compares a latency percentile over all searches between the two sides. One ratio is computed per round, so that the
 * spread between rounds is visible.
 */
function computePercentileRatio<Side extends string>(
  times: readonly SearchTimes<Side>[],
  { ours, others }: Readonly<Record<'ours' | 'others', Side>>,
  part: number,
): Ratio {
  const rounds = Math.min(...times.map((each) => each[ours].length))
  const computeFor = (side: Side, round: number) =>
    percentile(
      times.map((each) => each[side][round] ?? 0),
      part,
    )
  return computeSpread(
    Array.from({ length: rounds }, (_, round) => computeFor(ours, round) / computeFor(others, round)),
  )
}

/** Builds the URL path of a search. `total` is the number of all hits, which the cursor of a deep page contains. */
function buildPath(search: Search, total: number): string {
  const after = encodeCursor(search, total, CURSOR_SECRET)
  return `/api/v1/cves?${[search.query, ...(after === undefined ? [] : [`after=${after}`])].join('&')}`
}

function createCaller(connection: Connection, path: string, key: string, onTimeout?: () => void): () => Promise<void> {
  const request = buildGetRequest(path, key)
  return async () => {
    const status = await connection.send(request)
    if (status === TIMEOUT_STATUS && onTimeout) return onTimeout()
    if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  }
}

function formatPercentiles(times: readonly number[]): string {
  return [50, 95, 99].map((part) => `p${part} ${percentile(times, part / 100).toFixed(1)} ms`).join(', ')
}
