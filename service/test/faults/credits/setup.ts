// Creates accounts with credits, and starts an API node in a separate process that charges them.
import { openPool, type Pool } from '../../../src/database/postgres.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { type ServiceProcess, startProcess } from '../../support/processes/server-process.ts'

export interface Payer {
  readonly key: string
  readonly accountId: string
  /** Whether the account has more credits than any test can spend, so that a 429 answer would be wrong. */
  readonly hasAmpleCredits: boolean
}

export interface PayerCounts {
  /** Number of accounts with more credits than the test can spend. */
  readonly ample: number
  /** Number of accounts with few credits. */
  readonly limited: number
  /** Credits that each account with few credits has left this month. */
  readonly creditsLeft: number
}

const LIMITED_QUOTA = 1000

export async function storePayers(
  db: Pool['db'],
  { ample, limited, creditsLeft }: PayerCounts,
): Promise<readonly Payer[]> {
  const payers: Payer[] = []
  for (let n = 0; n < ample + limited; n += 1) {
    const [key, hasAmpleCredits] = [createTestKey(), n < ample]
    const owner = account('enterprise').withKey(key)
    await (hasAmpleCredits ? owner : owner.withQuota(LIMITED_QUOTA).withCreditsLeft(creditsLeft)).store(db)
    payers.push({ key: key.key, accountId: owner.id, hasAmpleCredits })
  }
  return payers
}

/** Opens a pool with long timeouts for reading the ledger, which must not fail on a busy machine. */
export function openLedgerPool(url: string): Pool {
  const limits = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  return openPool(url, 'ledger-test', limits, () => {})
}

export function startPricedNode(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return startProcess({
    environment: { NODE_ENV: 'test', DRAIN_DELAY_MS: '0', ...environment },
    script: new URL('../nodes/priced-node.ts', import.meta.url),
  })
}
