// Checks of cursors: the pages of a list have no duplicates and no gaps, and a cursor is valid only for its query.

import { section, skip } from '../../lib/check.mjs'
import { equal, idsOf, ok, rejects, same, sameMembers, sameOrder } from '../../lib/expect.mjs'
import { FURTHER_SORTS, readPages, SORTS } from '../../lib/pages.mjs'

const QUERY = { kev: 'false', sort: 'published_desc' }
const MAX_VALUE_LENGTH = 200
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Flips the top bit of a letter in base64url text. This changes the decoded bytes, whichever letter is flipped. */
const flip = (letter) => BASE64URL[(BASE64URL.indexOf(letter) + 32) % 64]

const FORGED = [
  '0',
  '-1',
  '{}',
  'null',
  'e30',
  'eyJpZCI6MX0',
  btoa('{"published":"2024-01-01","id":"CVE-2024-0001"}'),
  'a'.repeat(3000),
  '%00',
  '../..',
  "' OR 1=1",
]

const CHANGES = {
  'another sort': { sort: 'published_asc' },
  'another filter value': { kev: 'true' },
  'one more filter': { severity: 'high' },
  'one filter less': { kev: undefined },
}

async function getCursor(api, path, query) {
  const { pagination } = ok(await api.get(path, { ...query, limit: 5 }))
  return pagination.nextCursor ?? skip(`${path} has only one page`)
}

/** Returns a vendor that has at least two KEV entries but no more than fit on one page of /kev. */
function findVendor(entries) {
  const countOf = (name) =>
    entries.filter(({ vendorProject }) => vendorProject.toLowerCase().includes(name.toLowerCase())).length
  const vendor = entries
    .map(({ vendorProject }) => vendorProject)
    .find((name) => countOf(name) > 1 && countOf(name) <= 500)
  return vendor ?? skip('no vendor in KEV has 2 to 500 entries')
}

function defineCompleteness(check) {
  for (const sort of [...SORTS, ...FURTHER_SORTS]) {
    const title = `D8 pages of 13 by ${sort} have the same records as pages of 100, without duplicates and gaps`
    check(title, async ({ api, discovery }) => {
      for (const { query } of await discovery.sets()) {
        const readIds = async (limit) =>
          idsOf((await readPages(api, '/cves', { ...query, sort, fields: 'cve_id' }, { limit })).items)
        const [small, large] = [await readIds(13), await readIds(100)]
        equal(new Set(small).size, small.length, 'distinct ids')
        sameOrder(small, large, sort)
      }
    })
  }

  check('D8 pages of one record return every record', async ({ api, discovery }) => {
    const { query, records } = await discovery.mixed()
    const onePerPage = { ...query, fields: 'cve_id', sort: 'epss_asc' }
    sameMembers(idsOf((await readPages(api, '/cves', onePerPage, { limit: 1 })).items), idsOf(records), 'ids')
  })

  check('D9 an exactly full last page has hasMore false and no nextCursor', async ({ api, discovery }) => {
    const { query, records } = await discovery.mixed()
    for (const [limit, hasMore] of [
      [records.length, false],
      [records.length - 1, true],
      [records.length + 1, false],
    ]) {
      const { pagination, cves } = ok(await api.get('/cves', { ...query, limit, fields: 'cve_id' }))
      equal(pagination.hasMore, hasMore, `hasMore with limit ${limit} of ${records.length}`)
      equal('nextCursor' in pagination, hasMore, 'nextCursor present')
      equal(cves.length, Math.min(limit, records.length), 'page length')
    }
  })

  check('D9 an exactly full last page of /kev has hasMore false', async ({ api, discovery }) => {
    const vendor = findVendor(await discovery.kev())
    const size = (await readPages(api, '/kev', { vendor }, { limit: 500 })).items.length
    const hasMore = async (limit) => ok(await api.get('/kev', { vendor, limit })).pagination.hasMore
    equal(await hasMore(size), false, `hasMore with limit ${size} of ${size}`)
    equal(await hasMore(size - 1), true, `hasMore with limit ${size - 1} of ${size}`)
  })

  check('D9 totalEstimate of a small result is exact and the same on every page', async ({ api, discovery }) => {
    const { query, records } = await discovery.period()
    const { pages } = await readPages(api, '/cves', { ...query, fields: 'cve_id' })
    if (!('totalEstimate' in pages[0].pagination)) skip('the server does not return the optional totalEstimate')
    for (const { pagination } of pages) equal(pagination.totalEstimate, records.length, 'totalEstimate')
  })
}

export const checks = section('Paging', (check) => {
  defineCompleteness(check)

  check('D8 a cursor is valid with another limit, fields or include', async ({ api }) => {
    const after = await getCursor(api, '/cves', QUERY)
    const readIds = async (query) => idsOf(ok(await api.get('/cves', { ...QUERY, after, limit: 5, ...query })).cves)
    const next = await readIds({})
    sameOrder((await readIds({ limit: 9 })).slice(0, 5), next, 'another limit')
    sameOrder(await readIds({ fields: 'cve_id,epss' }), next, 'other fields')
    sameOrder(await readIds({ include: 'acsc,attack' }), next, 'other add-ons')
  })

  for (const [what, change] of Object.entries(CHANGES)) {
    check(`D8 a cursor with ${what} returns 400 that names after`, async ({ api }) => {
      const after = await getCursor(api, '/cves', QUERY)
      rejects(await api.get('/cves', { ...QUERY, ...change, after }), 'after', after.slice(0, MAX_VALUE_LENGTH))
    })
  }

  check('D8 a cursor of another endpoint returns 400 that names after', async ({ api }) => {
    const [ofCves, ofKev] = [await getCursor(api, '/cves', {}), await getCursor(api, '/kev', {})]
    rejects(await api.get('/kev', { after: ofCves }), 'after')
    rejects(await api.get('/cves', { after: ofKev }), 'after')
    rejects(await api.get('/cves/recent', { after: ofCves }), 'after')
  })

  const tamperedTitle = 'D8 a cursor with a changed, removed or added character returns 400 that names after'
  check(tamperedTitle, async ({ api }) => {
    const after = await getCursor(api, '/cves', QUERY)
    const step = Math.ceil(after.length / 24)
    for (let at = 0; at < after.length; at += step) {
      const changed = `${after.slice(0, at)}${flip(after[at])}${after.slice(at + 1)}`
      rejects(await api.get('/cves', { ...QUERY, after: changed }), 'after')
    }
    for (const changed of [after.slice(0, -4), after.slice(4), `${after}AAAA`])
      rejects(await api.get('/cves', { ...QUERY, after: changed }), 'after')
  })

  for (const path of ['/cves', '/cves/recent', '/kev']) {
    check(`D8 a forged cursor on ${path} returns 400 that names after`, async ({ api }) => {
      for (const after of FORGED) rejects(await api.get(path, { after }), 'after', after.slice(0, MAX_VALUE_LENGTH))
    })
  }

  check('D8 a cursor that is used twice returns the same page', async ({ api }) => {
    const after = await getCursor(api, '/cves', QUERY)
    const readPage = async () => idsOf(ok(await api.get('/cves', { ...QUERY, after })).cves)
    same(await readPage(), await readPage(), 'pages')
  })
})
