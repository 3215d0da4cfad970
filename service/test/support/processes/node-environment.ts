import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CLOSED_NETWORK = new URL('../network/closed-network.ts', import.meta.url)

/**
 * Environment variables for the Node processes that tests start. The processes cannot reach any other machine. They
 * share compiled code from their first module on: otherwise each process would load the compiler for closed-network.ts,
 * which takes 0.1 s.
 */
export const NODE_ENVIRONMENT = {
  NODE_OPTIONS: `--import=${CLOSED_NETWORK.href}`,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
}
