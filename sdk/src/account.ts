// The calls with which an account manages its keys, browser origins and members, and reads its usage and its audit log.

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
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import { createListing, type Listing, type Page } from './paginate.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']

const KEYS = 'api/v1/keys'
const ORIGINS = 'api/v1/origins'
const MEMBERS = 'api/v1/members'

const keyPath = (id: string, action: string) => `${KEYS}/${encodeURIComponent(id)}/${action}`

/** Sends a call that changes the account. It is not retried after a failure, because the change may have been made. */
async function change<Data>(send: Send, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Data> {
  const { data } = await send<Data>({ method: 'POST', path, body, signal, isChange: true })
  return data
}

export async function listKeys(send: Send, { signal }: CallOptions): Promise<readonly ApiKey[]> {
  const { data } = await send<Schemas['KeyList']>({ method: 'GET', path: KEYS, signal })
  return data.keys
}

export function createKey(send: Send, key: NewKey, { signal }: CallOptions): Promise<CreatedKey> {
  return change(send, KEYS, key, signal)
}

export function rotateKey(
  send: Send,
  id: string,
  { signal, ...body }: { readonly overlap_hours?: number } & CallOptions,
): Promise<RotatedKey> {
  return change(send, keyPath(id, 'rotate'), body, signal)
}

export async function revokeKey(send: Send, id: string, { signal }: CallOptions): Promise<ApiKey> {
  return (await change<Schemas['RevokedKey']>(send, keyPath(id, 'revoke'), {}, signal)).key
}

export async function listOrigins(send: Send, { signal }: CallOptions): Promise<readonly BrowserOrigin[]> {
  const { data } = await send<Schemas['OriginList']>({ method: 'GET', path: ORIGINS, signal })
  return data.origins
}

export async function changeOrigins(
  send: Send,
  action: 'add' | 'remove',
  origin: string,
  { signal }: CallOptions,
): Promise<readonly BrowserOrigin[]> {
  const path = action === 'add' ? ORIGINS : `${ORIGINS}/remove`
  return (await change<Schemas['OriginList']>(send, path, { origin }, signal)).origins
}

export async function listMembers(send: Send, { signal }: CallOptions): Promise<readonly Member[]> {
  const { data } = await send<Schemas['MemberList']>({ method: 'GET', path: MEMBERS, signal })
  return data.members
}

export function inviteMember(
  send: Send,
  person: { readonly email: string; readonly role: MemberRole },
  { signal }: CallOptions,
): Promise<InvitedMember> {
  return change(send, MEMBERS, person, signal)
}

export async function changeMemberRole(
  send: Send,
  id: string,
  role: MemberRole,
  { signal }: CallOptions,
): Promise<Member> {
  const path = `${MEMBERS}/${encodeURIComponent(id)}/role`
  return (await change<Schemas['ChangedMember']>(send, path, { role }, signal)).member
}

export async function removeMember(send: Send, id: string, { signal }: CallOptions): Promise<Member> {
  const path = `${MEMBERS}/${encodeURIComponent(id)}/remove`
  return (await change<Schemas['RemovedMember']>(send, path, {}, signal)).member
}

export async function breakDownUsage(
  send: Send,
  { signal, ...query }: UsagePeriod & CallOptions,
): Promise<UsageBreakdown> {
  const { data } = await send<UsageBreakdown>({ method: 'GET', path: 'api/v1/usage/breakdown', query, signal })
  return data
}

export function listAudit(send: Send, { signal, after, ...filters }: AuditFilters & CallOptions): Listing<AuditEntry> {
  const fetchPage = async (position: string | undefined): Promise<Page<AuditEntry>> => {
    const query = { ...filters, after: position }
    const { data } = await send<Schemas['AuditLog']>({ method: 'GET', path: 'api/v1/audit', query, signal })
    const { limit, hasMore, nextCursor, totalEstimate } = data.pagination
    return { items: data.audit, limit, hasMore, nextCursor, totalEstimate }
  }
  return createListing(fetchPage, after)
}

export async function exportAudit(
  send: Send,
  { signal, ...query }: AuditExportFilters & CallOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await send<Uint8Array<ArrayBuffer>>({
    method: 'GET',
    path: 'api/v1/audit/export',
    query,
    signal,
    isFile: true,
  })
  return data
}
