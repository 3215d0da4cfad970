// Deployments bound the heap of a node (docs/operations.md). Whoever gives more to the cache must raise that bound with it.
import type { Log } from '../log.ts'

/** The hardest calls at once, and the keys of 100,000 callers. */
const BESIDE_THE_CACHE_MB = 256

/** `args`: what Node was started with. Without a bound V8 chooses by the memory of the machine, and nothing is said. */
export function warnOfSmallHeap(cacheMegabytes: number, log: Log, args: readonly string[] = process.execArgv): void {
  const boundMegabytes = boundIn(args)
  const neededMegabytes = cacheMegabytes + BESIDE_THE_CACHE_MB
  if (boundMegabytes === undefined || boundMegabytes >= neededMegabytes) return
  log.warn(
    { boundMegabytes, cacheMegabytes, neededMegabytes },
    `The heap may be too small for CVE_CACHE_MB, and a node whose heap is full ends: start it with node --max-old-space-size=${neededMegabytes}, or lower CVE_CACHE_MB.`,
  )
}

/** The last one counts, as it does for Node. */
function boundIn(args: readonly string[]): number | undefined {
  const bounds = args.flatMap((each) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(each)?.[1] ?? [])
  const last = bounds.at(-1)
  return last === undefined ? undefined : Number(last)
}
