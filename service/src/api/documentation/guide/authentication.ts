import errorExamples from '../../../contract/error-examples.json' with { type: 'json' }
import type { KeyRefusal } from '../../../contract/errors.ts'
import { answer, code, commands, html, settings, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

/** A reason that is not here does not compile. */
const REASONS = {
  missing: 'There was no key, or an empty one.',
  invalid: 'No such key: a letter too few, perhaps, or it is of another service. Two keys at once are invalid too.',
  revoked: 'Somebody took it back.',
  expired: 'Its time is over; after a rotation the old key works for a while longer.',
  suspended: 'The account it belongs to is suspended.',
} as const satisfies Record<KeyRefusal, string>

const TEXT = html`
<p>Every path under <code>/api/v1/</code> wants your key in the header <code>X-API-Key</code>. A key in the address is
not read: addresses end up in logs and histories. <code>/health</code>, <code>/docs</code> and
<code>/openapi.json</code> need no key.</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/usage" | jq .data.usage.plan
`}

<h2 id="keys">Keys</h2>
<p>A key begins with <code>vis_live_</code> or <code>vis_test_</code> and ends in a checksum, so that a typo, or a key in
a public repository, can be recognised without asking anybody. The service keeps only a hash of it. An account may have
several keys; they share its credits and its rate limit.</p>
<p>Keep it in the environment or in a file that only you can read. <code>vis</code> takes either, and never a key on the
command line, where others could see it:</p>
${settings`
install -m 600 /dev/stdin ~/.vis-key     # paste the key, then Ctrl-D
vis usage --key-file ~/.vis-key
`}
<p>To replace a key, ask for a rotation: a new key is issued and the old one goes on working for a day. A revoked key is
refused everywhere within two seconds.</p>

<h2 id="refused">When a key is refused</h2>
<p>The answer is 401 <code>UNAUTHORIZED</code> and costs nothing. <code>details.reason</code> says why:</p>
${table(
  ['reason', 'meaning'],
  Object.entries(REASONS).map(([reason, meaning]) => [code(reason), meaning]),
)}
${commands`
curl --silent "$VIS_URL/api/v1/ping" | jq
`}
${answer(JSON.stringify(errorExamples.UNAUTHORIZED.answer, null, 2))}

<h2 id="browsers">From a browser</h2>
<p>A page may call the service if its origin (scheme, host and port) is configured for the key's account; whoever runs
the service does that. From another origin the call is 403 <code>FORBIDDEN</code> and costs nothing. Remember that
whoever opens the page can read the key in it: give it an account of its own, with a small quota.</p>

<h2 id="sources">What a plan opens</h2>
<p>Every plan sees the same merged records. The views of single sources (<code>vendor</code>) are <code>nvd</code> and
<code>cve</code> for everybody; others need the plan that 403 <code>FORBIDDEN</code> names in
<code>details.required_plan</code>.</p>
`

export const authentication: GuidePage = {
  path: '/docs/guide/authentication',
  title: 'Authentication',
  summary: 'A key in a header, and nowhere else.',
  body: () => TEXT,
}
