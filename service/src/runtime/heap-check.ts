// Warns about a small heap limit. Deployments limit the heap of an API node (docs/operations.md), and a larger record
// cache needs a larger limit.
import { getHeapStatistics } from 'node:v8'
import type { Log } from '../log.ts'

/** For concurrent expensive requests and 100,000 cached callers, in addition to the record cache. */
const BASE_HEAP_MB = 256

/** Size of V8's young generation in Node 24, which V8's own figure of the heap limit includes: 3 × 64 MB. */
const YOUNG_GENERATION_MB = 192

/** `args` are Node's own arguments. Without a limit in them, NODE_OPTIONS or the machine's memory set it. */
export function warnIfHeapTooSmall(cacheMegabytes: number, log: Log, args: readonly string[] = process.execArgv): void {
  const limitMegabytes = parseHeapLimit(args) ?? readHeapLimit()
  const neededMegabytes = cacheMegabytes + BASE_HEAP_MB
  if (limitMegabytes >= neededMegabytes) return
  log.warn(
    { limitMegabytes, cacheMegabytes, neededMegabytes },
    `heap limit may be too small for CVE_CACHE_MB, and Node exits when the heap is full: start it with node --max-old-space-size=${neededMegabytes}, or lower CVE_CACHE_MB`,
  )
}

/** Node also uses the last limit. */
function parseHeapLimit(args: readonly string[]): number | undefined {
  const limits = args.flatMap((arg) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(arg)?.[1] ?? [])
  const last = limits.at(-1)
  return last === undefined ? undefined : Number(last)
}

function readHeapLimit(): number {
  return Math.round(getHeapStatistics().heap_size_limit / 1024 / 1024) - YOUNG_GENERATION_MB
}
