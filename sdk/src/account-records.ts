// Types of keys, origins, members, the audit log and usage. All member names are those in openapi.json.
import type { components, operations } from './generated/openapi.ts'

type Schemas = components['schemas']
type QueryParameters<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

/** An API key of the account, without the key itself. */
export type ApiKey = Schemas['ApiKey']

/** Name, scopes, lifetime and addresses of a key to create. */
export type NewKey = operations['createKey']['requestBody']['content']['application/json']

/** A new key: its description, and the key itself as `secret`, which the service shows only once. */
export type CreatedKey = Schemas['CreatedKey']

/** A new key, and the key that it replaces. */
export type RotatedKey = Schemas['RotatedKey']

/** A browser origin whose pages may use the keys of the account. */
export type BrowserOrigin = Schemas['Origin']

/** A person who may use the web console for the account. */
export type Member = Schemas['Member']

/** The role of a member, which decides what the member may do in the web console. */
export type MemberRole = Member['role']

/** An invited member, with the invitation link if the service sends no mail. */
export type InvitedMember = Schemas['InvitedMember']

/** A change to the account, as {@link Client.audit} lists it. */
export type AuditEntry = Schemas['AuditEntry']

/** Filters, page size and start of the audit log, with the names and meaning of `GET /api/v1/audit`. */
export type AuditFilters = QueryParameters<'listAudit'>

/** Filters of the audit log as a file, with the names and meaning of `GET /api/v1/audit/export`. */
export type AuditExportFilters = QueryParameters<'exportAudit'>

/** Period and dimensions of a breakdown, with the names and meaning of `GET /api/v1/usage/breakdown`. */
export type UsagePeriod = QueryParameters<'getUsageBreakdown'>

/** Calls and credits in a period, by day, endpoint or key. */
export type UsageBreakdown = Schemas['UsageBreakdown']
