import type { ServedEndpoint } from '../../api/services.ts'
import { PLANS } from '../../domain/account/plan.ts'
import { answer, code, commands, type Html, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice, findPrice } from './price.ts'

const TEXT = html`
<p>Only responses with a 2xx status are charged. 304, every 4xx (including 404) and every 5xx are free, and so is a detail
response with <code>X-Blob-Status: missing</code>. If you close the connection after the charge, the call is not
refunded.</p>

<h2 id="plans">Plans</h2>
${table(['plan', 'credits per month', 'rate limit'], Object.entries(PLANS).map(renderPlan))}
<p>A month is a calendar month in UTC. Unused credits do not carry over. All keys of an account share its credits. A call
that costs more than the remaining credits gets 429 <code>CREDIT_LIMIT_EXCEEDED</code>; cheaper calls may still
succeed.</p>

<h2 id="remaining-credits">Remaining credits</h2>
<p>Response headers do not show your credits. This call does, and it is free:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/usage" | jq .data.usage
`}
${answer(`
{
  "plan": "pro",
  "credits_limit": 30000,
  "credits_used": 2658,
  "credits_remaining": 27342,
  "reset_at": "2026-09-01T00:00:00Z",
  "percentage_used": 8.86
}`)}
<p><code>visctl usage</code> prints the same numbers.</p>

<h2 id="rate-limit">The rate limit of the free plan</h2>
<p>On the free plan every response shows how many calls are left in the current window
(<code>X-Rate-Limit-Remaining</code>) and when the window ends, in Unix seconds (<code>X-Rate-Limit-Reset</code>). Further
calls get 429 <code>RATE_LIMIT_EXCEEDED</code>: wait for the seconds in <code>Retry-After</code>. <code>vis-sdk</code> and
<code>visctl</code> wait automatically. Paid plans have no rate limit, and their responses have no rate limit headers.</p>

<h2 id="spend-less">Spend less</h2>
<ul>
<li>A batch of many CVEs is cheaper than many single calls: compare the prices above.</li>
<li>If you do not need every member, a search is cheaper than a batch: <code>/api/v1/cves?ids=…</code> takes up to fifty
ids for the price of one page. <code>visctl gate</code> uses it.</li>
<li>Request large pages: <code>limit=100</code> on <code>/api/v1/cves</code>.</li>
<li>Store each response with its <code>ETag</code>, and send the ETag back in <code>If-None-Match</code>: while the data is
unchanged, the response is 304 and free. curl has options for this:</li>
</ul>
${commands`
for call in first second; do
  curl --silent --output kev.json --etag-save kev.etag --etag-compare kev.etag \
    --write-out "$call: %{http_code}\n" --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/kev?limit=500"
done
`}
${answer('first: 200\nsecond: 304')}
`

export const credits: GuidePage = {
  path: '/docs/guide/credits',
  title: 'Credits',
  summary: 'Prices, plans, the rate limit, and how to use fewer credits.',
  body: (endpoints) => html`
<h2 id="prices">Prices</h2>
<p>The price of one response does not depend on its size: a page with one CVE costs the same as a full page.</p>
${renderPrices(endpoints)}
<h2 id="nightly-scans">Nightly scans on the free plan</h2>
${describeNightlyScans(endpoints)}
${TEXT}
`,
}

function renderPrices(endpoints: readonly ServedEndpoint[]): Html {
  const rows = endpoints.map(({ method, path, summary, credits: price }) => [
    code(`${method} ${path}`),
    summary,
    price === 0 ? 'free' : price,
  ])
  return table(['call', 'purpose', 'credits'], rows)
}

/** A month has at most 31 nights. */
const NIGHTS = 31

function describeNightlyScans(endpoints: readonly ServedEndpoint[]): Html {
  const { monthlyCredits } = PLANS.free
  const scan = findPrice(endpoints, 'scan-sbom')
  const scans = Math.floor(monthlyCredits / scan)
  const verdict =
    scans >= NIGHTS
      ? html`which is enough for one scan each night.`
      : html`which is not enough for one scan each night: ${NIGHTS} nights cost ${(NIGHTS * scan).toLocaleString('en')} credits.
The free plan is meant for single look-ups and for scans of what you build, not for a nightly scan.`
  return html`
<p>A scan of an SBOM costs ${describePrice(endpoints, 'scan-sbom')}. The ${monthlyCredits.toLocaleString('en')} credits of the free plan pay for ${scans} scans a
month, ${verdict} Run <code>visctl scan</code> when the SBOM has changed, and read <code>GET /api/v1/changes</code> each night (${describePrice(endpoints, 'list-changes')} per page, or
<code>visctl changes</code>): only a change of one of your CVEs, or a new CVE in one of your products, needs another
scan. Every paid plan pays for a scan each night.</p>
`
}

function renderPlan([name, { monthlyCredits, isRateLimited }]: [string, (typeof PLANS)[keyof typeof PLANS]]) {
  return [
    code(name),
    monthlyCredits === undefined ? 'as agreed' : monthlyCredits.toLocaleString('en'),
    isRateLimited ? 'yes' : 'none',
  ]
}
