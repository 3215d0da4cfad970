import type { ServedEndpoint } from '../../services.ts'
import { answer, code, commands, type Html, html, program, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/kev?limit=1" | jq .data.pagination
`}
${answer(`
{
  "limit": 1,
  "hasMore": true,
  "nextCursor": "eyJ2IjoxLCJr…",
  "totalEstimate": 2
}`)}

<h2 id="all-pages">All pages</h2>
<p>With curl and jq:</p>
${commands`
after=
while
  page=$(curl --silent --fail --get --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cves" \
    --data limit=100 --data severity=critical --data fields=cve_id,published \
    --data-urlencode "after=$after")
  jq --raw-output '.data.cves[] | [.cve_id, .published] | @tsv' <<< "$page"
  after=$(jq --raw-output '.data.pagination.nextCursor // ""' <<< "$page")
  [ -n "$after" ]
do :; done
`}
<p>With <code>vis</code>, which asks for the pages it needs and no more:</p>
${commands`
vis search --severity critical --all --csv > criticals.csv
`}
<p>In TypeScript, where a listing asks for its next page when you have read the last:</p>
${program`
import { createClient } from '@vis/sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })

for await (const { cve_id, published } of client.search({ severity: ['critical'], limit: 100 })) {
  console.log(cve_id, published)
}
`}

<h2 id="what-holds">What holds on the way</h2>
<ul>
<li>A cursor belongs to its filters and its sort. With others it is 400. <code>limit</code>, <code>fields</code> and
<code>include</code> may change from page to page.</li>
<li>A cursor does not expire: a walk can be taken up days later.</li>
<li>A page is never longer than <code>limit</code>, and <code>hasMore</code> is exact: the last page says false, even if
it is full.</li>
<li><code>totalEstimate</code> is counted up to 10,000 and estimated above.</li>
<li>What is published while you walk cannot shift a page: a cursor is a place in the order, not a number of rows.
<code>/api/v1/cves/recent</code> keeps the time of its first page; a walk by <code>modified</code> leaves out what is
newer than its beginning.</li>
<li>Every page is a call, and costs what a call costs.</li>
</ul>
`

export const pagination: GuidePage = {
  path: '/docs/guide/pagination',
  title: 'Pagination',
  summary: 'How to walk a list to its end.',
  body: (endpoints) => html`
<p>A list comes in pages. While <code>pagination.hasMore</code> is true there is a <code>nextCursor</code>: send it back
as <code>after</code>, with the same filters, and you get the next page.</p>
${limits(endpoints)}
${TEXT}
`,
}

interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

function limits(endpoints: readonly ServedEndpoint[]): Html {
  const rows = endpoints.flatMap(({ path, parameters: { query } }) => {
    const schema: Limits | undefined = query['limit']?.schema
    return schema ? [[code(path), `${schema.minimum} to ${schema.maximum}`, schema.default ?? '']] : []
  })
  return table(['list', 'limit', 'without limit'], rows)
}
