// A test server that behaves like GitHub's advisory API: latest change first, 100 advisories per page, page cursors.
import type { Handler } from '../../../support/network/upstream.ts'
import { type AdvisoryPair, advisory } from './fixtures.ts'

export const API = '/advisories'
export const ARCHIVE = '/archive'
const MINUTE = 60_000

/** Builds GitHub advisories that were modified one minute apart, the newest at 23:59 on 2026-08-21. */
export const recentAdvisories = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse('2026-08-21T23:59:00Z') - index * MINUTE)
    return advisory(1000 + index, { modified: at.toISOString() })
  })

export function servePages(all: () => readonly AdvisoryPair[]): Handler {
  return (request, response) => {
    const from = new Date((request.query.get('modified') ?? '').replace('>=', ''))
    const matching = all()
      .map(({ api }) => api)
      .filter((each) => new Date(String(each['updated_at'])) >= from)
      .sort((one, other) => (String(one['updated_at']) < String(other['updated_at']) ? 1 : -1))
    const start = Number(request.query.get('after') ?? 0)
    const page = matching.slice(start, start + 100)
    const isLast = start + 100 >= matching.length
    const next = `<http://${request.headers.host}${API}?after=${start + 100}&per_page=100>; rel="next"`
    const etag = `"${JSON.stringify(page).length}-${String(page[0]?.['updated_at'])}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    return response
      .writeHead(200, { 'content-type': 'application/json', etag, ...(!isLast && { link: next }) })
      .end(JSON.stringify(page))
  }
}
