import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 100

/** Waits until the condition is true and returns the waiting time in milliseconds. Throws after `timeoutMs`. */
export async function waitUntil(
  description: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
): Promise<number> {
  const startedAt = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedAt > timeoutMs)
      throw new Error(`This did not happen within ${timeoutMs / 1000} s: ${description}.`)
    await sleep(POLL_INTERVAL_MS)
  }
  return performance.now() - startedAt
}
