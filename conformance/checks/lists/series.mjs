// Checks of counts over time: GET /stats/series and GET /stats/top.

import { section } from '../../lib/check.mjs'
import { equal, ok, rejects, same } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'

const MS_PER_DAY = 86_400_000
const addDays = (day, count) => new Date(Date.parse(day) + count * MS_PER_DAY).toISOString().slice(0, 10)
const series = async (api, query) => ok(await api.get('/stats/series', query))
const add = (counts) => counts.reduce((sum, { count }) => sum + count, 0)

// Invalid queries of /stats/series: [description, query, parameter in the error]
const BAD_QUERIES = [
  ['no metric', {}, 'metric'],
  ['an unknown metric', { metric: 'publishd' }, 'metric'],
  ['an unknown value', { metric: 'published', by: 'vendor' }, 'by'],
  ['a value of another metric', { metric: 'published', by: 'catalog' }, 'by'],
  ['an unknown bucket', { metric: 'published', bucket: 'year' }, 'bucket'],
  ['a day that does not exist', { metric: 'published', from: '2026-02-30' }, 'from'],
  ['from after to', { metric: 'published', from: '2026-02-02', to: '2026-02-01' }, 'from'],
  ['more than 400 days', { metric: 'published', from: '2024-01-01', to: '2026-02-01' }, 'from'],
]

export const checks = section('counts over time', (check) => {
  check('published CVEs of a day are as many as a search finds', async ({ api }) => {
    const { buckets } = await series(api, { metric: 'published', bucket: 'month' })
    for (const { from, to, count } of buckets.filter((bucket) => bucket.count > 0).slice(-2)) {
      const query = { facets: 'severity', published_after: from, published_before: to }
      equal(count, ok(await api.get('/cves/facets', query)).total, `CVEs published from ${from} to ${to}`)
    }
  })

  check('additions to KEV in a month are as many as KEV has with such a date', async ({ api }) => {
    const { items: entries } = await readPages(api, '/kev')
    const { buckets } = await series(api, { metric: 'kev_added', bucket: 'month', by: 'catalog' })
    for (const { from, to, count, values } of buckets) {
      if (count === null) continue
      equal(count, entries.filter(({ dateAdded }) => from <= dateAdded && dateAdded <= to).length, `KEV in ${from}`)
      equal(values.find(({ value }) => value === 'kev').count, count, 'count of the value kev')
    }
  })

  for (const bucket of ['day', 'week', 'month']) {
    check(`buckets of a ${bucket} follow each other without a gap`, async ({ api }) => {
      const { from, to, buckets } = await series(api, { metric: 'published', bucket })
      same([buckets[0].from, buckets.at(-1).to], [from, to], 'ends of the window')
      for (const [index, each] of buckets.slice(1).entries())
        equal(each.from, addDays(buckets[index].to, 1), 'first day after the bucket before')
      if (bucket === 'week')
        for (const each of buckets) equal(new Date(each.from).getUTCDay(), 1, `weekday of ${each.from}`)
    })
  }

  for (const by of ['severity', 'priority']) {
    check(`the values of by=${by} add up to the count`, async ({ api }) => {
      const { buckets, total } = await series(api, { metric: 'published', bucket: 'month', by })
      for (const { from, count, values } of buckets)
        if (count !== null) equal(add(values), count, `values of the bucket ${from}`)
      if (total !== null) equal(add(buckets), total, 'total')
    })
  }

  check('counts before complete_since are null, and later ones are not', async ({ api }) => {
    const { complete_since: since, buckets: newest } = await series(api, { metric: 'kev_added' })
    if (since === null) {
      for (const { count } of newest) equal(count, null, 'count of a catalog without KEV')
      return
    }
    const day = since.slice(0, 'YYYY-MM-DD'.length)
    const { buckets } = await series(api, { metric: 'kev_added', from: addDays(day, -5), to: day })
    for (const { from, count } of buckets)
      equal(count === null, `${from}T00:00:00Z` < since, `the count of ${from} is null, complete since ${since}`)
  })

  check('the names of a top are those of a facet', async ({ api }) => {
    const { from, to } = await series(api, { metric: 'published', bucket: 'month' })
    const query = { from, to, limit: 5, metric: 'published' }
    const { names, total, without_name } = ok(await api.get('/stats/top', { of: 'cwe', ...query }))
    const facet = ok(
      await api.get('/cves/facets', { facets: 'cwe', facet_size: 5, published_after: from, published_before: to }),
    )
    equal(total, facet.total, 'total')
    same(
      names,
      facet.facets.cwe.filter(({ value }) => value !== null),
      'weaknesses',
    )
    equal(without_name, facet.facets.cwe.find(({ value }) => value === null)?.count ?? 0, 'CVEs without a weakness')
  })

  for (const [mistake, query, parameter] of BAD_QUERIES) {
    check(`rejects ${mistake}`, async ({ api }) => {
      rejects(await api.get('/stats/series', query), parameter)
    })
  }

  check('a top rejects an unknown kind of name', async ({ api }) => {
    rejects(await api.get('/stats/top', { of: 'vendr', metric: 'published' }), 'of')
  })
})
