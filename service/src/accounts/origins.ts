// Whether any account lists a browser origin: what a preflight, which carries no key, is judged by.
//
// Remembered by this process for a few seconds. A forgotten or stale answer only shows or hides a header:
// the real request is judged by its own account.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

const FRESH_MS = 5000
const MAX_CACHED = 10_000

export type ConfiguredOrigins = (origin: string) => Promise<boolean>

export function configuredOrigins(accounts: Database, nowMs = () => performance.now()): ConfiguredOrigins {
  const remembered = new Map<string, { answer: boolean; freshUntilMs: number }>()
  return async (origin) => {
    const earlier = remembered.get(origin)
    if (earlier && earlier.freshUntilMs > nowMs()) return earlier.answer
    const answer = await isConfigured(accounts, origin)
    // Hostile callers invent origins: rather forget all than grow.
    if (remembered.size >= MAX_CACHED) remembered.clear()
    remembered.set(origin, { answer, freshUntilMs: nowMs() + FRESH_MS })
    return answer
  }
}

async function isConfigured(accounts: Database, origin: string): Promise<boolean> {
  const { rows } = await sql<{ configured: boolean }>`
    select accounts.is_configured_origin(${origin}) as configured
  `.execute(accounts)
  return rows[0]?.configured === true
}
