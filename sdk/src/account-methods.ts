// The client methods with which an account manages itself.
import {
  breakDownUsage,
  changeMemberRole,
  changeOrigins,
  createKey,
  exportAudit,
  inviteMember,
  listAudit,
  listKeys,
  listMembers,
  listOrigins,
  removeMember,
  revokeKey,
  rotateKey,
} from './account.ts'
import type {
  ApiKey,
  AuditEntry,
  AuditExportFilters,
  AuditFilters,
  BrowserOrigin,
  CreatedKey,
  InvitedMember,
  Member,
  MemberRole,
  NewKey,
  RotatedKey,
  UsageBreakdown,
  UsagePeriod,
} from './account-records.ts'
import type { CallOptions } from './options.ts'
import type { Listing } from './paginate.ts'
import type { Send } from './request.ts'
import { createViewMethods, type ViewMethods } from './views.ts'
import { createWatchMethods, type WatchMethods } from './watches.ts'

/** Methods of a {@link Client} for its account's watches, keys, browser origins, members, usage and audit log. */
export interface AccountMethods extends ViewMethods, WatchMethods {
  /**
   * Returns calls and credits by day, endpoint or key, for this month or another period. Free of charge.
   *
   * ```ts
   * const { rows, totals } = await client.usageBreakdown({ by: ['day', 'key'], from: '2026-08-01', to: '2026-08-31' })
   * for (const { day, key_id, calls, credits } of rows) console.log(day, key_id, calls, credits)
   * ```
   */
  usageBreakdown(period?: UsagePeriod & CallOptions): Promise<UsageBreakdown>

  /** Lists the keys of the account. Needs a key with the scope `manage`. Free of charge. */
  keys(options?: CallOptions): Promise<readonly ApiKey[]>

  /**
   * Creates a key. `secret` is the key itself, which the service shows only once. A key that expires must send
   * `expires_in_days`, and can create only keys that expire before it. Needs a key with the scope `manage`. Free of charge.
   *
   * ```ts
   * const { key, secret } = await client.createKey({ name: 'ci-pipeline', scopes: ['read'], expires_in_days: 90 })
   * ```
   */
  createKey(key: NewKey, options?: CallOptions): Promise<CreatedKey>

  /**
   * Replaces an active key with a new one. The old key expires after the overlap, by default 24 hours. A key can be
   * rotated once; after that, the call rejects with a {@link VisError} with code `CONFLICT`. A key that expires can
   * rotate only keys that expire no later than itself, and the new key expires no later than the calling key. Needs a
   * key with the scope `manage`. Free of charge.
   *
   * ```ts
   * const { secret, replaced } = await client.rotateKey('12', { overlap_hours: 48 })
   * console.log(replaced.expires_at)
   * ```
   */
  rotateKey(id: string, options?: { readonly overlap_hours?: number } & CallOptions): Promise<RotatedKey>

  /** Revokes a key permanently. Needs a key with the scope `manage`. Free of charge. */
  revokeKey(id: string, options?: CallOptions): Promise<ApiKey>

  /** Lists the browser origins of the account. Needs a key with the scope `manage`. Free of charge. */
  origins(options?: CallOptions): Promise<readonly BrowserOrigin[]>

  /** Adds a browser origin and returns all origins. Needs a key with the scope `manage`. Free of charge. */
  addOrigin(origin: string, options?: CallOptions): Promise<readonly BrowserOrigin[]>

  /** Removes a browser origin and returns the others. Needs a key with the scope `manage`. Free of charge. */
  removeOrigin(origin: string, options?: CallOptions): Promise<readonly BrowserOrigin[]>

  /** Lists the people who may use the web console. Needs a key with the scope `manage`. Free of charge. */
  members(options?: CallOptions): Promise<readonly Member[]>

  /**
   * Invites a person to the web console, by mail or with `link` if the service sends no mail. A key cannot invite owners,
   * and a key that expires or has `allowed_ips` cannot invite members. Needs a key with the scope `manage`. Free of charge.
   *
   * ```ts
   * const { member, link } = await client.inviteMember({ email: 'ada@example.org', role: 'viewer' })
   * ```
   */
  inviteMember(
    person: { readonly email: string; readonly role: MemberRole },
    options?: CallOptions,
  ): Promise<InvitedMember>

  /**
   * Changes the role of a member who is not an owner. A key that expires or has `allowed_ips` cannot change roles. Needs a
   * key with the scope `manage`. Free of charge.
   */
  changeMemberRole(id: string, role: MemberRole, options?: CallOptions): Promise<Member>

  /** Removes a member who is not an owner. Needs a key with the scope `manage`. Free of charge. */
  removeMember(id: string, options?: CallOptions): Promise<Member>

  /**
   * Lists changes to keys, origins, members and the plan, newest first. Needs a key with the scope `manage`. Free of
   * charge.
   *
   * ```ts
   * for await (const { time, actor, action } of client.audit()) console.log(time, actor, action)
   * ```
   */
  audit(filters?: AuditFilters & CallOptions): Listing<AuditEntry>

  /** Returns the audit log as the bytes of a CSV file. Needs a key with the scope `manage`. Free of charge. */
  exportAudit(filters?: AuditExportFilters & CallOptions): Promise<Uint8Array<ArrayBuffer>>
}

export function createAccountMethods(send: Send): AccountMethods {
  return {
    usageBreakdown: (period = {}) => breakDownUsage(send, period),
    keys: (options = {}) => listKeys(send, options),
    createKey: (key, options = {}) => createKey(send, key, options),
    rotateKey: (id, options = {}) => rotateKey(send, id, options),
    revokeKey: (id, options = {}) => revokeKey(send, id, options),
    origins: (options = {}) => listOrigins(send, options),
    addOrigin: (origin, options = {}) => changeOrigins(send, 'add', origin, options),
    removeOrigin: (origin, options = {}) => changeOrigins(send, 'remove', origin, options),
    members: (options = {}) => listMembers(send, options),
    inviteMember: (person, options = {}) => inviteMember(send, person, options),
    changeMemberRole: (id, role, options = {}) => changeMemberRole(send, id, role, options),
    removeMember: (id, options = {}) => removeMember(send, id, options),
    audit: (filters = {}) => listAudit(send, filters),
    exportAudit: (filters = {}) => exportAudit(send, filters),
    ...createViewMethods(send),
    ...createWatchMethods(send),
  }
}
