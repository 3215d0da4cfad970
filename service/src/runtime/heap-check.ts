// Warns about a small heap limit. Deployments limit the heap of an API node (docs/operations.md), and a larger record
// cache needs a larger limit.
import { getHeapStatistics } from 'node:v8'
import type { Log } from '../log.ts'

/** Heap for concurrent expensive requests and 100,000 cached callers, in addition to the record cache. */
const BASE_HEAP_MB = 256

/** Size of V8's young generation in Node 24, 3 × 64 MB, which is included in the heap limit that V8 reports. */
const YOUNG_GENERATION_MB = 192

/** `args` are Node's own arguments. If they set no heap limit, it comes from NODE_OPTIONS or the machine's memory. */
export function warnIfHeapTooSmall(cacheMegabytes: number, log: Log, args: readonly string[] = process.execArgv): void {
  const limitMegabytes = parseHeapLimit(args) ?? readHeapLimit()
  const neededMegabytes = cacheMegabytes + BASE_HEAP_MB
  if (limitMegabytes >= neededMegabytes) return
  log.warn(
    { limitMegabytes, cacheMegabytes, neededMegabytes },
    `heap limit may be too small for CVE_CACHE_MB, and Node exits when the heap is full: start it with node --max-old-space-size=${neededMegabytes}, or lower CVE_CACHE_MB`,
  )
}

/** If there are several limits, the last one counts, as in Node. */
function parseHeapLimit(args: readonly string[]): number | undefined {
  const limits = args.flatMap((arg) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(arg)?.[1] ?? [])
  const last = limits.at(-1)
  return last === undefined ? undefined : Number(last)
}

function readHeapLimit(): number {
  return Math.round(getHeapStatistics().heap_size_limit / 1024 / 1024) - YOUNG_GENERATION_MB
}
