import { answer, code, commands, html, program, settings, table } from '../html.ts'
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
<h2 id="address-and-key">Your address and your key</h2>
<p>You need the address of the service and an API key. Whoever runs the service issues keys; a key is shown once. Every
command of this guide reads the two from here:</p>
${settings`
export VIS_URL=http://127.0.0.1:3000
export VIS_API_KEY=vis_live_…
`}
<p>Is the service there, and is the key good? This costs nothing:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/ping"
`}

<h2 id="first-call">The first call</h2>
<p>One CVE, and of it what you need to decide whether it can wait:</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/cve/CVE-2021-44228?fields=cve_id,severity,kev,epss" | jq
`}
${answer(FIRST_ANSWER)}
<p>What was asked for is in <code>data</code>; <code>meta.correlationId</code> finds the call in the log of whoever runs
the service. Without <code>fields</code> you get the whole record: description, CVSS, affected products, references.
<code>include=acsc,attack,enrichment</code> adds notices, techniques and what we conclude.</p>

<h2 id="vis">The same with vis</h2>
<p><code>vis</code> is the command line for callers. It reads the same two variables.</p>
${commands`
vis get CVE-2021-44228
vis search log4j --severity critical,high
`}

<h2 id="typescript">The same in TypeScript</h2>
<p><code>@vis/sdk</code> has no dependencies and runs in Node and in browsers. Its types are made from the same
document as the <a href="/docs">reference</a>.</p>
${program`
import { createClient } from '@vis/sdk'

const client = createClient({
  url: process.env.VIS_URL ?? '',
  apiKey: process.env.VIS_API_KEY ?? '',
})

const cve = await client.cve('CVE-2021-44228')
console.log(cve.cve_id, cve.cvss.v3_1?.baseScore, cve.kev?.dueDate)
`}

<h2 id="which-call">Which call for what</h2>
${table(
  ['You want', 'You call'],
  [
    ['everything about one CVE', code('GET /api/v1/cve/{cve-id}')],
    ['the same about up to fifty', code('POST /api/v1/cve/batch')],
    ['CVEs that pass filters', code('GET /api/v1/cves')],
    ['what is new or changed', code('GET /api/v1/cves/recent')],
    ['what is known to be exploited', code('GET /api/v1/kev')],
    ['what one source says, in full', code('GET /api/v1/cve/{cve-id}/detail')],
    ['your plan and your credits', code('GET /api/v1/usage')],
    ['how old the data is', code('GET /health')],
  ],
)}
`

export const quickstart: GuidePage = {
  path: '/docs/guide',
  title: 'Quickstart',
  summary: 'From a key to the first answer, in a shell, with vis, and in TypeScript.',
  body: () => TEXT,
}
