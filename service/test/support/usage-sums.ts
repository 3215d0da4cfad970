// Compares the breakdown of usage with /api/v1/usage while calls of the same account are charged and refunded.

import { toKeyDigest } from '../../src/accounts/api-key.ts'
import { readOwnUsage } from '../../src/accounts/own-usage.ts'
import { readUsage } from '../../src/accounts/read-usage.ts'
import { BREAKDOWNS } from '../../src/accounts/usage-report.ts'
import { openPool } from '../../src/database/postgres.ts'
import { createManager } from './self-service.ts'
import type { TestService } from './service.ts'

const POOL_LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Paths that cost 0.5, 1 and 5 credits, the last of which is refunded, because there is no such CVE. */
const PATHS = ['/api/v1/stats', '/api/v1/kev?limit=1', '/api/v1/cve/CVE-1999-0002/detail']

interface Comparison {
  readonly comparisons: number
  readonly calls: number
  /** Pairs of half credits that should be equal but are not: of the meter, and of the breakdown. */
  readonly differences: readonly (readonly [number, number])[]
}

/**
 * Reads the meter and the breakdown in one snapshot again and again, while callers send requests without a pause. Also
 * compares over HTTP: the breakdown lies between the usage before and after it, if nothing is refunded in between.
 */
export async function compareWhileCharging(
  service: TestService,
  { callers, comparisons }: { readonly callers: number; readonly comparisons: number },
): Promise<Comparison> {
  const { api, database } = service
  const { key, accountId } = await createManager(service)
  const credential = { kind: 'key', digest: toKeyDigest(key) ?? '' } as const
  const pool = openPool(database.url, 'usage-sums', POOL_LIMITS, () => {})
  let [isOver, calls] = [false, 0]
  const call = async (offset: number) => {
    for (let turn = offset; !isOver; turn += 1, calls += 1) await api.get(PATHS[turn % PATHS.length] ?? '', { key })
  }
  const load = Promise.all(Array.from({ length: callers }, (_, index) => call(index)))
  const differences: [number, number][] = []
  try {
    for (let count = 0; count < comparisons; count += 1) {
      const pair = await pool.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx): Promise<[number, number]> => {
          const { usedHalf } = await readUsage(tx, accountId)
          const { rows } = await readOwnUsage(tx, credential, { from: undefined, to: undefined }, BREAKDOWNS, 1000)
          return [usedHalf, rows.reduce((sum, { costHalf }) => sum + costHalf, 0)]
        })
      if (pair[0] !== pair[1]) differences.push(pair)
      await api.get('/api/v1/usage/breakdown', { key })
    }
  } finally {
    isOver = true
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
