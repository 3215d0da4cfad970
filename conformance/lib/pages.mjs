// Reads lists page by page, and sorts records as decision D7 requires.

import { pagination } from './answer-shapes.mjs'
import { ensure, equal, ok } from './expect.mjs'
import { assertShape } from './shape.mjs'

const ITEMS = {
  '/cves': 'cves',
  '/cves/recent': 'cves',
  '/kev': 'kev_entries',
  '/epss/movers': 'movers',
  '/kev/history': 'entries',
}
/** Name of the items in the remaining list, the evidence of one CVE. */
const OTHER_ITEMS = 'evidence'

/** Follows nextCursor to the last page or to maxPages, and tests the pagination of each page. */
export async function readPages(api, path, query = {}, { limit = 100, maxPages = 120, key = 'pro' } = {}) {
  const pages = []
  const items = []
  let after
  do {
    const data = ok(await api.get(path, { ...query, limit, after }, { key }))
    const page = data[ITEMS[path] ?? OTHER_ITEMS]
    assertShape(data.pagination, pagination, `${path} pagination`)
    equal(data.pagination.limit, limit, 'pagination.limit')
    ensure(page.length <= limit, () => `a page of ${page.length} for limit ${limit}`)
    ensure(page.length > 0 || !data.pagination.hasMore, 'hasMore is true on an empty page')
    items.push(...page)
    pages.push(data)
    after = data.pagination.nextCursor
  } while (after && pages.length < maxPages)
  return { items, pages, complete: !after }
}

export function compareIds(a, b) {
  const [, yearA, numberA] = a.split('-')
  const [, yearB, numberB] = b.split('-')
  return Number(yearA) - Number(yearB) || Math.sign(Number(BigInt(numberA) - BigInt(numberB)))
}

const VALUE = {
  severity: (record) => record.severity,
  published: (record) => record.published,
  modified: (record) => record.modified,
  epss: (record) => record.epss?.score ?? null,
}

/** Sorts records by a value, then by the year and number of the id. Records without the value always come last. */
export function sortRecords(records, sort) {
  const [field, way] = sort.split('_')
  const direction = way === 'desc' ? -1 : 1
  const readValue = VALUE[field]
  return [...records].sort((a, b) => {
    const [x, y] = [readValue(a), readValue(b)]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    if (x !== y) return (x < y ? -1 : 1) * direction
    return compareIds(a.cve_id, b.cve_id) * direction
  })
}

/** Sort orders of the specification. Every record shows the value it is sorted by. */
export const SORTS = [
  'severity_desc',
  'severity_asc',
  'published_desc',
  'published_asc',
  'modified_desc',
  'modified_asc',
  'epss_desc',
  'epss_asc',
]

/** Sort orders that are not in the specification (decision D20). */
export const FURTHER_SORTS = ['priority_desc', 'priority_asc', 'level_desc', 'level_asc']

/** Sort order that only searches with `q` accept (decision E14). */
export const RELEVANCE = 'relevance'
