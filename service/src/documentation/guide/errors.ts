import errorExamples from '../../contract/response/error-examples.json' with { type: 'json' }
import { ERRORS } from '../../contract/response/errors.ts'
import { answer, code, commands, html, program, python, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>The body of every error response is <code>{ error, meta }</code>. Use <code>error.code</code> in programs, show
<code>error.message</code> to people, and quote <code>meta.correlationId</code> when you report a problem to the operator
of the service. Error responses are never charged.</p>

<h2 id="codes">Codes</h2>
${table(
  ['code', 'status', 'meaning', 'retry?'],
  Object.entries(ERRORS).map(([name, { status, meaning }]) => [code(name), status, meaning, adviseRetry(status)]),
)}
<p><code>Retry-After</code> is in seconds. For <code>CREDIT_LIMIT_EXCEEDED</code> it is the time until the next month, so
stop instead of waiting. <code>vis-sdk</code> and <code>visctl</code> retry automatically if a retry is safe.</p>

<h2 id="parameters">Invalid parameters</h2>
<p>Unknown, repeated and out-of-range parameters get 400. They are never ignored, because a misspelt filter would then
return every CVE. <code>details.errors</code> lists every invalid parameter with the allowed values and, if one is similar,
the value that you probably meant. An error has at most 8 KiB: <code>details.omitted_errors</code> is the number of
invalid parameters that did not fit.</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cves?severity=hihg&limit=1000" | jq
`}
${answer(JSON.stringify(errorExamples.INVALID_PARAMETER.answer, null, 2))}

<h2 id="typescript">In TypeScript</h2>
${program`
import { createClient, isVisError } from 'vis-sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })

try {
  await client.cve('CVE-1999-99999')
} catch (error) {
  if (isVisError(error, 'NOT_FOUND')) console.log('no such CVE')
  else if (isVisError(error, 'CREDIT_LIMIT_EXCEEDED')) console.log('wait until', error.details.reset_at)
  else throw error
}
`}

<h2 id="python">In Python</h2>
${python`
import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = os.environ["VIS_URL"] + "/api/v1/cve/CVE-1999-99999"
try:
    urlopen(Request(url, headers={"X-API-Key": os.environ["VIS_API_KEY"]}))
except HTTPError as response:
    error = json.load(response)["error"]
    if error["code"] == "NOT_FOUND":
        print("no such CVE")
    elif error["code"] == "CREDIT_LIMIT_EXCEEDED":
        print("wait until", error["details"]["reset_at"])
    else:
        raise
`}
`

export const errors: GuidePage = {
  path: '/docs/guide/errors',
  title: 'Errors',
  summary: 'Every error code, its meaning, and whether to retry.',
  body: () => TEXT,
}

function adviseRetry(status: number): string {
  if (status === 429 || status === 503) return 'after Retry-After'
  if (status === 408 || status === 500) return 'once'
  return 'no'
}
