// Checks of EPSS scores over time: GET /cve/{id}/epss and GET /epss/movers.

import { section } from '../../lib/check.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects, same } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'

const MS_PER_DAY = 86_400_000
const toPath = (id) => `/cve/${id}/epss`
const addDays = (day, count) => new Date(Date.parse(day) + count * MS_PER_DAY).toISOString().slice(0, 10)

// Invalid queries: [description of the mistake, query, parameter in the error]
const BAD_WINDOWS = [
  ['a day that does not exist', { from: '2026-02-30' }, 'from'],
  ['from after to', { from: '2026-02-02', to: '2026-02-01' }, 'from'],
  ['a day more than five years', { from: '2021-02-01', to: '2026-02-02' }, 'from'],
]

const BAD_MOVERS = [
  ['2 days', { days: 2 }, 'days'],
  ['an unknown direction', { direction: 'sideways' }, 'direction'],
  ['a difference above 1', { min_delta: '1.1' }, 'min_delta'],
  ['a ratio below 1', { min_ratio: '0.5' }, 'min_ratio'],
  ['a limit of 501', { limit: 501 }, 'limit'],
]

export const checks = section('EPSS over time', (check) => {
  check('the newest score of a series is the score of the CVE', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('in KEV', 3)) {
      const { epss } = ok(await api.get(`/cve/${id}`, { fields: 'epss' })).cve
      if (!epss) continue
      const { series } = ok(await api.get(toPath(id), { from: epss.date, to: epss.date }))
      equal(series.length, 1, `scores of ${id} on ${epss.date}`)
      equal(series[0].score, epss.score, `score of ${id}`)
    }
  })

  check(
    'D2 epss_trend has the last score of each week of the series, in records and lists',
    async ({ api, discovery }) => {
      for (const { cve_id: id } of await discovery.findSome('in KEV with EPSS', 3)) {
        const selection = { include: 'epss_trend', fields: 'epss' }
        const { epss, epss_trend: trend } = ok(await api.get(`/cve/${id}`, selection)).cve
        const { from, to, lowest, highest, scores } = trend
        equal(to, epss.date, `last day of ${id}`)
        equal(addDays(from, 13 * 7 - 1), to, `days of ${id}`)
        const { series } = ok(await api.get(toPath(id), { from, to }))
        const weeks = scores.map((_, week) => {
          const [first, next] = [addDays(from, week * 7), addDays(from, week * 7 + 7)]
          return series.findLast(({ date }) => first <= date && date < next)?.score ?? null
        })
        same(scores, weeks, `weeks of ${id}`)
        const all = series.map(({ score }) => score)
        same([lowest, highest], [Math.min(...all), Math.max(...all)], `range of ${id}`)
        const { cves } = ok(await api.get('/cves', { ...selection, ids: id }))
        same(cves, [{ epss, epss_trend: trend }], `list with ${id}`)
        same(ok(await api.batch({ cve_ids: [id], fields: ['epss'], include: ['epss_trend'] })).cves[id], cves[0], id)
      }
    },
  )

  check('a window has 90 days by default, and its days are in order and not missing', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const { from, to, series, missing_days: missing } = ok(await api.get(toPath(id)))
    equal(addDays(from, 89), to, 'last day')
    const days = series.map(({ date }) => date)
    same(days, [...new Set(days)].toSorted(), 'days in order')
    for (const day of [...days, ...missing.flatMap((range) => [range.from, range.to])])
      ensure(day >= from && day <= to, `${day} is outside of the window`)
    for (const day of days)
      ensure(!missing.some((range) => range.from <= day && day <= range.to), `${day} has a score and is missing`)
    for (const [index, range] of missing.entries())
      ensure(range.from <= range.to && range.from > (missing[index - 1]?.to ?? ''), 'the missing days overlap')
  })

  check('LEV is at least the share of the first window, and null without a score', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const { series, lev, no_lev_reason } = ok(await api.get(toPath(id)))
    equal(lev === null, no_lev_reason !== null, 'lev is null exactly if no_lev_reason says why')
    if (no_lev_reason !== 'exploited') equal(lev === null, series.length < 30, 'lev needs 30 days of scores')
    if (lev) ensure(lev.score >= (series[0].score * Math.min(lev.days, 30)) / 30 - 0.00001, `LEV is ${lev.score}`)
    equal(ok(await api.get(toPath(id), { from: '2000-01-01', to: '2000-01-02' })).lev, null, 'lev before EPSS')
  })

  check('the ETag of a series gives 304', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const headers = { 'If-None-Match': (await api.get(toPath(id))).header('ETag') }
    equal((await api.get(toPath(id), {}, { headers })).status, 304, 'status')
  })

  check('B4 the series of an unknown CVE returns 404, and of a malformed id 400', async ({ api }) => {
    fails(await api.get(toPath(UNKNOWN_ID)), 404)
    rejects(await api.get(toPath('CVE-1')), 'cve-id', 'CVE-1')
  })

  check('movers are sorted by their difference, and pages of 10 return all of them', async ({ api }) => {
    const { window, movers } = ok(await api.get('/epss/movers', { limit: 40 }))
    equal(window.days, 7, 'days')
    equal(window.comparable, window.not_comparable_reason === null, 'comparable')
    if (window.from === null) equal(window.comparable, false, 'comparable without an earlier release')
    const deltas = movers.map(({ delta }) => delta)
    same(
      deltas,
      [...deltas].toSorted((a, b) => b - a),
      'differences in order',
    )
    for (const { cve_id: id, earlier, later, delta } of movers)
      ensure(delta > 0 && Math.abs(later.score - earlier.score - delta) < 1e-9, `difference of ${id} is ${delta}`)
    const { items } = await readPages(api, '/epss/movers', {}, { limit: 10, maxPages: 4 })
    same(items.slice(0, 40), movers, 'four pages of 10')
    const { nextCursor } = ok(await api.get('/epss/movers', { limit: 1 })).pagination
    if (nextCursor) rejects(await api.get('/epss/movers', { direction: 'down', limit: 1, after: nextCursor }), 'after')
  })

  check('a series of exactly five years is accepted', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    ok(await api.get(toPath(id), { from: '2021-02-02', to: '2026-02-02' }))
  })

  for (const [mistake, query, parameter] of BAD_WINDOWS) {
    check(`a series of ${mistake} is refused and names ${parameter}`, async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      rejects(await api.get(toPath(id), query), parameter)
    })
  }

  for (const [mistake, query, parameter] of BAD_MOVERS) {
    check(`movers with ${mistake} are refused and name ${parameter}`, async ({ api }) =>
      rejects(await api.get('/epss/movers', query), parameter),
    )
  }
})
