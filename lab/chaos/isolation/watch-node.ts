// Reads figures of a running node and of the database sessions that it uses.
import { Client } from 'pg'
import { readCpuSeconds, readPeakMegabytes } from '../../../service/test/support/load/cpu.ts'
import type { SpawnedServer } from '../../../service/test/support/processes/spawned-server.ts'

const SAMPLE_INTERVAL_MS = 500

export interface PhaseFigures {
  readonly eventLoopP99Ms: number
  readonly eventLoopMaxMs: number
  /** Highest memory of the process since it started. */
  readonly residentHighest: number
  readonly postgres: number
  readonly node: number
}

/** Reads figures of the node and of PostgreSQL. Each reading covers the time since the reading before it. */
export async function watchNode(databaseUrl: string, node: SpawnedServer) {
  const sessions = await watchSessions(databaseUrl)
  let sampling = Promise.resolve()
  const timer = setInterval(() => {
    sampling = sampling.then(sessions.sample)
  }, SAMPLE_INTERVAL_MS)
  let last = { at: performance.now(), postgres: 0, node: 0 }
  return {
    readPhase: async (): Promise<PhaseFigures> => {
      await sessions.sample()
      const readMetric = await readMetrics(node.opsPort)
      const now = { at: performance.now(), postgres: sessions.readSeconds(), node: readCpuSeconds(node.pid) }
      const previous = last
      const seconds = (now.at - previous.at) / 1000
      last = now
      return {
        eventLoopP99Ms: readMetric('nodejs_eventloop_lag_p99_seconds') * 1000,
        eventLoopMaxMs: readMetric('nodejs_eventloop_lag_max_seconds') * 1000,
        residentHighest: readPeakMegabytes(node.pid),
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
