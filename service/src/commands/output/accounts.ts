// Accounts, keys and usage as JSON for scripts and as lines for people. Nothing here could show a key or its digest.
import type { KeyRow } from '../../accounts/administer-keys.ts'
import type { AuditEntry } from '../../accounts/audit.ts'
import type { AccountRow } from '../../accounts/read-accounts.ts'
import type { Usage } from '../../accounts/read-usage.ts'
import { creditFigures } from '../../domain/credits.ts'
import { formatInstant } from '../../domain/instant.ts'
import { credits, instantOr, number, table } from './print.ts'

/** `quota` and `used` are exact, to half a credit. */
export const renderAccount = (account: AccountRow) => ({
  id: account.id,
  name: account.name,
  plan: account.plan,
  quota: account.limitHalf / 2,
  used: account.usedHalf / 2,
  state: stateOf(account),
  suspended_at: instant(account.suspendedAt),
  created_at: formatInstant(account.createdAt),
  active_keys: account.keys,
})

export const renderKey = (key: KeyRow) => ({
  id: key.id,
  account_id: key.accountId,
  prefix: key.prefix,
  last_four: key.lastFour,
  state: key.state,
  created_at: formatInstant(key.createdAt),
  expires_at: instant(key.expiresAt),
  revoked_at: instant(key.revokedAt),
})

export const renderAction = (entry: AuditEntry) => ({
  at: formatInstant(entry.at),
  actor: entry.actor,
  action: entry.action,
  key_id: entry.keyId,
  details: entry.details,
})

export function accountTable(accounts: readonly AccountRow[]): string {
  return table(
    ['id', 'name', 'plan', 'quota', 'used this month', 'state', 'keys'],
    accounts.map((each) => [
      each.id,
      each.name,
      each.plan,
      each.limitHalf / 2,
      each.usedHalf / 2,
      stateOf(each),
      each.keys,
    ]),
  )
}

export function keyTable(keys: readonly KeyRow[]): string {
  return table(
    ['id', 'key', 'state', 'created', 'expires', 'revoked'],
    keys.map((each) => [
      each.id,
      keyHint(each),
      each.state,
      formatInstant(each.createdAt),
      instantOr(each.expiresAt, 'never'),
      instantOr(each.revokedAt, ''),
    ]),
  )
}

export function actionTable(entries: readonly AuditEntry[]): string {
  return table(
    ['at', 'who', 'what', 'key', 'details'],
    entries.map((each) => [
      formatInstant(each.at),
      each.actor,
      each.action,
      each.keyId ?? '',
      Object.entries(each.details)
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' '),
    ]),
  )
}

export function usageFacts({ limitHalf, usedHalf, resetAt }: Usage): Record<string, string> {
  return {
    used: `${number(usedHalf / 2)} of ${credits(limitHalf)} (${creditFigures(usedHalf, limitHalf).percentageUsed} %)`,
    left: credits(Math.max(0, limitHalf - usedHalf)),
    resets: formatInstant(resetAt),
  }
}

/** To tell keys apart, and no more. */
export function keyHint(key: Pick<KeyRow, 'prefix' | 'lastFour'>): string {
  return `${key.prefix}…${key.lastFour}`
}

export function stateOf(account: AccountRow): 'active' | 'suspended' {
  return account.suspendedAt ? 'suspended' : 'active'
}

function instant(value: Date | null): string | null {
  return value && formatInstant(value)
}
