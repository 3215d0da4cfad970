import { PLANS } from '../../../domain/plan.ts'
import type { ServedEndpoint } from '../../services.ts'
import { answer, code, commands, type Html, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>Only answers 2xx are charged. 304, every 4xx (404 too) and every 5xx cost nothing. A call that you give up after it
was charged has been paid for.</p>

<h2 id="plans">Plans</h2>
${table(['plan', 'credits a month', 'rate limit'], Object.entries(PLANS).map(planRow))}
<p>A month is a calendar month in UTC; what is left does not carry over. All keys of an account spend from the same
quota. When a call costs more than is left it is 429 <code>CREDIT_LIMIT_EXCEEDED</code>, and cheaper calls may still
work.</p>

<h2 id="how-much-is-left">How much is left</h2>
<p>No header of an answer says it: ask, it is free.</p>
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
<p><code>vis usage</code> draws the same.</p>

<h2 id="rate-limit">The rate limit of the free plan</h2>
<p>Every answer to a free plan says how many calls are left in the window (<code>X-Rate-Limit-Remaining</code>) and when
it ends, in Unix seconds (<code>X-Rate-Limit-Reset</code>). Beyond it: 429 <code>RATE_LIMIT_EXCEEDED</code>; wait for as
long as <code>Retry-After</code> says. <code>@vis/sdk</code> and <code>vis</code> do so by themselves. Paid plans have no
rate limit and no such headers.</p>

<h2 id="spend-less">Spend less</h2>
<ul>
<li>Many CVEs at once are cheaper as a batch than one by one: compare the prices.</li>
<li>When a list tells enough, it is cheaper still: <code>/api/v1/cves?ids=…</code> takes up to fifty ids for the price of
a page.</li>
<li>Ask for large pages: <code>limit=100</code> on <code>/api/v1/cves</code>.</li>
<li>Keep what you got with its <code>ETag</code>, and send it back: as long as nothing has changed, the answer is 304 and
free. curl can do that by itself:</li>
</ul>
${commands`
for visit in first second; do
  curl --silent --output kev.json --etag-save kev.etag --etag-compare kev.etag \
    --write-out "$visit: %{http_code}\n" --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/kev?limit=500"
done
`}
${answer('first: 200\nsecond: 304')}
`

export const credits: GuidePage = {
  path: '/docs/guide/credits',
  title: 'Credits',
  summary: 'What a call costs, what it never costs, and how to spend less.',
  body: (endpoints) => html`
<h2 id="prices">Prices</h2>
<p>The price of one answer, whatever its size: a page of a list costs the same with one CVE or with all it can hold.</p>
${prices(endpoints)}
${TEXT}
`,
}

function prices(endpoints: readonly ServedEndpoint[]): Html {
  const rows = endpoints.map(({ method, path, summary, credits: price }) => [
    code(`${method} ${path}`),
    summary,
    price === 0 ? 'free' : price,
  ])
  return table(['call', 'what it is', 'credits'], rows)
}

function planRow([name, { monthlyCredits, isRateLimited }]: [string, (typeof PLANS)[keyof typeof PLANS]]) {
  return [
    code(name),
    monthlyCredits === undefined ? 'as agreed' : monthlyCredits.toLocaleString('en'),
    isRateLimited ? 'yes' : 'none',
  ]
}
