// Checks of GET /kev.

import { section, skip } from '../../lib/check.mjs'
import { kevEntry } from '../../lib/cve-shapes.mjs'
import { ensure, equal, idsOf, ok, sameMembers, sameOrder } from '../../lib/expect.mjs'
import { compareIds, readPages } from '../../lib/pages.mjs'
import { assertShape, list } from '../../lib/shape.mjs'

const contains = (value, part) => (value ?? '').toLowerCase().includes(part.toLowerCase())

/** Compares the KEV entries that a query returns with the entries of the whole catalog that satisfy the predicate. */
async function assertEntries({ api, discovery }, query, predicate, limit = 500) {
  const expected = (await discovery.kev()).filter(predicate)
  const { items } = await readPages(api, '/kev', query, { limit })
  sameMembers(idsOf(items), idsOf(expected), JSON.stringify(query))
}

/** Returns two due dates of the KEV catalog, one early and one late. */
async function findDueDates(discovery) {
  const dates = (await discovery.kev()).map((entry) => entry.dueDate).filter(Boolean)
  if (dates.length === 0) skip('no entry of KEV has a due date')
  dates.sort()
  return [dates[Math.floor(dates.length / 3)], dates[Math.floor(dates.length * 0.6)]]
}

export const checks = section('KEV', (check) => {
  check('D14 every entry of /kev has the documented shape, and each CVE has one entry', async ({ discovery }) => {
    const entries = await discovery.kev()
    ensure(entries.length > 0, 'the catalog is empty')
    assertShape(entries, list(kevEntry), 'kev_entries')
    equal(new Set(idsOf(entries)).size, entries.length, 'distinct ids')
  })

  check('The answer of /kev has kev_entries and no cves, and limit defaults to 50', async ({ api }) => {
    const data = ok(await api.get('/kev'))
    ensure(Array.isArray(data.kev_entries) && !('cves' in data), `keys ${Object.keys(data)}`)
    equal(data.pagination.limit, 50, 'pagination.limit')
  })

  check('D7 /kev is in descending order of dateAdded, then of year and number', async ({ discovery }) => {
    const entries = await discovery.kev()
    const newestFirst = (a, b) => b.dateAdded.localeCompare(a.dateAdded) || compareIds(b.cveId, a.cveId)
    sameOrder(idsOf(entries), idsOf([...entries].sort(newestFirst)), 'order')
  })

  check('D8 /kev has the same order in pages of 37 entries as in pages of 500', async ({ api, discovery }) => {
    const { items } = await readPages(api, '/kev', {}, { limit: 37 })
    sameOrder(idsOf(items), idsOf(await discovery.kev()), 'order')
  })

  for (const [parameter, field] of [
    ['vendor', 'vendorProject'],
    ['product', 'product'],
  ]) {
    check(`D14 ${parameter} on /kev matches a substring in any letter case`, async (context) => {
      const names = (await context.discovery.kev()).map((entry) => entry[field])
      const name = names.find((each) => each?.length > 5) ?? skip(`no ${field} has more than 5 characters`)
      for (const part of [name, name.toUpperCase(), name.slice(1, 5).trim(), name.slice(2).trim().toLowerCase()])
        await assertEntries(context, { [parameter]: part }, (entry) => contains(entry[field], part))
    })

    check(`D14 wildcard characters in ${parameter} on /kev are plain characters`, async (context) => {
      for (const part of ['%', '_', '\\', '.*', '%%'])
        await assertEntries(context, { [parameter]: part }, (entry) => contains(entry[field], part))
    })
  }

  check('A12 vendor on /kev is the vendor of the product, so the name of a source is no error', async ({ api }) => {
    ok(await api.get('/kev', { vendor: 'ghsa' }))
  })

  check('D14 ransomware=true and ransomware=false together return the whole catalog', async (context) => {
    await assertEntries(context, { ransomware: true }, (entry) => entry.knownRansomware)
    await assertEntries(context, { ransomware: false }, (entry) => !entry.knownRansomware)
  })

  check('C9 due_date_after and due_date_before are inclusive', async (context) => {
    const [low, high] = await findDueDates(context.discovery)
    const isDue = (test) => (entry) => entry.dueDate !== null && test(entry.dueDate)
    const between = { due_date_after: low, due_date_before: high }
    await assertEntries(
      context,
      { due_date_after: high },
      isDue((date) => date >= high),
    )
    await assertEntries(
      context,
      { due_date_before: low },
      isDue((date) => date <= low),
    )
    await assertEntries(
      context,
      between,
      isDue((date) => date >= low && date <= high),
    )
    await assertEntries(
      context,
      { due_date_after: low, due_date_before: low },
      isDue((date) => date === low),
    )
  })

  check('D14 the filters of /kev combine with AND and work on every page', async (context) => {
    const [low] = await findDueDates(context.discovery)
    const isMatch = (entry) => !entry.knownRansomware && contains(entry.vendorProject, 'o')
    const isDueMatch = (entry) => isMatch(entry) && entry.dueDate >= low
    await assertEntries(context, { ransomware: false, due_date_after: low, vendor: 'o' }, isDueMatch)
    await assertEntries(context, { ransomware: false, vendor: 'o' }, isMatch, 41)
  })

  check('D14 a filter of /kev without a match returns an empty array', async ({ api }) => {
    const data = ok(await api.get('/kev', { vendor: 'zzqxjkvwy' }))
    ensure(data.kev_entries.length === 0 && !data.pagination.hasMore, () => JSON.stringify(data))
  })
})
