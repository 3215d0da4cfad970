// Benchmark sections search and tenfold: run a mix of typical searches, one search at a time. Section search compares
// the endpoint with its SQL statement under the best plan found; section tenfold compares a catalog of ten times the
// size with the usual one.
import { growCatalog } from '../data/grow-catalog.ts'
import { toRatio } from '../figures.ts'
import { buildGetRequest, type Connection, openConnection } from '../load/connection.ts'
import { type AlternatingTimes, measureAlternately } from '../load/measure-alternately.ts'
import { median, percentile } from '../load/percentile.ts'
import {
  captureSearchStatement,
  comparePlans,
  connectToSearch,
  encodeCursor,
  readTotal,
  SEARCH_MIX,
  type Search,
} from '../search/search-mix.ts'
import type { Bench, Section } from '../section.ts'
import { CURSOR_SECRET, getDatabaseName } from '../setup.ts'

/** Durations of one search on both sides of a comparison, measured in turns. */
interface SearchTimes extends AlternatingTimes {
  readonly search: Search
}

const mergeTimes = (times: readonly SearchTimes[], side: 'ours' | 'others') => times.flatMap((each) => each[side])

export const search: Section = async (bench) => {
  const { setup } = bench
  const [caller] = await setup.addCallers(setup.url, 1, 'enterprise')
  const server = await setup.serve()
  const connection = await openConnection(server.port)
  const client = await connectToSearch(setup.url)
  const times: SearchTimes[] = []
  for (const each of SEARCH_MIX) {
    const { bestWithout } = await comparePlans(client, each, bench.isQuick ? 1 : 3)
    const total = await readTotal(client, each)
    const statement = await captureSearchStatement(each, total)
    const callEndpoint = createCaller(connection, buildPath(each, total), caller?.key ?? '')
    const runStatement = async () => {
      await client.query(statement.sql, [...statement.parameters])
    }
    if (bestWithout) await client.query(`set ${bestWithout} = off`)
    times.push({ search: each, ...(await measureAlternately(callEndpoint, runStatement, getRounds(bench))) })
    if (bestWithout) await client.query(`reset ${bestWithout}`)
  }
  connection.close()
  await client.end()
  await server.stop()
  const slowest = times.toSorted((a, b) => median(b.ours) - median(a.ours))[0]
  return {
    measured: [
      { figure: 'searchMedian', ratio: computePercentileRatio(times, 0.5) },
      { figure: 'searchP99', ratio: computePercentileRatio(times, 0.99) },
    ],
    notes: [
      `search mix: ${formatPercentiles(mergeTimes(times, 'ours'))}; with the best plans ${formatPercentiles(mergeTimes(times, 'others'))}`,
      `slowest search: ${slowest?.search.query}, ${median(slowest?.ours ?? []).toFixed(1)} ms`,
    ],
  }
}

export const tenfold: Section = async (bench) => {
  const { setup } = bench
  const large = await openGrownCatalog(bench)
  const callers = [await setup.addCallers(setup.url, 1, 'enterprise'), await setup.addCallers(large, 1, 'enterprise')]
  const servers = [await setup.serve(), await setup.serve({ DATABASE_URL: large })] as const
  const [usual, grown] = await Promise.all(servers.map(({ port }) => openConnection(port)))
  const [usualClient, grownClient] = [await connectToSearch(setup.url), await connectToSearch(large)]
  const times: SearchTimes[] = []
  const timedOut = new Set<string>()
  for (const each of SEARCH_MIX) {
    if (!usual || !grown) break
    const onUsual = createCaller(usual, buildPath(each, await readTotal(usualClient, each)), callers[0]?.[0]?.key ?? '')
    // A search that times out is counted with the timeout as its duration and is listed in the benchmark report.
    const grownPath = buildPath(each, await readTotal(grownClient, each))
    const onGrown = createCaller(grown, grownPath, callers[1]?.[0]?.key ?? '', () => timedOut.add(each.query))
    times.push({ search: each, ...(await measureAlternately(onGrown, onUsual, getRounds(bench))) })
  }
  usual?.close()
  grown?.close()
  for (const client of [usualClient, grownClient]) await client.end()
  await Promise.all(servers.map((server) => server.stop()))
  const worst = times.toSorted((a, b) => median(b.ours) - median(a.ours))[0]
  return {
    measured: [
      { figure: 'tenfoldP50', ratio: computePercentileRatio(times, 0.5) },
      { figure: 'tenfoldP95', ratio: computePercentileRatio(times, 0.95) },
      { figure: 'tenfoldWorstMs', ratio: toRatio(median(worst?.ours ?? [])) },
    ],
    notes: [
      `ten times the data: ${formatPercentiles(mergeTimes(times, 'ours'))}; usual data ${formatPercentiles(mergeTimes(times, 'others'))}`,
      `slowest search on ten times the data: ${worst?.search.query}`,
      ...[...timedOut].map((query) => `timed out at least once on ten times the data: ${query}`),
    ],
  }
}

/**
 * Opens the catalog that was multiplied to ten times its size. With `GROWN_CATALOG=<database>`, the catalog is kept for
 * later runs, because creating it is slow.
 */
async function openGrownCatalog({ setup }: Bench): Promise<string> {
  const keptName = process.env['GROWN_CATALOG']
  if (keptName !== undefined) return setup.openKeptDatabase(keptName, (url) => growCatalog(url, FACTOR))
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
function computePercentileRatio(times: readonly SearchTimes[], part: number) {
  const rounds = Math.min(...times.map(({ ours }) => ours.length))
  const values = Array.from({ length: rounds }, (_, round) => {
    const computeFor = (side: 'ours' | 'others') =>
      percentile(
        times.map((each) => each[side][round] ?? 0),
        part,
      )
    return computeFor('ours') / computeFor('others')
  })
  return { value: median(values), min: Math.min(...values), max: Math.max(...values) }
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
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times, part).toFixed(1))
  return `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`
}
