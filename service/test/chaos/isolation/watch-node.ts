// Reads figures of a running node and of the database sessions that it uses.
import { Client } from 'pg'
import { readCpuSeconds, readResidentMegabytes } from '../../bench/load/cpu.ts'
import type { SpawnedServer } from '../../support/processes/spawned-server.ts'

const SAMPLE_INTERVAL_MS = 500

export interface PhaseFigures {
  readonly eventLoopP99Ms: number
  readonly eventLoopMaxMs: number
  readonly residentHighest: number
  readonly postgres: number
  readonly node: number
}

/** Reads figures of the node and of PostgreSQL. Each reading covers the time since the reading before it. */
export async function watchNode(databaseUrl: string, node: SpawnedServer) {
  const sessions = await watchSessions(databaseUrl)
  let residents: number[] = []
  const sample = async () => {
    residents.push(readResidentMegabytes(node.pid))
    await sessions.sample()
  }
  let sampling = Promise.resolve()
  const timer = setInterval(() => {
    sampling = sampling.then(sample)
  }, SAMPLE_INTERVAL_MS)
  let last = { at: performance.now(), postgres: 0, node: 0 }
  return {
    readPhase: async (): Promise<PhaseFigures> => {
      await sample()
      const readMetric = await readMetrics(node.opsPort)
      const now = { at: performance.now(), postgres: sessions.readSeconds(), node: readCpuSeconds(node.pid) }
      const [previous, sampled] = [last, residents]
      const seconds = (now.at - previous.at) / 1000
      last = now
      residents = []
      return {
        eventLoopP99Ms: readMetric('nodejs_eventloop_lag_p99_seconds') * 1000,
        eventLoopMaxMs: readMetric('nodejs_eventloop_lag_max_seconds') * 1000,
        residentHighest: Math.max(...sampled),
        postgres: (now.postgres - previous.postgres) / seconds,
        node: (now.node - previous.node) / seconds,
      }
    },
    close: async () => {
      clearInterval(timer)
      await sampling
      await sessions.close()
    },
  }
}

/** Sums the processor time of all sessions of one database. Sessions that end keep the time of their last sample. */
async function watchSessions(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const secondsByPid = new Map<number, number>()
  return {
    sample: async () => {
      const { rows } = await client.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database()',
      )
      for (const { pid } of rows) secondsByPid.set(pid, Math.max(secondsByPid.get(pid) ?? 0, readCpuSeconds(pid)))
    },
    readSeconds: () => [...secondsByPid.values()].reduce((sum, seconds) => sum + seconds, 0),
    close: () => client.end(),
  }
}

/** Reads the metrics of a node. The returned function finds the value of one series, such as `name{label="value"}`. */
export async function readMetrics(opsPort: number): Promise<(series: string) => number> {
  const lines = (await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()).split('\n')
  return (series) => {
    const line = lines.find((each) => each.startsWith(`${series} `))
    if (line === undefined) throw new Error(`The node has no metric ${series}.`)
    return Number(line.slice(series.length + 1))
  }
}
