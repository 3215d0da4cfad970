// A worker thread that holds the sockets of all slow clients, so that they do not delay the normal client whose latency
// is measured.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import {
  openSlowSocket,
  SLOW_KINDS,
  type SlowEnd,
  type SlowKind,
  type SlowTarget,
} from '../../../service/test/faults/nodes/slow-socket.ts'

export interface SlowClientsPlan {
  readonly counts: Readonly<Record<SlowKind, number>>
  /**
   * Rate at which slow clients connect. The rate is low enough not to fill the server's listen backlog; otherwise the
   * test would measure the kernel's connection retries.
   */
  readonly openedPerSecond: number
}

const { plan, target }: { plan: SlowClientsPlan; target: SlowTarget } = workerData
const ends = await openAll(plan, target)
post('all are open')
post(await Promise.all(ends))
// Keeps the worker and its sockets alive until the test terminates the worker.
setInterval(() => {}, 60_000)

function post(message: unknown): void {
  parentPort?.postMessage(message, [])
}

async function openAll({ counts, openedPerSecond }: SlowClientsPlan, target: SlowTarget): Promise<Promise<SlowEnd>[]> {
  const startedAt = performance.now()
  const ends: Promise<SlowEnd>[] = []
  for (const kind of mixEvenly(counts)) {
    const dueInMs = startedAt + (ends.length * 1000) / openedPerSecond - performance.now()
    if (dueInMs > 1) await sleep(dueInMs)
    ends.push(openSlowSocket(kind, target))
  }
  return ends
}

function mixEvenly(counts: SlowClientsPlan['counts']): SlowKind[] {
  return SLOW_KINDS.flatMap((kind) =>
    Array.from({ length: counts[kind] }, (_, n) => ({ kind, position: n / counts[kind] })),
  )
    .toSorted((a, b) => a.position - b.position)
    .map(({ kind }) => kind)
}
