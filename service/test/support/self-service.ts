// Helpers for tests of the endpoints with which accounts manage themselves.
import type { Scope } from '../../src/domain/account/scope.ts'
import type { Api, ApiAnswer } from './api.ts'
import { account, createTestKey } from './builders.ts'
import { readRows } from './run-statements.ts'
import type { TestService } from './service.ts'

/** Creates an account with one key, which may manage the account unless other scopes are given. */
export async function createManager(
  { given }: Pick<TestService, 'given'>,
  scopes: readonly Scope[] = ['read', 'manage'],
): Promise<{ readonly key: string; readonly accountId: string }> {
  const key = createTestKey()
  const owner = account('pro').withKey(key, { scopes })
  await given(owner)
  return { key: key.key, accountId: owner.id }
}

export function post(api: Api, key: string, path: string, body: object = {}): Promise<ApiAnswer> {
  return api.send('POST', path, {
    key,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Returns the rows of the audit log of an account that have the given action, oldest first. */
export function readAudit(url: string, accountId: string, action: string) {
  return readRows(
    url,
    'select actor, action, key_id, details from accounts.audit where account_id = $1 and action = $2 order by id',
    [accountId, action],
  )
}
