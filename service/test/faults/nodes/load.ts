// Open-loop load: requests start at a constant rate even if answers are slow, so that a stall shows in the latency.
import { Agent } from 'node:http'
import { expect } from 'vitest'
import { call } from './call.ts'

export interface LoadOptions {
  readonly port: number
  readonly key: string
  /** URL paths that the load requests in turn. */
  readonly paths: readonly string[]
  readonly perSecond: number
}

export interface LoadReport {
  readonly sent: number
  /** One line for every request that was not answered with 200. */
  readonly failures: readonly string[]
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Load {
  /** Starts no further requests and waits until the requests in flight are answered. */
  stop(): Promise<LoadReport>
}

const TICK_MS = 5

export function startLoad({ port, key, paths, perSecond }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const startedAt = performance.now()
  const inFlight: Promise<void>[] = []
  const failures: string[] = []
  const latenciesMs: number[] = []
  const send = async (path: string): Promise<void> => {
    // Latency is measured from the time at which a request is sent, not from the time at which it was due. Requests do
    // not wait for each other, so the two times differ only by the delay of the test's own timer.
    const sentAt = performance.now()
    const failure = await call({ port, path, agent, headers: { 'X-API-Key': key } }).then(
      ({ status, body }) => (status === 200 ? undefined : `${status} ${body}`),
      (error: unknown) => String(error),
    )
    latenciesMs.push(performance.now() - sentAt)
    if (failure !== undefined) failures.push(`${secondsSince(startedAt)} s: GET ${path}: ${failure}`)
  }
  const ticker = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1000)
    for (let n = inFlight.length; n < due; n++) inFlight.push(send(paths[n % paths.length] ?? '/'))
  }, TICK_MS)
  return {
    stop: async () => {
      clearInterval(ticker)
      await Promise.all(inFlight)
      agent.destroy()
      const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
      return { sent: inFlight.length, failures, p50Ms, p99Ms }
    },
  }
}

/**
 * Formats the number of failed requests and the first five failures, because thousands of lines would be unreadable.
 */
export function expectNoFailure({ failures }: LoadReport): void {
  expect({ failed: failures.length, first: failures.slice(0, 5) }).toEqual({ failed: 0, first: [] })
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(2)
}
