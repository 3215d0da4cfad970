// Accounts that pay, and a node that charges them, in a process of its own.

import { MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../../src/database/migrate.ts'
import { openPool, type Pool } from '../../../src/database/postgres.ts'
import { account, aKey } from '../../support/builders.ts'
import { type ServiceProcess, startProcess } from '../../support/processes/server-process.ts'

export interface Payer {
  readonly key: string
  readonly accountId: string
  /** Has more credits than any test can spend: a refusal for want of credits would be a lie. */
  readonly isRich: boolean
}

export interface PayersWanted {
  readonly rich: number
  readonly poor: number
  /** Credits that each of the poor has left this month. */
  readonly left: number
}

const QUOTA_OF_THE_POOR = 1000

export async function storePayers(db: Pool['db'], { rich, poor, left }: PayersWanted): Promise<readonly Payer[]> {
  const payers: Payer[] = []
  for (let n = 0; n < rich + poor; n += 1) {
    const [key, isRich] = [aKey(), n < rich]
    const given = account('enterprise').withKey(key)
    await (isRich ? given : given.withQuota(QUOTA_OF_THE_POOR).withCreditsLeft(left)).store(db)
    payers.push({ key: key.key, accountId: given.id, isRich })
  }
  return payers
}

/** Patient: the one who looks after the books must not fail when the machine is busy. */
export function openBooks(url: string): Pool {
  const limits = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  return openPool(url, 'books', limits, () => {})
}

export async function migrateAll(url: string): Promise<void> {
  for (const set of MIGRATION_SETS) await migrate(url, set, MIGRATIONS_FOLDER)
}

export function startPricedNode(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return startProcess({
    environment: { NODE_ENV: 'test', DRAIN_DELAY_MS: '0', ...environment },
    script: new URL('../nodes/priced-node.ts', import.meta.url),
  })
}
