// Checks of GET /cves/export.

import { section } from '../../lib/check.mjs'
import { parseCsv } from '../../lib/csv.mjs'
import { ensure, equal, ok, rejects, same } from '../../lib/expect.mjs'

export const checks = section('export of a search', (check) => {
  check('an export has the CVEs of the search, in its order', async ({ api }) => {
    const filters = { kev: true, published_after: '2021-12-01', published_before: '2021-12-31', sort: 'epss_desc' }
    const answer = await api.get('/cves/export', filters)
    equal(answer.status, 200, 'status')
    const [names, ...rows] = parseCsv(answer.text)
    equal(names[0], 'cve_id', 'first column')
    ensure(
      rows.every((row) => row.length === names.length),
      'a line has another number of cells',
    )
    const { cves, pagination } = ok(await api.get('/cves', { ...filters, limit: 100 }))
    equal(pagination.hasMore, false, 'hasMore')
    same(
      rows.map(([id]) => id),
      cves.map(({ cve_id }) => cve_id),
      'CVEs',
    )
  })

  check('an export takes no limit and no fields', async ({ api }) => {
    rejects(await api.get('/cves/export', { limit: 5 }), 'limit')
    rejects(await api.get('/cves/export', { fields: 'cve_id' }), 'fields')
  })
})
