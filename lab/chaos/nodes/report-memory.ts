// Preloaded into a process with `node --import`: after SIGUSR2, the process collects all garbage and prints what is left.
// Needs the argument --expose-gc of Node.js.
import { writeSync } from 'node:fs'

const STDERR = 2

process.on('SIGUSR2', () => {
  // The second collection frees what the finalizers of the first one have released.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().length
  writeSync(STDERR, `${JSON.stringify({ msg: 'memory', leftBytes: heapUsed + external, rss, resources })}\n`)
})
