// Checks which data sources each plan can use: the parameter `vendor` of /cves and of the detail endpoint.

import { section, skip } from '../../lib/check.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects } from '../../lib/expect.mjs'

const PUBLIC = ['nvd', 'cve']
const RESTRICTED = ['ghsa', 'redhat', 'msrc']

/** Calls the endpoints that accept a data source: the detail endpoint, /cves and /cves/facets. */
async function askAll(api, id, vendor, key = 'pro') {
  return [
    await api.get(`/cve/${id}/detail`, { vendor }, { key }),
    await api.get('/cves', { vendor, include: 'enrichment', limit: 1 }, { key }),
    await api.get('/cves/facets', { vendor, facets: 'kev' }, { key }),
  ]
}

export const checks = section('Sources', (check) => {
  for (const vendor of PUBLIC) {
    check(`A12 the source ${vendor} is open to the pro plan`, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('with full detail')
      for (const name of [vendor, vendor.toUpperCase()]) for (const answer of await askAll(api, id, name)) ok(answer)
    })
  }

  for (const vendor of RESTRICTED) {
    const title = `A12 the source ${vendor} on the pro plan returns 403 with details.required_plan`
    check(title, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      for (const answer of await askAll(api, id, vendor))
        equal(fails(answer, 403).details.required_plan, 'enterprise', 'details.required_plan')
    })

    const needs = ['pro', 'enterprise']
    check(`A12 the source ${vendor} on the enterprise plan returns 200`, { needs }, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      for (const answer of await askAll(api, id, vendor, 'enterprise')) ok(answer)
    })
  }

  const unknownTitle =
    'A12 an unknown source returns 400 with the list of sources and the way to ask for a product vendor'
  check(unknownTitle, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    for (const answer of await askAll(api, id, 'no-such-source')) {
      const issue = rejects(answer, 'vendor', 'no-such-source')
      for (const name of PUBLIC) ensure(issue.allowed?.includes(name), `allowed is ${issue.allowed}`)
      const teaches = /data source/i.test(answer.text) && answer.text.includes('product_vendor=')
      ensure(teaches, () => answer.error.message)
    }
  })

  const parametersFirst = 'B2 parameters are checked before the plan: an enterprise source with a bad limit returns 400'
  check(parametersFirst, async ({ api }) => {
    rejects(await api.get('/cves', { vendor: 'ghsa', include: 'enrichment', limit: 0 }), 'limit', '0')
  })

  const planFirst = 'B2 the plan is checked before the data: an enterprise source for an unknown CVE returns 403'
  check(planFirst, async ({ api }) => {
    fails(await api.get(`/cve/${UNKNOWN_ID}/detail`, { vendor: 'ghsa' }), 403)
  })

  const cursorTitle = 'A14 a cursor from a query with an enterprise source returns 403 on the pro plan'
  check(cursorTitle, { needs: ['pro', 'enterprise'] }, async ({ api }) => {
    const query = { vendor: 'ghsa', include: 'enrichment', limit: 1 }
    const { pagination } = ok(await api.get('/cves', query, { key: 'enterprise' }))
    const after = pagination.nextCursor ?? skip('the source ghsa has only one page')
    fails(await api.get('/cves', { ...query, after }), 403)
  })
})
