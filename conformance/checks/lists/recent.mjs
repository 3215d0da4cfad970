// Checks of GET /cves/recent. The lookback period of a query moves with the clock, so comparisons leave out the records
// near the start of the period.

import { section, skip } from '../../lib/check.mjs'
import { cveRecent, toBand } from '../../lib/cve-shapes.mjs'
import { ADD_ONS } from '../../lib/discovery.mjs'
import { ensure, equal, idsOf, ok, sameMembers, sameOrder } from '../../lib/expect.mjs'
import { compareIds, readPages } from '../../lib/pages.mjs'
import { assertShape, text } from '../../lib/shape.mjs'

const HOUR_MS = 3_600_000
/**
 * Records that are closer than this to an end of the lookback period may enter or leave it during the run. A KEV
 * catalog or notice event stays in the list for five minutes after it leaves the period.
 */
const TOLERANCE_MS = 420_000
/** Record counts of two calls may differ by this many, because the lookback period moves between the calls. */
const COUNT_TOLERANCE = 3
const MIN_RECORDS = 5
const MAX_RECORDS = 4000
const LOOKBACKS = [{ hours: 24 }, { hours: 72 }, { hours: 168 }, { days: 14 }, { days: 30 }]
const toMs = ({ hours = 0, days = 0 }) => (days * 24 + hours) * HOUR_MS

async function chooseLookback(api) {
  for (const lookback of LOOKBACKS) {
    const limits = { limit: 500, maxPages: MAX_RECORDS / 500 }
    const { items, complete } = await readPages(api, '/cves/recent', { ...lookback, fields: 'cve_id' }, limits)
    if (items.length >= MIN_RECORDS && complete) return lookback
  }
  return skip(`no lookback period up to 30 days holds ${MIN_RECORDS} to ${MAX_RECORDS} CVEs`)
}

/** Lists of recent CVEs that were already read, by server and query. Most checks use the same list. */
const cache = new WeakMap()

/** Reads all pages of /cves/recent for the shortest lookback period with enough records. */
async function readFeed({ api, now }, extra = {}) {
  const known = cache.get(api) ?? { feeds: new Map() }
  cache.set(api, known)
  known.lookback ??= await chooseLookback(api)
  const key = JSON.stringify(extra)
  const feed = known.feeds.get(key) ?? (await read(api, known.lookback, extra, now))
  known.feeds.set(key, feed)
  return feed
}

async function read(api, lookback, extra, now) {
  const include = ['events', ...(extra.include ? [extra.include] : [])].join(',')
  const { items, pages } = await readPages(api, '/cves/recent', { ...lookback, ...extra, include }, { limit: 500 })
  const [oldest, newest] = [now() - toMs(lookback), now()]
  const isWithin = (time) =>
    time !== null && Date.parse(time) >= oldest - TOLERANCE_MS && Date.parse(time) <= newest + TOLERANCE_MS
  const isClear = (time) => time === null || Math.abs(Date.parse(time) - oldest) > TOLERANCE_MS
  /** Returns the ids of the records that stay in the lookback period during the whole run. */
  const clearIds = (records) =>
    idsOf(
      records.filter(({ published, modified, events }) =>
        [published, modified, ...events.map(({ time }) => time)].every(isClear),
      ),
    )
  return { lookback, items, pages, isWithin, clearIds }
}

const countFound = async (api, query) => ok(await api.get('/cves/recent', { ...query, limit: 1 })).total_found

export const checks = section('Recent', (check) => {
  const shapeTitle = 'D10 /cves/recent has cves, pagination, lookback_period and total_found, and limit defaults to 100'
  check(shapeTitle, async ({ api }) => {
    const data = ok(await api.get('/cves/recent'))
    equal(data.pagination.limit, 100, 'pagination.limit')
    assertShape(data.lookback_period, text, 'lookback_period')
    ensure(Number.isInteger(data.total_found) && Array.isArray(data.cves), 'total_found, cves')
  })

  check('C19 lookback_period is 24 hours, 1 hour, 7 days or 1 day, as the request says', async ({ api }) => {
    for (const [query, expected] of [
      [{}, '24 hours'],
      [{ hours: 1 }, '1 hour'],
      [{ days: 7 }, '7 days'],
      [{ days: 1 }, '1 day'],
    ]) {
      const { lookback_period: period } = ok(await api.get('/cves/recent', { ...query, limit: 1 }))
      equal(period, expected, JSON.stringify(query))
    }
  })

  const formTitle =
    'D10 each recent CVE has the members of a batch record, and its kev object has those of batch and single records'
  check(formTitle, async (context) => {
    const { items } = await readFeed(context, { include: ADD_ONS })
    for (const record of items) assertShape(record, cveRecent, record.cve_id)
  })

  check('D10 total_found of /cves/recent is exact and the same on every page', async (context) => {
    const { items, pages, lookback } = await readFeed(context)
    for (const page of pages) equal(page.total_found, items.length, 'total_found')
    const found = await countFound(context.api, lookback)
    const isNear = Math.abs(found - items.length) <= COUNT_TOLERANCE
    ensure(isNear, `total_found is ${found} with limit 1, but there are ${items.length} records`)
  })

  check('D10 every recent CVE has events, all of them within the lookback period', async (context) => {
    const { items, isWithin } = await readFeed(context)
    for (const { cve_id: id, events } of items) {
      ensure(events.length > 0, `${id} has no event`)
      for (const { kind, time: at } of events) ensure(isWithin(at), `${id} ${kind} ${at}`)
    }
  })

  check('D10 the events published and modified have the times of the record', async (context) => {
    const { items } = await readFeed(context)
    for (const record of items)
      for (const { kind, time: at } of record.events)
        if (kind in record) equal(at, record[kind], `${record.cve_id} ${kind}`)
  })

  check('D10 events of /cves/recent are returned only if include names them', async ({ api }) => {
    const { cves } = ok(await api.get('/cves/recent', { days: 30, limit: 5 }))
    for (const record of cves) ensure(!('events' in record), `${record.cve_id} has events without include`)
  })

  check('D7 /cves/recent orders CVEs by the newest matching event, then by year and number', async (context) => {
    const { items } = await readFeed(context)
    const newestEvent = ({ events }) => events[0].time
    const newestFirst = (a, b) => newestEvent(b).localeCompare(newestEvent(a)) || compareIds(b.cve_id, a.cve_id)
    for (const { cve_id: id, events } of items) {
      const times = events.map(({ time }) => time)
      sameOrder(times, times.toSorted().toReversed(), `events of ${id}`)
    }
    sameOrder(idsOf(items), idsOf([...items].sort(newestFirst)), 'order')
  })

  const TYPES = {
    published: ['publication', ({ kind }) => kind === 'published'],
    modified: ['modification, KEV event or ACSC notice', ({ kind }) => kind !== 'published'],
  }
  for (const [type, [name, isOfType]] of Object.entries(TYPES)) {
    check(`D10 type=${type} returns exactly the CVEs with a ${name} within the lookback period`, async (context) => {
      const [all, typed] = [await readFeed(context), await readFeed(context, { type })]
      for (const { cve_id: id, events } of typed.items)
        ensure(events.length > 0 && events.every(isOfType), `${id} ${events.map(({ kind }) => kind)}`)
      const expected = all.items.filter(({ events }) => events.some(isOfType))
      sameMembers(all.clearIds(typed.items), all.clearIds(expected), type)
    })
  }

  check('D10 the default type of /cves/recent is both', async (context) => {
    const [implicit, explicit] = [await readFeed(context), await readFeed(context, { type: 'both' })]
    sameMembers(implicit.clearIds(explicit.items), implicit.clearIds(implicit.items), 'ids')
  })

  check('D10 days above 0 overrides hours, and days=0 leaves hours in effect', async ({ api }) => {
    const assertNear = async (one, other) => {
      const [a, b] = [await countFound(api, one), await countFound(api, other)]
      ensure(Math.abs(a - b) <= COUNT_TOLERANCE, `${JSON.stringify(one)} ${a}, ${JSON.stringify(other)} ${b}`)
    }
    await assertNear({ days: 7, hours: 1 }, { days: 7 })
    await assertNear({ days: 0, hours: 48 }, { hours: 48 })
    await assertNear({ days: 7 }, { hours: 168 })
    await assertNear({}, { hours: 24 })
  })

  check('D10 a longer lookback period holds at least as many records', async ({ api }) => {
    const found = []
    for (const query of [{ hours: 1 }, { hours: 24 }, { days: 7 }, { days: 30 }])
      found.push(await countFound(api, query))
    for (let at = 1; at < found.length; at += 1)
      ensure(found[at] >= found[at - 1] - COUNT_TOLERANCE, `total_found ${found}`)
  })

  check('D10 severity accepts a list of bands and returns exactly the CVEs of these bands', async (context) => {
    const [all, some] = [await readFeed(context), await readFeed(context, { severity: 'critical,medium' })]
    const isWanted = ({ severity }) => severity !== null && ['CRITICAL', 'MEDIUM'].includes(toBand(severity))
    sameMembers(all.clearIds(some.items), all.clearIds(all.items.filter(isWanted)), 'ids')
    equal(some.pages[0].total_found, some.items.length, 'total_found of the filtered feed')
  })

  check('C8 has_acsc=true and has_acsc=false together return all recent CVEs', async (context) => {
    const all = await readFeed(context, { include: ADD_ONS })
    for (const has_acsc of [true, false]) {
      const { items } = await readFeed(context, { has_acsc })
      const expected = all.items.filter((record) => record.acsc_notices.length > 0 === has_acsc)
      sameMembers(all.clearIds(items), all.clearIds(expected), `has_acsc=${has_acsc}`)
    }
  })

  check(
    'D8 small pages return all recent CVEs, because the cursor keeps the time of the first page',
    async (context) => {
      const { items, lookback, clearIds } = await readFeed(context)
      const limit = Math.max(2, Math.ceil(items.length / 20))
      const query = { ...lookback, fields: 'cve_id,published,modified,events', include: 'events' }
      const { items: small, pages } = await readPages(context.api, '/cves/recent', query, { limit })
      sameOrder(clearIds(small), clearIds(items), 'order')
      const distinct = new Set(pages.map((page) => `${page.total_found} ${page.lookback_period}`))
      equal(distinct.size, 1, 'total_found and lookback_period over the pages')
    },
  )
})
