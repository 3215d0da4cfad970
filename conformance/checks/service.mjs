// Checks of the endpoints ping, ping-lite, health, usage and stats.

import { health, ping, pingLite, stats as statsShape, usage as usageShape } from '../lib/answer-shapes.mjs'
import { section } from '../lib/check.mjs'
import { toSeconds } from '../lib/discovery.mjs'
import { ensure, equal, ok, same } from '../lib/expect.mjs'
import { assertShape } from '../lib/shape.mjs'

const WEEK_SECONDS = 7 * 24 * 60 * 60

const firstOfNextMonth = () => {
  const now = new Date()
  return toSeconds(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

export const checks = section('Service', (check) => {
  check('D16 ping returns status, timestamp and the database block', async ({ api }) => {
    assertShape(ok(await api.get('/ping')), ping, 'data')
  })

  check('D16 ping-lite returns status and timestamp without the database block', async ({ api }) => {
    assertShape(ok(await api.get('/ping-lite')), pingLite, 'data')
  })

  check(
    'D15 health needs no key and returns status and datasets at the top level and inside data',
    { needs: [] },
    async ({ api }) => {
      const answer = await api.health()
      ok(answer)
      assertShape(answer.json, health, 'body')
      assertShape(answer.data, health, 'data')
      const [topLevel, inData] = [answer.json, answer.data].map(({ status, datasets }) => [
        status,
        Object.keys(datasets),
      ])
      same(topLevel, inData, 'the top level and data')
    },
  )

  check(
    'E10 health states the age of the data of each data set beside the age of the last run',
    { needs: [] },
    async ({ api }) => {
      const { datasets } = ok(await api.health())
      for (const [name, { upstream_at: upstreamAt, data_age_seconds: age }] of Object.entries(datasets))
        equal(age === null, upstreamAt === null, `${name}: data_age_seconds is null exactly if upstream_at is`)
    },
  )

  check('E10 the state of a data set in health agrees with its other members', { needs: [] }, async ({ api }) => {
    for (const [name, dataset] of Object.entries(ok(await api.health()).datasets)) {
      const isEmpty = dataset.table_count === 0 && dataset.upstream_at === null
      if (dataset.state !== 'unknown') equal(dataset.state === 'never_loaded', isEmpty, `${name}: is never_loaded`)
      if (dataset.state === 'fresh') equal(dataset.stale, false, `${name}: stale of a fresh data set`)
    }
  })

  check('E10 EPSS scores older than a week are stale, whenever they were imported', { needs: [] }, async ({ api }) => {
    const { epss } = ok(await api.health()).datasets
    if ((epss.data_age_seconds ?? 0) > WEEK_SECONDS) equal(epss.stale, true, 'stale')
  })

  check('D15 health ignores a bad key', { needs: [] }, async ({ api }) => {
    ok(await api.health({ headers: { 'X-API-Key': 'abc' } }))
  })

  check('A8 usage has the documented shape, and credits_remaining is limit minus used credits', async ({ api }) => {
    const usage = await api.usage()
    assertShape(usage, usageShape, 'usage')
    equal(usage.credits_remaining, usage.credits_limit - usage.credits_used, 'credits_remaining')
  })

  check('A5 reset_at is the first day of the next month at 00:00:00Z', async ({ api }) => {
    equal((await api.usage()).reset_at, firstOfNextMonth(), 'reset_at')
  })

  check('A8 percentage_used is 0 to 100, computed from the exact value, with 2 decimals', async ({ api }) => {
    const { credits_used: used, credits_limit: limit, percentage_used: percentage } = await api.usage()
    equal(Number(percentage.toFixed(2)), percentage, '2 decimals')
    // percentage_used is computed from the exact credits, but credits_used is rounded up by at most half a credit.
    const tolerance = 50.1 / limit + 0.0051
    ensure(Math.abs(percentage - (used / limit) * 100) <= tolerance, `${percentage} for ${used} of ${limit}`)
  })

  for (const plan of ['pro', 'enterprise', 'free']) {
    check(`A4 usage names the plan ${plan}`, { needs: [plan] }, async ({ api }) => {
      const usage = await api.usage(plan)
      assertShape(usage, usageShape, 'usage')
      equal(usage.plan, plan, 'plan')
    })
  }

  check('C20 stats has the documented shape', async ({ api }) => {
    assertShape(ok(await api.get('/stats')).stats, statsShape, 'stats')
  })

  check('C20 stats counts grow from 24 hours to 7 days to 30 days, and no count exceeds the total', async ({ api }) => {
    const { stats } = ok(await api.get('/stats'))
    const rising = [stats.cvesLast24Hours, stats.cvesLast7Days, stats.cvesLast30Days, stats.totalCves]
    same(
      rising,
      [...rising].sort((a, b) => a - b),
      'counts in rising order',
    )
    const average = stats.averageEpssScore ?? 0
    equal(Number(average.toFixed(5)), average, 'averageEpssScore with 5 decimals')
    for (const part of ['totalKev', 'totalWithEpss', 'totalWithAcsc']) ensure(stats[part] <= stats.totalCves, part)
  })
})
