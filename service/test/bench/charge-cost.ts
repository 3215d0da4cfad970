// What a charge costs: the same probe with and without a price, in turns, on one node, in one run.
import { pathOfPrice } from '../support/price-probes.ts'
import { type Connection, openConnection, requestText } from './load/connection.ts'
import { percentile } from './load/percentile.ts'
import { type PricedService, pricedService } from './priced-service.ts'

const CONNECTIONS = 64

interface Slice {
  readonly perSecond: number
  readonly p50Ms: number
  readonly failures: number
}

export interface CostReport {
  readonly charged: Slice
  readonly uncharged: Slice
  readonly throughputRatio: number
  readonly addedP50Ms: number
}

export async function costOfCharging(turns: number, sliceMs: number): Promise<CostReport> {
  const service = await pricedService(CONNECTIONS)
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(service.port)))
  const slices: Record<'charged' | 'uncharged', Slice[]> = { charged: [], uncharged: [] }
  // The first pair warms up and is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    const uncharged = await slice(service, connections, 0, sliceMs)
    const charged = await slice(service, connections, 5, sliceMs)
    if (turn === 0) continue
    slices.uncharged.push(uncharged)
    slices.charged.push(charged)
  }
  for (const connection of connections) connection.close()
  const [charged, uncharged] = [typical(slices.charged), typical(slices.uncharged)]
  return {
    charged,
    uncharged,
    throughputRatio: Math.round((charged.perSecond / uncharged.perSecond) * 1000) / 1000,
    addedP50Ms: Math.round((charged.p50Ms - uncharged.p50Ms) * 100) / 100,
  }
}

async function slice(
  { keys }: PricedService,
  connections: readonly Connection[],
  credits: number,
  ms: number,
): Promise<Slice> {
  const [times, end] = [[] as number[], performance.now() + ms]
  let failures = 0
  const loop = async (connection: Connection, key: string) => {
    const request = requestText(pathOfPrice(credits), key)
    while (performance.now() < end) {
      const started = performance.now()
      if ((await connection.ask(request)) !== 200) failures += 1
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(connections.map((connection, index) => loop(connection, keys[index] ?? '')))
  const seconds = (performance.now() - started) / 1000
  return { failures, perSecond: Math.round(times.length / seconds), p50Ms: percentile(times, 0.5) }
}

/** The median slice: one that was disturbed does not count. */
function typical(slices: readonly Slice[]): Slice {
  const sorted = [...slices].sort((a, b) => a.perSecond - b.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return { ...middle, failures: slices.reduce((sum, { failures }) => sum + failures, 0) }
}
