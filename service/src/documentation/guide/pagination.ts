import type { ServedEndpoint } from '../../api/services.ts'
import { answer, code, commands, type Html, html, program, python, table } from '../html.ts'
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
<p>With curl and jq. The parentheses start a shell of its own, which <code>exit</code> ends with an error if a call
fails:</p>
${commands`
(
  after=
  while
    page=$(curl --silent --show-error --fail --get --header "X-API-Key: $VIS_API_KEY" \
      "$VIS_URL/api/v1/cves" --data limit=100 --data severity=critical \
      --data fields=cve_id,published --data-urlencode "after=$after") || exit
    jq --raw-output '.data.cves[] | [.cve_id, .published] | @tsv' <<< "$page" || exit
    after=$(jq --raw-output '.data.pagination.nextCursor // ""' <<< "$page")
    [ -n "$after" ]
  do :; done
)
`}
<p>With <code>visctl</code>, which fetches only the pages that it needs:</p>
${commands`
visctl search --severity critical --all --csv > criticals.new && mv criticals.new criticals.csv
`}
<p>In TypeScript, with an iterator that fetches the next page after you have read the previous one:</p>
${program`
import { createClient } from 'vis-sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })

for await (const { cve_id, published } of client.search({ severity: ['critical'], limit: 100 })) {
  console.log(cve_id, published)
}
`}
<p>In Python:</p>
${python`
import json, os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = {"severity": "critical", "limit": 100, "fields": "cve_id,published"}
while True:
    url = os.environ["VIS_URL"] + "/api/v1/cves?" + urlencode(query)
    with urlopen(Request(url, headers={"X-API-Key": os.environ["VIS_API_KEY"]})) as response:
        page = json.load(response)["data"]
    for cve in page["cves"]:
        print(cve["cve_id"], cve["published"])
    if not page["pagination"]["hasMore"]:
        break
    query["after"] = page["pagination"]["nextCursor"]
`}

<h2 id="guarantees">Guarantees</h2>
<ul>
<li>A cursor is valid only with the same filters and the same sort order; otherwise the response is 400. You may change
<code>limit</code>, <code>fields</code> and <code>include</code> from page to page.</li>
<li>A cursor does not expire: you can continue days later.</li>
<li>A page is never longer than <code>limit</code>, and <code>hasMore</code> is exact: it is false on the last page, even
if that page is full.</li>
<li><code>totalEstimate</code> is exact up to 1,000 and estimated above.</li>
<li>CVEs that are published while you read cannot shift a page, because a cursor is a position in the sort order, not a
number of rows. <code>/api/v1/cves/recent</code> keeps the time of its first page. A list sorted by <code>modified</code>
leaves out CVEs that changed after its first page.</li>
<li>Every page is a call and costs as much as the first page.</li>
</ul>
`

export const pagination: GuidePage = {
  path: '/docs/guide/pagination',
  title: 'Pagination',
  summary: 'How to read a list page by page.',
  body: (endpoints) => html`
<p>Lists are returned in pages. While <code>pagination.hasMore</code> is true, send <code>pagination.nextCursor</code> as
the parameter <code>after</code>, with the same filters, to get the next page.</p>
${renderLimits(endpoints)}
${TEXT}
`,
}

interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

function renderLimits(endpoints: readonly ServedEndpoint[]): Html {
  const rows = endpoints.flatMap(({ path, parameters: { query } }) => {
    const schema: Limits | undefined = query['limit']?.schema
    return schema ? [[code(path), `${schema.minimum} to ${schema.maximum}`, schema.default ?? '']] : []
  })
  return table(['list', 'limit', 'default limit'], rows)
}
