import errorExamples from '../../../contract/error-examples.json' with { type: 'json' }
import { ERRORS } from '../../../contract/errors.ts'
import { answer, code, commands, html, program, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>A failure is always <code>{ error, meta }</code>. Decide by <code>error.code</code>, show people
<code>error.message</code>, and quote <code>meta.correlationId</code> to whoever runs the service. Nothing that failed
was charged.</p>

<h2 id="codes">Codes</h2>
${table(
  ['code', 'status', 'meaning', 'try again?'],
  Object.entries(ERRORS).map(([name, { status, meaning }]) => [code(name), status, meaning, advice(status)]),
)}
<p><code>Retry-After</code> is in seconds. For <code>CREDIT_LIMIT_EXCEEDED</code> it reaches to the next month: stop
instead. <code>@vis/sdk</code> and <code>vis</code> wait and try again where that is safe.</p>

<h2 id="parameters">Wrong parameters</h2>
<p>Parameters that are unknown, repeated or out of range are 400, never ignored: a typo must not return everything.
<code>details.errors</code> lists all faults at once, with what is allowed and what you probably meant.</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cves?severity=hihg&limit=1000" | jq
`}
${answer(JSON.stringify(errorExamples.INVALID_PARAMETER.answer, null, 2))}

<h2 id="typescript">In TypeScript</h2>
${program`
import { createClient, isVisError } from '@vis/sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })

try {
  await client.cve('CVE-1999-99999')
} catch (error) {
  if (isVisError(error, 'NOT_FOUND')) console.log('nobody knows it')
  else if (isVisError(error, 'CREDIT_LIMIT_EXCEEDED')) console.log('wait until', error.details.reset_at)
  else throw error
}
`}
`

export const errors: GuidePage = {
  path: '/docs/guide/errors',
  title: 'Errors',
  summary: 'Every code, what it means, and whether to try again.',
  body: () => TEXT,
}

function advice(status: number): string {
  if (status === 429 || status === 503) return 'after Retry-After'
  if (status === 408 || status === 500) return 'once'
  return 'no'
}
