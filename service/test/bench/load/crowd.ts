// Callers who each ask as soon as they have their answer: a closed loop over keep-alive connections.
import { type Connection, openConnection } from './connection.ts'

interface Slice {
  readonly calls: number
  readonly failures: number
  readonly seconds: number
  /** Of each call, in milliseconds. */
  readonly latencies: readonly number[]
}

export interface Crowd {
  ask(requests: readonly string[], ms: number): Promise<Slice>
  close(): void
}

/** `ports`: one, or several among which the connections are spread. */
export async function openCrowd(ports: readonly number[], size: number): Promise<Crowd> {
  const connections = await Promise.all(
    Array.from({ length: size }, (_, index) => openConnection(ports[index % ports.length] ?? 0)),
  )
  return {
    ask: (requests, ms) => ask(connections, requests, ms),
    close: () => {
      for (const connection of connections) connection.close()
    },
  }
}

/** Each caller walks through the requests from a place of its own. */
async function ask(connections: readonly Connection[], requests: readonly string[], ms: number): Promise<Slice> {
  const [latencies, startedAt] = [[] as number[], performance.now()]
  let failures = 0
  const loop = async (connection: Connection, first: number) => {
    for (let at = first; performance.now() - startedAt < ms; at += 1) {
      const askedAt = performance.now()
      if ((await connection.ask(requests[at % requests.length] ?? '')) !== 200) failures += 1
      latencies.push(performance.now() - askedAt)
    }
  }
  const step = Math.max(1, Math.floor(requests.length / connections.length))
  await Promise.all(connections.map((connection, index) => loop(connection, index * step)))
  return { calls: latencies.length, failures, seconds: (performance.now() - startedAt) / 1000, latencies }
}
