// Checks of the add-ons fixes and remediations.

import { section } from '../../lib/check.mjs'
import { ensure, equal, ok, same } from '../../lib/expect.mjs'

const MAX_LISTED = 3
const QUERY = { include: 'fixes', fields: 'cve_id,fixes' }

const leaveOutTimes = (fix) => JSON.parse(JSON.stringify(fix, (name, value) => (name === 'time' ? undefined : value)))

export const checks = section('Fixed versions and remediations', (check) => {
  check('E36 include=fixes has the rows of the detail record without their times', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('with full detail', 20)) {
      const { fixes: detailed = [], fixes_omitted: omitted } = ok(await api.get(`/cve/${id}/detail`))
      const { cve } = ok(await api.get(`/cve/${id}`, QUERY))
      same(cve.fixes, detailed.map(leaveOutTimes), `fixes of ${id}`)
      equal(cve.fixes_omitted, omitted, `fixes_omitted of ${id}`)
    }
  })

  check('E36 lists have the first rows and count the others', async ({ api, discovery }) => {
    const ids = (await discovery.findSome('with full detail', 20)).map(({ cve_id: id }) => id)
    const { cves } = ok(await api.get('/cves', { ...QUERY, ids: ids.join(','), limit: 100 }))
    for (const listed of cves) {
      const { cve } = ok(await api.get(`/cve/${listed.cve_id}`, QUERY))
      same(listed.fixes, cve.fixes.slice(0, MAX_LISTED), `fixes of ${listed.cve_id}`)
      const left = Math.max(0, cve.fixes.length - MAX_LISTED) + (cve.fixes_omitted ?? 0)
      equal(listed.fixes_omitted ?? 0, left, `fixes_omitted of ${listed.cve_id}`)
    }
  })

  check("a product that contains the affected one comes after the CVE's own products", async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('in KEV', 10)) {
      const { fixes } = ok(await api.get(`/cve/${id}`, QUERY)).cve
      const first = fixes.findIndex(({ downstream }) => downstream)
      ensure(first < 0 || fixes.slice(first).every(({ downstream }) => downstream), `${id} mixes products`)
    }
  })

  check('remediations has at most 5 of each kind, and a batch has the same', async ({ api, discovery }) => {
    const query = { include: 'remediations', fields: 'remediations' }
    for (const { cve_id: id } of await discovery.findSome('in KEV', 10)) {
      const { cve } = ok(await api.get(`/cve/${id}`, query))
      const kinds = Map.groupBy(cve.remediations, ({ kind }) => kind)
      for (const [kind, listed] of kinds) ensure(listed.length <= 5, `${id} has ${listed.length} of ${kind}`)
      const batch = ok(await api.batch({ cve_ids: [id], include: ['remediations'], fields: ['remediations'] }))
      same(batch.cves[id], cve, `remediations of ${id} in a batch`)
    }
  })
})
