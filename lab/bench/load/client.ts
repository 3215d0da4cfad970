// The client that sends HTTP requests to a side of a comparison: wrk, or a client in Node.js if wrk is missing.
import { openCallerPool } from './caller-pool.ts'
import { createWrkClient, findWrk } from './wrk.ts'

export interface LoadResult {
  readonly calls: number
  readonly failures: number
  readonly seconds: number
}

export interface Load {
  /** Sends the prepared requests in turn for `ms` milliseconds. Each caller waits for an answer before its next call. */
  run(ms: number): Promise<LoadResult>
  close(): void
}

export interface LoadClient {
  readonly name: 'wrk' | 'Node.js'
  prepare(port: number, callers: number, requests: readonly string[]): Promise<Load>
}

const NODE_CLIENT: LoadClient = {
  name: 'Node.js',
  prepare: async (port, callers, requests) => {
    const pool = await openCallerPool([port], callers)
    return { run: (ms) => pool.run(requests, ms), close: pool.close }
  },
}

export function chooseClient(folder: string): LoadClient {
  const wrk = findWrk(process.env['WRK'], process.env['PATH'])
  if (wrk !== undefined) return createWrkClient(wrk, folder)
  process.stderr.write(
    'wrk is neither on PATH nor named by WRK (on Debian: apt-get install wrk). A client in Node.js replaces it. ' +
      'This client limits the baseline F, so limits of figures against F are not checked and --write is refused.\n',
  )
  return NODE_CLIENT
}
