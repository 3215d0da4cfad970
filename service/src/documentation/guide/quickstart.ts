import { answer, code, commands, html, program, python, settings, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const FIRST_ANSWER = `
{
  "data": {
    "cve": {
      "cve_id": "CVE-2021-44228",
      "severity": 10,
      "kev": {
        "dateAdded": "2021-12-10",
        "knownRansomware": true,
        "vendorProject": "Apache",
        "product": "Log4j2",
        "vulnerabilityName": "Apache Log4j2 runs code that logged text names",
        "requiredAction": "Update Log4j2, or take what uses it off the network.",
        "dueDate": "2021-12-24",
        "notes": ""
      },
      "epss": {
        "score": 0.94358,
        "percentile": 0.9997179,
        "date": "2026-08-21"
      }
    }
  },
  "meta": {
    "timestamp": "2026-08-22T00:00:00Z",
    "version": "v1",
    "correlationId": "req_0198d0c5-7c1e-7b43-9d51-3f2a6c8e4b10"
  }
}`

const TEXT = html`
<h2 id="url-and-key">The URL and your key</h2>
<p>You need the URL of the service and an API key. The operator of the service issues keys; a key is shown only once. Every
command in this guide reads the URL and the key from these variables:</p>
${settings`
export VIS_URL=http://127.0.0.1:3000
export VIS_API_KEY=vis_live_…
`}
<p>Check that the service is reachable and that the key is valid, free of charge:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/ping"
`}

<h2 id="first-call">The first call</h2>
<p>Get one CVE with the members that show how urgent it is:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228?fields=cve_id,severity,kev,epss" | jq
`}
${answer(FIRST_ANSWER)}
<p><code>data</code> holds the result. <code>meta.correlationId</code> identifies the call in the log of the service.
Without <code>fields</code> you get the whole record: description, CVSS, affected products and references.
<code>include=acsc,attack,enrichment</code> adds ACSC notices, ATT&amp;CK techniques and facts derived from all sources.
<code>attack.mapping</code> says whether people assigned the techniques to this CVE (<code>curated</code>) or rules derived
them from the kind of vulnerability (<code>derived</code>).</p>

<h2 id="sources">Who states each value</h2>
<p>A record is merged from many sources. <code>include=sources</code> shows for each value the sources that state it, the
time of their statement, and what other sources state:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228?fields=sources&include=sources" | jq .data.cve.sources.cvss_v3_1
`}
<p><code>stated_by</code> lists the sources that agree with the record, the deciding one first, and <code>others</code> the
sources with another value. <code>include=configurations</code> adds the affected products with the AND and OR operators
of their source, which the flat list <code>cpe</code> does not show. Both exist for a single CVE and in batches.</p>

<h2 id="exploited">Catalogs of known exploited vulnerabilities</h2>
<p>The member <code>kev</code> and the filter <code>kev=true</code> are about CISA's catalog (KEV). The service also reads
the EU KEV catalog of ENISA. <code>include=exploits</code> lists the catalogs that have the CVE, the oldest entry first,
and exists for a single CVE and in batches. <code>removed_at</code> is set if a catalog removed the CVE again:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228?fields=exploits&include=exploits" | jq .data.cve.exploits.kev_catalogs
`}
<p><code>GET /api/v1/cves?kev_in=cisa,eu</code> finds the CVEs that at least one of the catalogs lists now, and
<code>kev_in=eu&amp;kev=false</code> those that only EU KEV lists.</p>

<h2 id="evidence">Evidence of exploits</h2>
<p><code>include=exploits</code> also says how mature the exploits of a CVE are, from <code>poc</code> (a proof of concept)
over <code>functional</code>, <code>weaponized</code> and <code>active</code> to <code>ransomware</code>, since when an
exploit is public, and which evidence shows it. It has at most fifty items of evidence; this call returns all of them in
pages:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228/exploits?limit=100" | jq '.data | {maturity, first_public, counts}'
visctl exploits CVE-2021-44228
`}
<p><code>verified: false</code> marks a CVE whose only evidence is code repositories: nobody has checked what they contain.
<code>gone</code> marks evidence that its publisher has removed.</p>

<h2 id="timeline">What happened when</h2>
<p><code>include=timeline</code>, for a single CVE, sorts what is known by its day into four lanes: <code>known</code>,
<code>exploit</code>, <code>exploited</code> and <code>fix</code>. <code>undated</code> lists what no source dates.
<code>date_is</code> says so if the day is not that of the event itself: sources do not say when a fix came out, so its day
is one on which a source already named it (<code>latest</code>). <code>epss_movements</code> has the scores of five years, with a point
wherever the score moved by at least 0.01:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228?fields=timeline&include=timeline" | jq '.data.cve.timeline.dated[] | {lane, date, kind}'
visctl get CVE-2021-44228 --json --include timeline --fields timeline
`}
<p>For a small chart in a list, <code>include=epss_trend</code> has the EPSS scores of the last 13 weeks, also in searches and
batches: the last score known in each week, oldest first. A week without a score is <code>null</code>; do not draw a line
across it. <code>lowest</code> and <code>highest</code> count every day:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cves?kev=true&sort=epss_desc&limit=5&fields=cve_id,epss&include=epss_trend" | jq '.data.cves[]'
visctl search --kev --sort epss_desc --limit 5 --json --fields cve_id,epss --include epss_trend
`}

<h2 id="aliases">Ids of advisories</h2>
<p>Scanners and vendors often name an advisory instead of a CVE. This call returns the CVEs of an id such as
<code>GHSA-…</code>, <code>RHSA-…</code>, <code>KB…</code>, <code>GO-…</code> or <code>PYSEC-…</code>, and
<code>include=aliases</code> adds these ids to a CVE:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/alias/GHSA-jfh8-c2jp-5v3q" | jq .data
visctl alias GHSA-jfh8-c2jp-5v3q
`}

<h2 id="facets">Which values a search has</h2>
<p>Before you read a long list, count what is in it: by severity, weakness, vendor, product, year and more. The call takes
the filters of a search. It counts up to 50,000 CVEs; <code>is_complete: false</code> says that there are more:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cves/facets?facets=severity,cwe,product_vendor&kev=true" | jq .data
visctl facets severity,cwe,product_vendor --kev
`}
<p>Filters need the exact names of vendors and products. <code>GET /api/v1/suggest</code> completes a name, and finds it
behind a typing mistake, free of charge:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/suggest?of=vendor&q=apahce" | jq .data.suggestions
visctl suggest product log
`}

<h2 id="visctl">The same with visctl</h2>
<p><code>visctl</code> is the command line client of the API. It reads the same two variables.
It is not on a registry yet: the operator packs it with <code>node tools/pack-packages.ts packages</code> in a checkout, and you install
the two files with <code>npm install --global ./vis-sdk-*.tgz ./visctl-*.tgz</code>. In a checkout, write <code>npx visctl</code>.</p>
${commands`
visctl get CVE-2021-44228
visctl search log4j --severity critical,high
`}
<p><code>visctl gate</code> stops a build that contains exploited vulnerabilities: see the
<a href="/docs/guide/recipes#gate">recipes</a>.</p>

<h2 id="typescript">The same in TypeScript</h2>
<p><code>vis-sdk</code> has no dependencies and runs in Node.js and in browsers. Its types are generated from the same
document as the <a href="/docs">reference</a>.</p>
${program`
import { createClient } from 'vis-sdk'

const client = createClient({
  url: process.env.VIS_URL ?? '',
  apiKey: process.env.VIS_API_KEY ?? '',
})

const cve = await client.cve('CVE-2021-44228')
console.log(cve.cve_id, cve.cvss.v3_1?.baseScore, cve.kev?.dueDate)
`}

<h2 id="python">The same in Python</h2>
<p>The standard library of Python is enough:</p>
${python`
import json, os
from urllib.request import Request, urlopen

def get(path):
    headers = {"X-API-Key": os.environ["VIS_API_KEY"]}
    with urlopen(Request(os.environ["VIS_URL"] + path, headers=headers)) as response:
        return json.load(response)["data"]

cve = get("/api/v1/cve/CVE-2021-44228")["cve"]
print(cve["cve_id"], cve["cvss"]["v3_1"]["baseScore"], cve["kev"]["dueDate"])
`}

<h2 id="which-call">Which call to use</h2>
${table(
  ['To get', 'call'],
  [
    ['everything about one CVE', code('GET /api/v1/cve/{cve-id}')],
    ['up to fifty CVEs at once', code('POST /api/v1/cve/batch')],
    ['which CVEs affect the versions that you run', code('POST /api/v1/match')],
    ['which CVEs affect the packages of an SBOM', code('POST /api/v1/sbom')],
    ['which of up to 500 CVEs to fix first', code('POST /api/v1/prioritize')],
    ['CVEs that match filters', code('GET /api/v1/cves')],
    ['how many CVEs of a search have which values', code('GET /api/v1/cves/facets')],
    ['the right name of a product, vendor or weakness', code('GET /api/v1/suggest')],
    ['the CVEs of an advisory', code('GET /api/v1/alias/{alias}')],
    ['CVEs that are new or changed', code('GET /api/v1/cves/recent')],
    ['every change since a position, without a gap', code('GET /api/v1/changes')],
    ['CVEs that are known to be exploited', code('GET /api/v1/kev')],
    ['everything that one data source publishes about a CVE', code('GET /api/v1/cve/{cve-id}/detail')],
    ['all evidence that a CVE is or can be exploited', code('GET /api/v1/cve/{cve-id}/exploits')],
    ['your plan and your credits', code('GET /api/v1/usage')],
    ['the age of the data', code('GET /health')],
  ],
)}
`

export const quickstart: GuidePage = {
  path: '/docs/guide',
  title: 'Quickstart',
  summary: 'Your first call with curl, with visctl, in TypeScript and in Python.',
  body: () => TEXT,
}
