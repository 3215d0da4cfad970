// The mix of searches, one at a time: the endpoint against its statement by the best plan that PostgreSQL can be talked
// into, and against the same endpoint on ten times the data.
import { growCatalog } from '../data/grow-catalog.ts'
import { single } from '../figures.ts'
import { type Connection, openConnection, requestText } from '../load/connection.ts'
import { type InTurns, inTurns } from '../load/in-turns.ts'
import { median, percentile } from '../load/percentile.ts'
import {
  comparePlans,
  connectToSearch,
  cursorOf,
  SEARCH_MIX,
  type Search,
  searchStatement,
  totalOf,
} from '../search-mix.ts'
import type { Bench, Section } from '../section.ts'
import { CURSOR_SECRET, nameOf } from '../world.ts'

/** Of the same search, by each side in turns. */
interface Times extends InTurns {
  readonly search: Search
}

const all = (times: readonly Times[], side: 'ours' | 'others') => times.flatMap((each) => each[side])

export const search: Section = async (bench) => {
  const { world } = bench
  const [caller] = await world.addCallers(world.url, 1, 'enterprise')
  const server = await world.serve()
  const connection = await openConnection(server.port)
  const client = await connectToSearch(world.url)
  const times: Times[] = []
  for (const each of SEARCH_MIX) {
    const { bestWithout } = await comparePlans(client, each, bench.isQuick ? 1 : 3)
    const total = await totalOf(client, each)
    const statement = await searchStatement(each, total)
    const ask = asker(connection, pathOf(each, total), caller?.key ?? '')
    const query = async () => {
      await client.query(statement.sql, [...statement.parameters])
    }
    if (bestWithout) await client.query(`set ${bestWithout} = off`)
    times.push({ search: each, ...(await inTurns(ask, query, roundsOf(bench))) })
    if (bestWithout) await client.query(`reset ${bestWithout}`)
  }
  connection.close()
  await client.end()
  await server.stop()
  const slowest = times.toSorted((a, b) => median(b.ours) - median(a.ours))[0]
  return {
    measured: [
      { figure: 'searchMedian', ratio: ratios(times, 0.5) },
      { figure: 'searchP99', ratio: ratios(times, 0.99) },
    ],
    remarks: [
      `search mix: ${summary(all(times, 'ours'))}; by the best plans ${summary(all(times, 'others'))}`,
      `slowest search: ${slowest?.search.query}, ${median(slowest?.ours ?? []).toFixed(1)} ms`,
    ],
  }
}

export const tenfold: Section = async (bench) => {
  const { world } = bench
  const large = await grownCatalog(bench)
  const callers = [await world.addCallers(world.url, 1, 'enterprise'), await world.addCallers(large, 1, 'enterprise')]
  const servers = [await world.serve(), await world.serve({ DATABASE_URL: large })] as const
  const [usual, grown] = await Promise.all(servers.map(({ port }) => openConnection(port)))
  const [usualClient, grownClient] = [await connectToSearch(world.url), await connectToSearch(large)]
  const times: Times[] = []
  const unfinished = new Set<string>()
  for (const each of SEARCH_MIX) {
    if (!usual || !grown) break
    const onUsual = asker(usual, pathOf(each, await totalOf(usualClient, each)), callers[0]?.[0]?.key ?? '')
    // One that is ended by the timeout counts with the time that this took, and is named.
    const grownPath = pathOf(each, await totalOf(grownClient, each))
    const onGrown = asker(grown, grownPath, callers[1]?.[0]?.key ?? '', () => unfinished.add(each.query))
    times.push({ search: each, ...(await inTurns(onGrown, onUsual, roundsOf(bench))) })
  }
  usual?.close()
  grown?.close()
  for (const client of [usualClient, grownClient]) await client.end()
  await Promise.all(servers.map((server) => server.stop()))
  const worst = times.toSorted((a, b) => median(b.ours) - median(a.ours))[0]
  return {
    measured: [
      { figure: 'tenfoldP50', ratio: ratios(times, 0.5) },
      { figure: 'tenfoldP95', ratio: ratios(times, 0.95) },
      { figure: 'tenfoldWorstMs', ratio: single(median(worst?.ours ?? [])) },
    ],
    remarks: [
      `ten times the data: ${summary(all(times, 'ours'))}; before ${summary(all(times, 'others'))}`,
      `slowest search on ten times the data: ${worst?.search.query}`,
      ...[...unfinished].map((query) => `did not end in time at least once on ten times the data: ${query}`),
    ],
  }
}

/** Growing takes longer than everything else: `GROWN_CATALOG=<database>` is made once and then used again. */
async function grownCatalog({ world }: Bench): Promise<string> {
  const kept = process.env['GROWN_CATALOG']
  if (kept !== undefined) return world.keptDatabase(kept, (url) => growCatalog(url, FACTOR))
  const large = await world.database('tenfold', nameOf(world.url))
  await growCatalog(large, FACTOR)
  return large
}

const FACTOR = 10

const TIMED_OUT = 503

const roundsOf = ({ isQuick }: Bench) => (isQuick ? 3 : 7)

/** Percentiles over the mix, of every round for itself, so that their spread is seen. */
function ratios(times: readonly Times[], part: number) {
  const rounds = Math.min(...times.map(({ ours }) => ours.length))
  const values = Array.from({ length: rounds }, (_, round) => {
    const of = (side: 'ours' | 'others') =>
      percentile(
        times.map((each) => each[side][round] ?? 0),
        part,
      )
    return of('ours') / of('others')
  })
  return { value: median(values), least: Math.min(...values), greatest: Math.max(...values) }
}

/** `total`: what the cursor of a deep page says. */
function pathOf(wanted: Search, total: number): string {
  const after = cursorOf(wanted, total, CURSOR_SECRET)
  return `/api/v1/cves?${[wanted.query, ...(after === undefined ? [] : [`after=${after}`])].join('&')}`
}

function asker(connection: Connection, path: string, key: string, onTimeout?: () => void): () => Promise<void> {
  const request = requestText(path, key)
  return async () => {
    const status = await connection.ask(request)
    if (status === TIMED_OUT && onTimeout) return onTimeout()
    if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  }
}

function summary(times: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times, part).toFixed(1))
  return `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`
}
