import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100

/** Waits for something that will be so; how long it took, in ms. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, atMostMs: number): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > atMostMs) throw new Error(`not within ${atMostMs / 1000} s: ${what}`)
    await sleep(PAUSE_MS)
  }
  return performance.now() - startedAt
}
