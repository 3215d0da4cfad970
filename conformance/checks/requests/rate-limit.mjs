// Checks of the free plan's rate limit. The key "free" in keys.json is used to read the rate-limit headers. The key
// "burst", which has a separate account, is used to exhaust the limit.

import { setTimeout as sleep } from 'node:timers/promises'
import { section, skip } from '../../lib/check.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok } from '../../lib/expect.mjs'
import { assertShape, count, dateTime, object } from '../../lib/shape.mjs'

/** Maximum time that the suite waits for a new rate window. */
const MAX_WAIT_S = 65
const MAX_WINDOW_S = 3600
/** Maximum number of calls that a check sends to exhaust a rate limit. */
const MAX_BURST = 2000
const EXTRA_CALLS = 25
/** Number of calls sent on a paid plan: more than the free plan allows per minute. */
const PAID_CALLS = 90

const remainingOf = (answer) => Number(answer.header('X-Rate-Limit-Remaining'))
const secondsToReset = (answer) => Number(answer.header('X-Rate-Limit-Reset')) - Date.now() / 1000
const ping = (api, key) => api.get('/ping-lite', undefined, { key })
const hasRateHeaders = (answer) => Object.keys(answer.headers).some((name) => name.startsWith('x-rate-limit'))

function assertRateHeaders(answer) {
  const [remaining, reset] = ['X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'].map((name) => answer.header(name))
  ensure(/^\d+$/.test(remaining ?? ''), `${answer} X-Rate-Limit-Remaining: ${remaining}`)
  ensure(/^\d{10}$/.test(reset ?? ''), `${answer} X-Rate-Limit-Reset: ${reset}`)
  const seconds = secondsToReset(answer)
  ensure(seconds > -2 && seconds < MAX_WINDOW_S + 1, `${answer} resets in ${seconds} s`)
}

/** Waits for a new rate window if the current window has too few calls or seconds left for a whole check. */
async function ensureWindow(api, key, { calls, seconds }) {
  const answer = await ping(api, key)
  assertRateHeaders(answer)
  if (remainingOf(answer) >= calls && secondsToReset(answer) > seconds) return
  const wait = secondsToReset(answer)
  if (wait > MAX_WAIT_S) skip(`the rate window of "${key}" has no calls left for ${Math.round(wait)} s`)
  await sleep(Math.max(0, wait * 1000) + 1100)
}

const free = { needs: ['free'] }
const ENOUGH = { calls: 20, seconds: 5 }
const burstDetails = object({ limit: count, window_seconds: count, reset_at: dateTime })

function assertRefused(answer) {
  const { details } = fails(answer, 429, 'RATE_LIMIT_EXCEEDED')
  assertShape(details, burstDetails, 'details')
  const wait = Number(answer.header('Retry-After'))
  const isRight = Number.isInteger(wait) && wait >= 0 && wait <= details.window_seconds + 1
  ensure(isRight, `Retry-After ${answer.header('Retry-After')}`)
  assertRateHeaders(answer)
  equal(remainingOf(answer), 0, 'X-Rate-Limit-Remaining')
}

export const checks = section('Rate limit', (check) => {
  const everyAnswer = 'A11 every authenticated answer to the free plan has the rate limit headers, errors included'
  check(everyAnswer, free, async ({ api }) => {
    await ensureWindow(api, 'free', ENOUGH)
    const calls = [
      ['/ping'],
      ['/usage'],
      ['/kev', { limit: 1 }],
      ['/cves', { limit: 0 }],
      ['/cve/nonsense'],
      [`/cve/${UNKNOWN_ID}`],
      [`/cve/${UNKNOWN_ID}/detail`, { vendor: 'ghsa' }],
    ]
    for (const [path, query] of calls) assertRateHeaders(await api.get(path, query, { key: 'free' }))
    assertRateHeaders(await api.batch('{', { key: 'free' }))
    assertRateHeaders(await api.head('/kev', { limit: 0 }, { key: 'free' }))
  })

  check('A11 ping, ping-lite and usage return rate limit headers and consume no call', free, async ({ api }) => {
    await ensureWindow(api, 'free', ENOUGH)
    const first = remainingOf(await ping(api, 'free'))
    for (const path of ['/ping', '/ping-lite', '/usage', '/ping', '/usage'])
      equal(remainingOf(await api.get(path, undefined, { key: 'free' })), first, `remaining after ${path}`)
  })

  check('A11 a call of another endpoint than ping, ping-lite and usage consumes one call', free, async ({ api }) => {
    await ensureWindow(api, 'free', ENOUGH)
    const before = remainingOf(await ping(api, 'free'))
    const answer = await api.get(`/cve/${UNKNOWN_ID}`, undefined, { key: 'free' })
    equal(remainingOf(answer), before - 1, 'remaining after one call')
    equal(remainingOf(await ping(api, 'free')), before - 1, 'remaining shown by ping-lite')
  })

  check('A11 answers without authentication have no rate limit headers', free, async ({ api }) => {
    for (const answer of [await api.get('/kev', undefined, { key: null }), await api.health()])
      ensure(!hasRateHeaders(answer), `${answer}`)
  })

  for (const key of ['pro', 'enterprise']) {
    check(`A11 the ${key} plan has no rate limit and no rate limit headers`, { needs: [key] }, async ({ api }) => {
      const answers = [
        await api.get('/kev', { limit: 1 }, { key }),
        await api.get('/kev', { limit: 0 }, { key }),
        await api.get('/usage', undefined, { key }),
      ]
      for (let call = 0; call < PAID_CALLS; call += 1)
        answers.push(await api.get(`/cve/${UNKNOWN_ID}`, undefined, { key }))
      for (const answer of answers) ensure(answer.status !== 429 && !hasRateHeaders(answer), `${answer}`)
    })
  }

  const exact = 'A11 exactly as many calls as the limit allows pass, and further calls get 429 RATE_LIMIT_EXCEEDED'
  check(exact, { needs: ['burst'] }, async ({ api }) => {
    const key = 'burst'
    await ensureWindow(api, key, { calls: 1, seconds: 15 })
    const limit = remainingOf(await ping(api, key))
    if (limit > MAX_BURST) skip(`the limit leaves ${limit} calls, which are too many to send`)
    // The calls request an unknown CVE: they count towards the rate limit but cost no credits.
    const callOne = () => api.get(`/cve/${UNKNOWN_ID}`, undefined, { key })
    const answers = await Promise.all(Array.from({ length: limit + EXTRA_CALLS }, callOne))
    equal(answers.filter((answer) => answer.status === 404).length, limit, `answers that passed, of ${limit}`)
    const refused = answers.filter((answer) => answer.status === 429)
    equal(refused.length, EXTRA_CALLS, 'refused answers')
    for (const answer of refused) assertRefused(answer)
  })

  const rateFirst = 'B2 the rate limit is checked before parameters: a bad parameter beyond the limit returns 429'
  check(rateFirst, { needs: ['burst'] }, async ({ api }) => {
    const probe = await ping(api, 'burst')
    if (remainingOf(probe) > 0 || secondsToReset(probe) < 3) skip('the account "burst" is not at its limit')
    fails(await api.get('/cves', { limit: 0 }, { key: 'burst' }), 429, 'RATE_LIMIT_EXCEEDED')
  })

  const perAccount = 'A3 an exhausted rate limit of one account does not affect other accounts'
  check(perAccount, { needs: ['burst', 'pro'] }, async ({ api }) => {
    ok(await api.get('/kev', { limit: 1 }))
  })
})
