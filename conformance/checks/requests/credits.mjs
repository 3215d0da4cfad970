// Checks of the price of each call, of the calls that cost no credits, and of an account without credits.

import { usage as usageShape } from '../../lib/answer-shapes.mjs'
import { section, skip } from '../../lib/check.mjs'
import { PRICES } from '../../lib/contract.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects, same } from '../../lib/expect.mjs'
import { assertShape, count, dateTime, object } from '../../lib/shape.mjs'

/** Allowed difference between Retry-After and the time until reset_at, which the suite computes a little later. */
const MAX_RETRY_DIFFERENCE_S = 120

/** Runs calls and returns what they cost in credits. */
async function measure(api, run, key = 'pro') {
  const before = await api.usage(key)
  await run()
  return (await api.usage(key)).credits_used - before.credits_used
}

async function repeat(times, run) {
  for (let call = 0; call < times; call += 1) await run()
}

const creditDetails = object({ credits_used: count, credits_limit: count, reset_at: dateTime })

function assertOutOfCredits(answer) {
  const { details } = fails(answer, 429, 'CREDIT_LIMIT_EXCEEDED')
  assertShape(details, creditDetails, 'details')
  const wait = Number(answer.header('Retry-After'))
  const untilReset = (Date.parse(details.reset_at) - Date.now()) / 1000
  const isRight = Number.isInteger(wait) && wait > 0 && Math.abs(wait - untilReset) < MAX_RETRY_DIFFERENCE_S
  ensure(isRight, `Retry-After ${wait}, reset in ${untilReset} s`)
}

const findId = async (discovery, kind = 'in KEV') => (await discovery.findOne(kind)).cve_id
const MANY_IDS = Array.from({ length: 50 }, (_, index) => `CVE-2019-${10_000 + index}`)

/** Prices that the specification names. They never change; all others are published only in openapi.json. */
const SPECIFIED_PRICES = {
  ping: 0,
  pingLite: 0,
  getCve: 5,
  batchCves: 35,
  searchCves: 1,
  recentCves: 2,
  listKev: 1,
  getUsage: 0,
  getStats: 0.5,
  health: 0,
}

// Calls and their prices: [name of the call, credits, function that sends the call]
const CALLS = [
  ['GET /ping', PRICES.ping, ({ api }) => api.get('/ping')],
  ['GET /ping-lite', PRICES.pingLite, ({ api }) => api.get('/ping-lite')],
  ['GET /usage', PRICES.getUsage, ({ api }) => api.get('/usage')],
  ['GET /cve/{id}', PRICES.getCve, async ({ api, discovery }) => api.get(`/cve/${await findId(discovery)}`)],
  [
    'GET /cve/{id} with every add-on',
    PRICES.getCve,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery)}`, { include: 'acsc,enrichment,attack' }),
  ],
  ['GET /cves with limit=100', PRICES.searchCves, ({ api }) => api.get('/cves', { limit: 100 })],
  ['GET /cves without a match', PRICES.searchCves, ({ api }) => api.get('/cves', { q: 'zzqxjkvwyzz' })],
  ['GET /cves/recent', PRICES.recentCves, ({ api }) => api.get('/cves/recent', { limit: 1 })],
  ['GET /kev', PRICES.listKev, ({ api }) => api.get('/kev')],
  [
    'A9 GET /cve/{id}/detail with full detail',
    PRICES.getCveDetail,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery, 'with full detail')}/detail`),
  ],
  [
    'A9 GET /cve/{id}/detail with partial detail',
    PRICES.getCveDetail,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery, 'with partial detail')}/detail`),
  ],
  [
    'A9 GET /cve/{id}/detail without a record',
    0,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery, 'without detail')}/detail`),
  ],
  [
    'A9 GET /cve/{id}/exploits',
    PRICES.listExploits,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery)}/exploits`),
  ],
  [
    'A9 GET /cve/{id}/epss',
    PRICES.getEpssSeries,
    async ({ api, discovery }) => api.get(`/cve/${await findId(discovery)}/epss`),
  ],
  ['A9 GET /epss/movers', PRICES.listEpssMovers, ({ api }) => api.get('/epss/movers')],
  ['A9 GET /cves/facets', PRICES.facetCves, ({ api }) => api.get('/cves/facets', { facets: 'severity' })],
  ['GET /stats/series', PRICES.getStatsSeries, ({ api }) => api.get('/stats/series', { metric: 'published' })],
  ['GET /stats/top', PRICES.getStatsTop, ({ api }) => api.get('/stats/top', { of: 'vendor', metric: 'kev_added' })],
  ['A9 GET /suggest', PRICES.suggest, ({ api }) => api.get('/suggest', { of: 'product', q: 'win' })],
  [
    'POST /cve/batch with one CVE',
    PRICES.batchCves,
    async ({ api, discovery }) => api.batch({ cve_ids: [await findId(discovery)] }),
  ],
  ['POST /cve/batch with 50 ids, found or not,', PRICES.batchCves, ({ api }) => api.batch({ cve_ids: MANY_IDS })],
  ['GET /health', PRICES.health, ({ api }) => api.health({ key: 'pro' })],
  ['B12 HEAD /cves', PRICES.searchCves, ({ api }) => api.head('/cves')],
  ['B12 HEAD /cve/{id}', PRICES.getCve, async ({ api, discovery }) => api.head(`/cve/${await findId(discovery)}`)],
  ['B12 OPTIONS /cves', 0, ({ api }) => api.call('OPTIONS', '/cves')],
]

// Calls that cost no credits: [name of the call, expected status, function that sends the call]
const UNCHARGED = [
  ['a 400 of /cves', 400, (api) => api.get('/cves', { limit: 0 })],
  ['a 400 for an unknown parameter', 400, (api) => api.get('/kev', { colour: 'red' })],
  ['a 400 for a malformed id', 400, (api) => api.get('/cve/nonsense')],
  ['a 400 for a bad cursor', 400, (api) => api.get('/cves', { after: 'garbage' })],
  ['a 400 of the batch', 400, (api) => api.batch({ cve_ids: [] })],
  ['malformed JSON', 400, (api) => api.batch('{')],
  ['a 413', 413, (api) => api.batch('x'.repeat(70_000))],
  ['a 415', 415, (api) => api.batch('x', { contentType: 'text/plain' })],
  ['a 403 for an enterprise source', 403, (api) => api.get('/cve/CVE-2021-44228/detail', { vendor: 'msrc' })],
  ['a 404 for an unknown CVE', 404, (api) => api.get(`/cve/${UNKNOWN_ID}`)],
  ['a 404 for the detail of an unknown CVE', 404, (api) => api.get(`/cve/${UNKNOWN_ID}/detail`)],
  ['a 404 for an unknown alias', 404, (api) => api.get('/alias/GHSA-2222-2222-2222')],
  ['a 404 of HEAD', 404, (api) => api.head(`/cve/${UNKNOWN_ID}`)],
  ['a 405', 405, (api) => api.call('DELETE', '/cves')],
]

function definePrices(check) {
  check('A9 the published prices are those that the specification names', () => {
    for (const [operation, price] of Object.entries(SPECIFIED_PRICES)) equal(PRICES[operation], price, operation)
  })

  for (const [call, price, run] of CALLS) {
    check(`${call} costs ${price} credit${price === 1 ? '' : 's'}`, async (context) => {
      // The first run makes the suite look up CVEs, which costs credits that must not be measured below.
      await run(context)
      const spent = await measure(context.api, async () => {
        const { status } = await run(context)
        ensure(status < 300, `the call returned ${status}`)
      })
      equal(spent, price, 'credits')
    })
  }

  check('A9 two calls of GET /alias/{alias} cost twice its price', async ({ api, discovery }) => {
    const alias = `GCVE-0-${(await findId(discovery)).slice(4)}`
    const callAlias = async () => ok(await api.get(`/alias/${alias}`))
    equal(await measure(api, () => repeat(2, callAlias)), 2 * PRICES.getAlias, 'two calls')
  })

  check('A8 two and four calls of GET /stats cost twice and four times its price', async ({ api }) => {
    const callStats = async () => ok(await api.get('/stats'))
    equal(await measure(api, () => repeat(2, callStats)), 2 * PRICES.getStats, 'two calls')
    equal(await measure(api, () => repeat(4, callStats)), 4 * PRICES.getStats, 'four calls')
  })

  check('A8 credits_used is an integer that is rounded up', async ({ api }) => {
    const used = []
    await repeat(3, async () => {
      ok(await api.get('/stats'))
      const usage = await api.usage()
      assertShape(usage, usageShape, 'usage')
      equal(usage.credits_remaining, usage.credits_limit - usage.credits_used, 'credits_remaining')
      used.push(usage.credits_used)
    })
    equal(used[2] - used[0], 1, `one credit for two calls (${used})`)
  })

  for (const [call, status, run] of UNCHARGED) {
    check(`A6 ${call} costs no credits`, async ({ api }) => {
      const callOnce = async () => equal((await run(api)).status, status, 'status')
      equal(await measure(api, () => repeat(3, callOnce)), 0, 'credits of three calls')
    })
  }

  check('A6 a 304 costs no credits', async ({ api, discovery }) => {
    const id = await findId(discovery)
    for (const path of ['/kev', '/cves', `/cve/${id}`, `/cve/${id}/detail`]) {
      const headers = { 'If-None-Match': (await api.get(path)).header('ETag') }
      const callAgain = async () => equal((await api.get(path, undefined, { headers })).status, 304, `${path} status`)
      equal(await measure(api, callAgain), 0, path)
    }
  })

  check('A6 each of 60 parallel calls is charged', async ({ api }) => {
    const callOne = (_, index) => (index % 3 === 0 ? api.get(`/cve/${UNKNOWN_ID}`) : api.get('/kev', { limit: 1 }))
    let answers = []
    const spent = await measure(api, async () => {
      answers = await Promise.all(Array.from({ length: 60 }, callOne))
    })
    const succeeded = answers.filter((answer) => answer.status === 200).length
    equal(spent, succeeded, `credits for ${succeeded} calls that succeeded`)
    ensure(succeeded > 0, 'no call succeeded')
  })
}

const needs = ['pro', 'exhausted']

function defineExhausted(check) {
  const everywhere = 'A7 an exhausted account gets 429 CREDIT_LIMIT_EXCEEDED with Retry-After on every charged endpoint'
  check(everywhere, { needs }, async ({ api, discovery }) => {
    const [id, key] = [await findId(discovery), 'exhausted']
    for (const path of ['/cves', '/cves/recent', '/kev', '/stats', `/cve/${id}`, `/cve/${id}/detail`])
      assertOutOfCredits(await api.get(path, undefined, { key }))
    assertOutOfCredits(await api.batch({ cve_ids: [id] }, { key }))
    equal((await api.head('/cves', undefined, { key })).status, 429, 'HEAD')
  })

  check('A7 0-credit endpoints answer an exhausted account', { needs }, async ({ api }) => {
    for (const path of ['/ping', '/ping-lite', '/usage']) ok(await api.get(path, undefined, { key: 'exhausted' }))
    const usage = await api.usage('exhausted')
    const expected = [0, usage.credits_limit, 100]
    same([usage.credits_remaining, usage.credits_used, usage.percentage_used], expected, 'usage')
  })

  const orderTitle = 'B2 parameters and plan are checked before credits: an exhausted account gets 400 and 403'
  check(orderTitle, { needs }, async ({ api, discovery }) => {
    const key = 'exhausted'
    rejects(await api.get('/cves', { limit: 0 }, { key }), 'limit', '0')
    fails(await api.get(`/cve/${await findId(discovery)}/detail`, { vendor: 'ghsa' }, { key }), 403)
  })

  check('A6, B2 an unknown CVE returns 404 or 429 to an exhausted account', { needs }, async ({ api }) => {
    const answer = await api.get(`/cve/${UNKNOWN_ID}`, undefined, { key: 'exhausted' })
    // It is a 404 if this node has cached that the CVE id is unknown: it then answers before it checks credits.
    if (answer.status === 404) fails(answer, 404)
    else assertOutOfCredits(answer)
  })

  check('A6 a matching ETag returns 304 or 429 to an exhausted account', { needs }, async ({ api, discovery }) => {
    const path = `/cve/${await findId(discovery)}`
    const headers = { 'If-None-Match': (await api.get(path)).header('ETag') }
    const answer = await api.get(path, undefined, { key: 'exhausted', headers })
    ensure([304, 429].includes(answer.status), `${answer}`)
  })
}

/**
 * Sends 100 parallel calls of one credit each with the key of an account that has four credits left. If the limit on
 * concurrent calls (decision B2) rejects so many that credits remain, spends the remaining credits one by one.
 */
async function spendLastFour(api, key) {
  const callOne = () => api.get('/kev', { limit: 1 }, { key })
  const answers = await Promise.all(Array.from({ length: 100 }, callOne))
  const succeeded = answers.filter((answer) => answer.status === 200).length
  const refused = answers.filter((answer) => answer.error?.code === 'CREDIT_LIMIT_EXCEEDED').length
  ensure(
    succeeded <= 4 && refused > 0,
    `with 4 credits left, ${succeeded} of 100 calls passed, ${refused} were refused`,
  )
  await repeat(4 - succeeded, async () => ok(await callOne()))
}

export const checks = section('Credits', (check) => {
  definePrices(check)
  defineExhausted(check)

  const tenTitle =
    'A7, A6 with ten credits left, a call of 35 is refused, calls of 5 and 1 pass, and 100 parallel calls never overdraw'
  check(tenTitle, { needs: ['pro', 'nearly'] }, async ({ api, discovery }) => {
    const key = 'nearly'
    const remaining = async () => (await api.usage(key)).credits_remaining
    const atStart = await remaining()
    if (atStart !== 10) skip(`the account "nearly" has ${atStart} credits left, not 10: create a new one`)
    const id = await findId(discovery)
    assertOutOfCredits(await api.batch({ cve_ids: [id] }, { key }))
    equal(await remaining(), 10, 'left after a refused batch')
    fails(await api.get(`/cve/${UNKNOWN_ID}`, undefined, { key }), 404)
    equal(await remaining(), 10, 'left after a 404')
    ok(await api.get(`/cve/${id}`, undefined, { key }))
    ok(await api.get('/kev', { limit: 1 }, { key }))
    equal(await remaining(), 4, 'left after 5 + 1')
    assertOutOfCredits(await api.get(`/cve/${id}`, undefined, { key }))
    equal(await remaining(), 4, 'left after a refused 5')
    await spendLastFour(api, key)
    equal(await remaining(), 0, 'left after 100 parallel calls')
    assertOutOfCredits(await api.get('/stats', undefined, { key }))
    ok(await api.get('/ping', undefined, { key }))
  })
})
