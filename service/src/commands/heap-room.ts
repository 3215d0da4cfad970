// Deployments bound the heap of a node (docs/operations.md). Whoever gives more to the cache must raise that bound with it.
import { getHeapStatistics } from 'node:v8'
import type { Log } from '../log.ts'

/** The hardest calls at once, and the keys of 100,000 callers. */
const BESIDE_THE_CACHE_MB = 250

export function warnOfSmallHeap(cacheMegabytes: number, log: Log, heapMegabytes = heapLimit()): void {
  const neededMegabytes = cacheMegabytes + BESIDE_THE_CACHE_MB
  if (heapMegabytes >= neededMegabytes) return
  log.warn(
    { heapMegabytes, cacheMegabytes, neededMegabytes },
    `The heap may be too small for CVE_CACHE_MB, and a node whose heap is full ends: start it with node --max-old-space-size=${neededMegabytes}, or lower CVE_CACHE_MB.`,
  )
}

function heapLimit(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / 1024 / 1024)
}
