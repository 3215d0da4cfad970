import { Type } from 'typebox'
import type { CursorPosition } from '../../../contract/cursor.ts'
import { ApiError } from '../../../contract/response/errors.ts'
import { formatCsvLine } from '../../../domain/csv.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { assemble } from '../../../record/assemble.ts'
import {
  EXPORT_ADD_ONS,
  EXPORT_COLUMNS,
  EXPORT_FIELDS,
  type ExportRecord,
  listExportValues,
} from '../../../record/export-row.ts'
import { select } from '../../../record/selection-parameters.ts'
import { countFacets } from '../../../search/facets/count-facets.ts'
import { filterRules } from '../../../search/filters/rules.ts'
import { filterParameters } from '../../../search/filters/table.ts'
import { findRequiredPlan } from '../../../search/filters/values/source.ts'
import { findPage, type SearchPage } from '../../../search/find-page.ts'
import { PARAMETERS, type Query, requireWords } from '../../../search/parameters.ts'
import { resolveWords } from '../../../search/words/resolve.ts'
import { resolveComponent } from '../../component-filter.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import { readProducts } from './query.ts'

const PAGE_ROWS = 100
const MAX_ROWS = 100_000
const MEDIA_TYPE = 'text/csv; charset=utf-8'
const NO_PRODUCTS = { names: [], total: 0 }
const SELECTION = select('listed', { fields: EXPORT_FIELDS, include: EXPORT_ADD_ONS })

const QUERY = { ...filterParameters('search'), sort: PARAMETERS.sort }

/** The filters and the order of an export; all other parameters of the search are the same for every export. */
type Sent = Pick<Query, keyof typeof QUERY>

export const exportCves = defineEndpoint({
  name: 'export-cves',
  method: 'GET',
  path: '/api/v1/cves/export',
  tag: 'Search',
  summary: 'Export a search',
  description: `All CVEs that match all filters as one CSV file (RFC 4180, UTF-8), row by row while they are read. Takes the filters and orders of GET /api/v1/cves; no filter needs include=enrichment. The price is for each ${PAGE_ROWS} rows, at least once: the same as reading the search in pages of ${PAGE_ROWS}. At most ${MAX_ROWS.toLocaleString('en')} CVEs; a larger search is refused free of charge. While the catalog changes, an export is as exact as pages with a cursor: a CVE whose place in the order changes meanwhile can be missing or, except in the orders by modified, appear twice. Columns: ${EXPORT_COLUMNS.join(', ')}. products has the first 5 of products_total. A cell that begins with =, +, -, @, a tab or a carriage return has an apostrophe before it, so that no spreadsheet evaluates it. If the service cannot finish, the connection breaks off before the end of the body, and the credits are refunded.`,
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'charged' },
  work: 'search',
  cacheControl: 'no-store',
  response: {
    name: 'CveExport',
    mediaType: MEDIA_TYPE,
    schema: Type.String({ description: 'A line with the names of the columns, and a line for each CVE.' }),
  },
  errors: ['FORBIDDEN', 'QUERY_TIMEOUT', 'NOT_READY'],
  parameters: { query: QUERY },
  rules: [...filterRules('search').filter(({ parameters }) => !parameters.includes('include')), requireWords],
  requiredPlan: ({ query }) => findRequiredPlan(query.vendor),
  countUnits: async ({ query }, services) => {
    const total = await countRows(services, (await resolve(services, query)).query)
    if (total > MAX_ROWS) throw tooManyRows(total)
    return Math.max(1, Math.ceil(total / PAGE_ROWS))
  },
  answer: async ({ query: sent }, services) => {
    const { query } = await resolve(services, sent)
    const request = { ...query, limit: PAGE_ROWS, after: undefined, fields: EXPORT_FIELDS, include: EXPORT_ADD_ONS }
    let page: SearchPage | undefined = await findPage(services.db, request, undefined)
    // The first page is part of the answer, so a search that fails at once is an ordinary error.
    let text = formatCsvLine(EXPORT_COLUMNS) + (await formatRows(services, page))
    let after = findPosition(page, undefined)
    const next = async (fresh: Services) => {
      if (text !== '') {
        const first = text
        text = ''
        return first
      }
      if (after === undefined) return undefined
      page = await findPage(fresh.db, request, after)
      const rows = await formatRows(fresh, page)
      // Only now, so that a part that failed or came too late is read again.
      fresh.signal.throwIfAborted()
      after = findPosition(page, after)
      return rows
    }
    return {
      headers: { 'Content-Disposition': 'attachment; filename="cves.csv"' },
      stream: { mediaType: MEDIA_TYPE, next },
    }
  },
})

async function resolve(services: Services, query: Sent) {
  if (query.cpe !== undefined || query.purl !== undefined) await requirePublished(services)
  return resolveComponent(services, query)
}

async function countRows({ db, countInMemory }: Services, query: Sent): Promise<number> {
  if (query.q !== undefined) await resolveWords(db, query.q)
  return (await countFacets(db, countInMemory, { values: query, facets: [], size: 1, names: {} })).total
}

function findPosition({ last, total, newest }: SearchPage, after: CursorPosition | undefined) {
  return (
    last && {
      value: last.sort_value instanceof Date ? formatInstant(last.sort_value) : last.sort_value,
      key: last.cve_key,
      totalEstimate: total,
      asOf: after ? after.asOf : newest && formatInstant(newest),
    }
  )
}

async function formatRows({ db }: Services, { rows }: SearchPage): Promise<string> {
  const products = await readProducts(
    db,
    rows.map(({ cve_key }) => cve_key),
  )
  return rows
    .map((row) => {
      // The columns are those of the answer of GET /api/v1/cves, so both say the same.
      const cve: ExportRecord = JSON.parse(assemble(row, SELECTION))
      return formatCsvLine(listExportValues(cve, products.get(row.cve_key) ?? NO_PRODUCTS))
    })
    .join('')
}

function tooManyRows(total: number): ApiError {
  return new ApiError(
    'INVALID_PARAMETER',
    `The search has ${total.toLocaleString('en')} CVEs, and an export has at most ${MAX_ROWS.toLocaleString('en')}. Add filters; for all CVEs, take a snapshot (GET /api/v1/snapshots) or keep a copy with visctl mirror.`,
    { details: { total, limit: MAX_ROWS } },
  )
}
