// Formats accounts, keys and usage: JSON for scripts, tables for people. No function in this file receives an API key
// or its digest.

import type { AuditEntry } from '../../accounts/audit.ts'
import type { Usage } from '../../accounts/credits/read-usage.ts'
import type { KeyRow } from '../../accounts/keys/account-keys.ts'
import type { AccountRow } from '../../accounts/read-accounts.ts'
import { toCreditFigures } from '../../domain/account/credits.ts'
import { formatInstant } from '../../domain/instant.ts'
import { formatCredits, formatInstantOr, formatNumber, type Table } from './print.ts'

/** `quota` and `used` are credits, exact to half a credit. */
export const renderAccount = (account: AccountRow) => ({
  id: account.id,
  name: account.name,
  plan: account.plan,
  quota: account.limitHalf / 2,
  used: account.usedHalf / 2,
  state: accountState(account),
  suspended_at: formatNullable(account.suspendedAt),
  created_at: formatInstant(account.createdAt),
  active_keys: account.activeKeys,
})

export const renderKey = (key: KeyRow) => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  scopes: key.scopes,
  allowed_ips: key.allowedIps,
  state: key.state,
  created_at: formatInstant(key.createdAt),
  expires_at: formatNullable(key.expiresAt),
  revoked_at: formatNullable(key.revokedAt),
  last_used_on: key.lastUsedOn,
  replaced_by: key.replacedBy,
})

export function buildAccountTable(accounts: readonly AccountRow[]): Table {
  return {
    headings: ['id', 'name', 'plan', 'quota', 'used this month', 'state', 'keys'],
    rows: accounts.map((account) => [
      account.id,
      account.name,
      account.plan,
      account.limitHalf / 2,
      account.usedHalf / 2,
      accountState(account),
      account.activeKeys,
    ]),
  }
}

export function buildKeyTable(keys: readonly KeyRow[]): Table {
  return {
    headings: ['id', 'key', 'name', 'scopes', 'state', 'created', 'last used', 'expires', 'revoked'],
    rows: keys.map((key) => [
      key.id,
      formatKeyHint(key),
      key.name ?? '',
      key.scopes.join(','),
      key.state,
      formatInstant(key.createdAt),
      key.lastUsedOn ?? 'never',
      formatInstantOr(key.expiresAt, 'never'),
      formatInstantOr(key.revokedAt, ''),
    ]),
  }
}

export function buildActionTable(entries: readonly AuditEntry[]): Table {
  return {
    headings: ['at', 'actor', 'action', 'key', 'member', 'details'],
    rows: entries.map((entry) => [
      formatInstant(entry.at),
      entry.actor,
      entry.action,
      entry.keyId ?? '',
      entry.memberId ?? '',
      Object.entries(entry.details)
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' '),
    ]),
  }
}

export function renderUsageFields({ limitHalf, usedHalf, resetAt }: Usage): Record<string, string> {
  const { percentageUsed } = toCreditFigures(usedHalf, limitHalf)
  return {
    used: `${formatNumber(usedHalf / 2)} of ${formatCredits(limitHalf)} (${percentageUsed} %)`,
    left: formatCredits(Math.max(0, limitHalf - usedHalf)),
    resets: formatInstant(resetAt),
  }
}

/** Formats the prefix and the last four characters of an API key: enough to tell keys apart, useless to a thief. */
export function formatKeyHint(key: Pick<KeyRow, 'prefix' | 'lastFour'>): string {
  return `${key.prefix}…${key.lastFour}`
}

export function accountState(account: AccountRow): 'active' | 'suspended' {
  return account.suspendedAt ? 'suspended' : 'active'
}

function formatNullable(instant: Date | null): string | null {
  return instant && formatInstant(instant)
}
