import { Type } from 'typebox'
import { type OwnAuditEntry, readOwnAudit } from '../../../accounts/own-account.ts'
import { AUDIT_FILTERS, auditEntrySchema, toAuditFilter } from '../../../contract/audit.ts'
import { afterParameter } from '../../../contract/cursor.ts'
import { withDefault } from '../../../contract/request/parameters.ts'
import { integer } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint, requireCaller } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

export const listAudit = defineEndpoint({
  name: 'list-audit',
  method: 'GET',
  path: '/api/v1/audit',
  tag: 'Account',
  summary: 'List changes of the account',
  description:
    'The audit log of the account, newest first: who changed keys, origins, members, plan and quota, and when. The actor is key:<id>, member:<id> or operator. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'AuditLog',
    schema: closedObject(
      {
        audit: Type.Array(auditEntrySchema, { description: 'The changes, newest first.' }),
        pagination: paginationSchema,
      },
      'A page of the audit log.',
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      limit: withDefault(integer({ minimum: 1, maximum: MAX_LIMIT }), DEFAULT_LIMIT, 'Maximum number of changes.'),
      after: afterParameter(),
      ...AUDIT_FILTERS,
    },
  },
  answer: async ({ query: { limit, after, ...filters } }, services) => {
    // The cursor is bound to the account, so one account's cursor is invalid in another.
    const scope = { endpoint: 'list-audit', filters: { account: requireCaller(services).accountId, ...filters } }
    const before = services.cursors.decode(scope, after)?.key
    const entries = await actForCaller(services, (accounts, credential) =>
      readOwnAudit(accounts, credential, { before, count: limit + 1 }, toAuditFilter(filters)),
    )
    const page = entries.slice(0, limit)
    const last = page.at(-1)
    const hasMore = entries.length > limit && last !== undefined
    return {
      data: {
        audit: page.map(renderEntry),
        pagination: {
          limit,
          hasMore,
          ...(hasMore && {
            nextCursor: services.cursors.encode(scope, { value: null, key: last.id, totalEstimate: 0, asOf: null }),
          }),
        },
      },
    }
  },
})

function renderEntry({ id, at, actor, action, keyId, memberId, details }: OwnAuditEntry) {
  return {
    id,
    time: formatInstant(at),
    actor,
    action,
    ...(keyId !== null && { key_id: keyId }),
    ...(memberId !== null && { member_id: memberId }),
    details,
  }
}
