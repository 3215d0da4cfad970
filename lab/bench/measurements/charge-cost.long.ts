// Measures the cost of a charge: calls one test endpoint with and without a price, in turns, on one node.
import { describe, expect, it } from 'vitest'
import { buildGetRequest, type Connection, openConnection } from '../../../service/test/support/load/connection.ts'
import { percentile } from '../../../service/test/support/load/percentile.ts'
import { buildPricePath } from '../../../service/test/support/price-probes.ts'
import { type PricedService, startPricedService } from './priced-service.ts'

const CONNECTION_COUNT = 64

interface TurnResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly failures: number
}

interface CostReport {
  readonly charged: TurnResult
  readonly uncharged: TurnResult
  readonly throughputRatio: number
  readonly addedP50Ms: number
}

async function measureChargeCost(turns: number, turnMs: number): Promise<CostReport> {
  const service = await startPricedService(CONNECTION_COUNT)
  const connections = await Promise.all(Array.from({ length: CONNECTION_COUNT }, () => openConnection(service.port)))
  const results: Record<'charged' | 'uncharged', TurnResult[]> = { charged: [], uncharged: [] }
  // The first turn is a warm-up and is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    const uncharged = await runTurn(service, connections, 0, turnMs)
    const charged = await runTurn(service, connections, 5, turnMs)
    if (turn === 0) continue
    results.uncharged.push(uncharged)
    results.charged.push(charged)
  }
  for (const connection of connections) connection.close()
  const [charged, uncharged] = [pickMedian(results.charged), pickMedian(results.uncharged)]
  return {
    charged,
    uncharged,
    throughputRatio: Math.round((charged.perSecond / uncharged.perSecond) * 1000) / 1000,
    addedP50Ms: Math.round((charged.p50Ms - uncharged.p50Ms) * 100) / 100,
  }
}

async function runTurn(
  { keys }: PricedService,
  connections: readonly Connection[],
  credits: number,
  ms: number,
): Promise<TurnResult> {
  const [times, end] = [[] as number[], performance.now() + ms]
  let failures = 0
  const loop = async (connection: Connection, key: string) => {
    const request = buildGetRequest(buildPricePath(credits), key)
    while (performance.now() < end) {
      const started = performance.now()
      if ((await connection.send(request)) !== 200) failures += 1
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(connections.map((connection, index) => loop(connection, keys[index] ?? '')))
  const seconds = (performance.now() - started) / 1000
  return { failures, perSecond: Math.round(times.length / seconds), p50Ms: percentile(times, 0.5) }
}

/** Returns the measured turn with the median throughput. Its number of failures is the sum over all turns. */
function pickMedian(results: readonly TurnResult[]): TurnResult {
  const sorted = [...results].sort((a, b) => a.perSecond - b.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('No turn was measured.')
  return { ...middle, failures: results.reduce((sum, { failures }) => sum + failures, 0) }
}

describe('API node: charged calls compared with uncharged calls to the same endpoint', () => {
  it('serves charged calls with at least 0.65 times the uncharged throughput and at most 3 ms more median latency', async () => {
    const report = await measureChargeCost(10, 2000)
    process.stdout.write(`charge cost: ${JSON.stringify(report)}\n`)
    expect(report.charged.failures + report.uncharged.failures).toBe(0)
    expect(report.throughputRatio).toBeGreaterThanOrEqual(0.65)
    expect(report.addedP50Ms).toBeLessThanOrEqual(3)
  })
})
