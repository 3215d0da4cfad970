// Concurrent callers over keep-alive connections in a closed loop: each caller sends its next request after the
// previous answer.
import { type Connection, openConnection } from '../../../service/test/support/load/connection.ts'

interface LoadResult {
  readonly calls: number
  readonly failures: number
  readonly seconds: number
  /** Latency of each call in milliseconds. */
  readonly latencies: readonly number[]
}

export interface CallerPool {
  /** Sends the given requests in turn for `ms` milliseconds. */
  run(requests: readonly string[], ms: number): Promise<LoadResult>
  close(): void
}

/** Opens `size` connections, which are distributed over the given server ports. */
export async function openCallerPool(ports: readonly number[], size: number): Promise<CallerPool> {
  const connections = await Promise.all(
    Array.from({ length: size }, (_, index) => openConnection(ports[index % ports.length] ?? 0)),
  )
  return {
    run: (requests, ms) => runLoad(connections, requests, ms),
    close: () => {
      for (const connection of connections) connection.close()
    },
  }
}

/** Each caller sends the given requests in turn and starts at a different position in the list of requests. */
async function runLoad(
  connections: readonly Connection[],
  requests: readonly string[],
  ms: number,
): Promise<LoadResult> {
  const [latencies, startedAt] = [[] as number[], performance.now()]
  let failures = 0
  const loop = async (connection: Connection, first: number) => {
    for (let index = first; performance.now() - startedAt < ms; index += 1) {
      const sentAt = performance.now()
      if ((await connection.send(requests[index % requests.length] ?? '')) !== 200) failures += 1
      latencies.push(performance.now() - sentAt)
    }
  }
  const step = Math.max(1, Math.floor(requests.length / connections.length))
  await Promise.all(connections.map((connection, index) => loop(connection, index * step)))
  return { calls: latencies.length, failures, seconds: (performance.now() - startedAt) / 1000, latencies }
}
