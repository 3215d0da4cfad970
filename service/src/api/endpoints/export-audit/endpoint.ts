import { Type } from 'typebox'
import { type OwnAuditEntry, readOwnAudit } from '../../../accounts/own-account.ts'
import { AUDIT_FILTERS, toAuditFilter } from '../../../contract/audit.ts'
import { formatCsvLine } from '../../../domain/csv.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint, type Services } from '../../services.ts'

const PAGE_ROWS = 200
const MEDIA_TYPE = 'text/csv; charset=utf-8'
const COLUMNS = ['id', 'time', 'actor', 'action', 'key_id', 'member_id', 'details']

export const exportAudit = defineEndpoint({
  name: 'export-audit',
  method: 'GET',
  path: '/api/v1/audit/export',
  tag: 'Account',
  summary: 'Export changes of the account',
  description: `The audit log as one CSV file (RFC 4180, UTF-8), newest first, with the filters of GET /api/v1/audit. Columns: ${COLUMNS.join(', ')}; details is JSON. A cell that begins like a formula has an apostrophe before it. Needs a key with the scope manage. Free of charge.`,
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'AuditExport',
    mediaType: MEDIA_TYPE,
    schema: Type.String({ description: 'A line with the names of the columns, and a line for each change.' }),
  },
  errors: [],
  parameters: { query: AUDIT_FILTERS },
  answer: async ({ query }, services) => {
    const filter = toAuditFilter(query)
    const read = (each: Services, before: string | undefined) =>
      actForCaller(each, (accounts, credential) =>
        readOwnAudit(accounts, credential, { before, count: PAGE_ROWS }, filter),
      )
    // The first page is part of the answer, so a key without the right gets an ordinary error.
    let page: readonly OwnAuditEntry[] | undefined = await read(services, undefined)
    let [before, isFirst] = [page.at(-1)?.id, true]
    const next = async (fresh: Services) => {
      if (page === undefined && before !== undefined) {
        const following = await read(fresh, before)
        // A part that came too late is read again.
        fresh.signal.throwIfAborted()
        page = following
        before = page.at(-1)?.id
      }
      if (page === undefined || (page.length === 0 && !isFirst)) return undefined
      const text = (isFirst ? formatCsvLine(COLUMNS) : '') + page.map(formatEntry).join('')
      if (page.length < PAGE_ROWS) before = undefined
      ;[page, isFirst] = [undefined, false]
      return text
    }
    return {
      headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' },
      stream: { mediaType: MEDIA_TYPE, next },
    }
  },
})

function formatEntry({ id, at, actor, action, keyId, memberId, details }: OwnAuditEntry): string {
  return formatCsvLine([id, formatInstant(at), actor, action, keyId, memberId, JSON.stringify(details)])
}
