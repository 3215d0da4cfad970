// Compares the usage breakdown with /api/v1/usage while calls of the same account are charged and refunded.
import { sql } from 'kysely'

import { toKeyDigest } from '../../../src/accounts/keys/api-key.ts'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { createManager } from '../../support/self-service.ts'
import type { TestService } from '../../support/service.ts'

const POOL_LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Paths that cost 0.5, 1 and 5 credits. The last call is refunded, because the CVE does not exist. */
const PATHS = ['/api/v1/stats', '/api/v1/kev?limit=1', '/api/v1/cve/CVE-1999-0002/detail']

interface Comparison {
  readonly comparisons: number
  readonly calls: number
  /** Pairs of half credits, from the meter and from the breakdown, that should be equal but are not. */
  readonly differences: readonly (readonly [number, number])[]
}

/**
 * Reads the half credits from the meter and from the breakdown in one statement, with the functions that the endpoints
 * call. Functions that are not declared stable would read different snapshots even within one statement.
 */
async function readBoth(db: Database, accountId: string, digest: string): Promise<[number, number]> {
  const { rows } = await sql<{ meter: string; breakdown: string }>`
    select (select used_half from accounts.read_usage(${accountId})) as meter,
           (select coalesce(sum(cost_half), 0)
              from accounts.read_usage_between(
                     'key', decode(${digest}, 'hex'), date_trunc('month', now() at time zone 'utc')::date,
                     (now() at time zone 'utc')::date)) as breakdown
  `.execute(db)
  return [Number(rows[0]?.meter), Number(rows[0]?.breakdown)]
}

/**
 * Compares the meter with the breakdown repeatedly, while callers send requests without a pause. At the end, compares
 * the two endpoints.
 */
export async function compareWhileCharging(
  service: TestService,
  { callers, comparisons }: { readonly callers: number; readonly comparisons: number },
): Promise<Comparison> {
  const { api, database } = service
  const { key, accountId } = await createManager(service)
  const pool = openPool(database.url, 'usage-sums', POOL_LIMITS, () => {})
  const over = new AbortController()
  let calls = 0
  const call = async (offset: number) => {
    for (let turn = offset; !over.signal.aborted; turn += 1, calls += 1)
      await api.get(PATHS[turn % PATHS.length] ?? '', { key })
  }
  const load = Promise.all(Array.from({ length: callers }, (_, index) => call(index)))
  const differences: [number, number][] = []
  try {
    for (let count = 0; count < comparisons; count += 1) {
      const pair = await readBoth(pool.db, accountId, toKeyDigest(key) ?? '')
      if (pair[0] !== pair[1]) differences.push(pair)
      await api.get('/api/v1/usage/breakdown', { key })
    }
  } finally {
    over.abort()
    await load
    await pool.close()
  }
  const [{ usage }, { totals }] = [
    (await api.get('/api/v1/usage', { key })).json.data,
    (await api.get('/api/v1/usage/breakdown?by=key', { key })).json.data,
  ]
  if (usage.credits_used !== Math.ceil(totals.credits)) differences.push([usage.credits_used * 2, totals.credits * 2])
  return { comparisons, calls, differences }
}
