import errorExamples from '../../contract/response/error-examples.json' with { type: 'json' }
import type { KeyRefusal } from '../../contract/response/errors.ts'
import { answer, code, commands, html, settings, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

/** TypeScript rejects the table if a reason is missing. */
const REASONS = {
  missing: 'The request has no key, or an empty key.',
  invalid:
    'The service does not know the key: it is incomplete, or it belongs to another service. Two keys in one request are invalid too.',
  revoked: 'The key was revoked.',
  expired: 'The key has expired. After a rotation, the old key still works for a day.',
  suspended: 'The account of the key is suspended.',
} as const satisfies Record<KeyRefusal, string>

const TEXT = html`
<p>Every path under <code>/api/v1/</code> requires your key in the header <code>X-API-Key</code>. A key in the URL is
ignored, because URLs are stored in logs and browser histories. <code>/health</code>, <code>/docs</code> and
<code>/openapi.json</code> need no key.</p>
${commands`
curl --silent --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/usage" | jq .data.usage.plan
`}

<h2 id="keys">Keys</h2>
<p>A key begins with <code>vis_live_</code> or <code>vis_test_</code> and ends with a checksum, so that tools can
recognise a typo, or a key in a public repository, without a request. The service stores only a hash of each key. An
account may have several keys, which share the account's credits and rate limit.</p>
<p>Keep your key in an environment variable or in a file that only you can read. <code>visctl</code> reads either. It
accepts no key as an argument, because other users of the computer can see the arguments of a command:</p>
${settings`
install -m 600 /dev/stdin ~/.vis-key     # paste the key, then Ctrl-D
visctl usage --key-file ~/.vis-key
`}
<p>To replace a key, <a href="/docs/guide/keys#rotate">rotate it</a> or ask the operator of the service: you get a new key, and the
old key still works for a day. A revoked key is refused by every server within two seconds. A server that cannot reach its database accepts a key for
<code>ping</code> and <code>ping-lite</code> for up to a minute longer.</p>

<h2 id="refused">When a key is refused</h2>
<p>The response is 401 <code>UNAUTHORIZED</code> and free of charge. <code>details.reason</code> gives the reason:</p>
${table(
  ['reason', 'meaning'],
  Object.entries(REASONS).map(([reason, meaning]) => [code(reason), meaning]),
)}
${commands`
curl --silent "$VIS_URL/api/v1/ping" | jq
`}
${answer(JSON.stringify(errorExamples.UNAUTHORIZED.answer, null, 2))}

<h2 id="browsers">From a browser</h2>
<p>A web page may call the service if the operator has configured its origin (scheme, host and port) for the key's
account. A call from any other origin gets 403 <code>FORBIDDEN</code>, free of charge. Everyone who opens the page can
read the key in it, so use a separate account with a small quota.</p>

<h2 id="sources">Plans and data sources</h2>
<p>Every plan returns the same merged records. The parameter <code>vendor</code> selects a single data source:
<code>nvd</code> and <code>cve</code> are available to every plan. Other sources require the plan that the error 403
<code>FORBIDDEN</code> names in <code>details.required_plan</code>.</p>
`

export const authentication: GuidePage = {
  path: '/docs/guide/authentication',
  title: 'Authentication',
  summary: 'Send your API key in the X-API-Key header.',
  body: () => TEXT,
}
