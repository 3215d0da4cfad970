// Looks up whether any account allows a browser origin. A CORS preflight request carries no API key, so it can only be
// answered for all accounts together.
//
// Results are cached for a few seconds. A stale result only affects the headers of the preflight response: the request
// that follows is checked against the origins of its own account.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

const FRESH_MS = 5000
const MAX_CACHED = 10_000

export type OriginLookup = (origin: string) => Promise<boolean>

export function createOriginLookup(accounts: Database, nowMs = () => performance.now()): OriginLookup {
  const cache = new Map<string, { isAllowed: boolean; freshUntilMs: number }>()
  return async (origin) => {
    const cached = cache.get(origin)
    if (cached && cached.freshUntilMs > nowMs()) return cached.isAllowed
    const isAllowed = await readIsAllowed(accounts, origin)
    // Attackers can send any number of invented browser origins, so a full cache is cleared instead of growing.
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(origin, { isAllowed, freshUntilMs: nowMs() + FRESH_MS })
    return isAllowed
  }
}

async function readIsAllowed(accounts: Database, origin: string): Promise<boolean> {
  const { rows } = await sql<{ configured: boolean }>`
    select accounts.is_configured_origin(${origin}) as configured
  `.execute(accounts)
  return rows[0]?.configured === true
}
