import { SCOPE_MEANINGS } from '../../contract/keys.ts'
import { code, commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>An account manages its keys and reads its usage itself: with <code>visctl</code>, with the
<a href="/docs#tag/account">endpoints</a>, or in the web console. All of it is free of charge. The commands use the two variables
of the <a href="/docs/guide">quickstart</a>; the key must have the scope <code>manage</code>, except for usage.</p>
<h2 id="scopes">Scopes</h2>
${table(
  ['scope', 'allows'],
  Object.entries(SCOPE_MEANINGS).map(([scope, meaning]) => [code(scope), meaning]),
)}
<p>Keys have <code>read</code> by default. A key without the scope that an endpoint needs gets 403, and <code>details.required_scope</code> names it. Give
<code>manage</code> to few keys and <code>read</code> to programs: a key can create only keys whose scopes and addresses are among
its own. A key that expires can create only keys that expire before it, and cannot prolong itself: create its successor in the web
console, or with a key that lasts longer. The operator of the service issues the first key with <code>manage</code>.</p>
<h2 id="create">Create a key</h2>
<p>The new key is printed once; the service stores only its digest. An account has at most 20 active
keys; rotated keys do not count. Its keys and members can make 200 changes within 24 hours; a further change gets 409,
except for revoking keys and removing members.</p>
${commands`
visctl keys create --name nightly-scan --scopes read --expires-in-days 90 > new-key
visctl usage --key-file new-key --json | jq .plan
`}
<p>With <code>--allowed-ips 203.0.113.0/24,2001:db8::/32</code> a key works from these addresses only. A call from elsewhere gets
403 with the address that the service saw.</p>
<h2 id="rotate">Rotate a key</h2>
<p>A rotation creates a key with the same name, scopes, addresses and lifetime, which ends no later than the calling key. The old key works for another 24 hours, or as long
as you say (0 to 168 hours), so that you can replace it without an outage. A key is rotated once: if two people rotate it at the
same time, one of them gets 409 and the id of the new key.</p>
${commands`
id=$(visctl keys list --json | jq --raw-output '.[] | select(.name == "nightly-scan" and .state == "active").id')
visctl keys rotate "$id" --overlap-hours 1 > new-key
visctl keys list --json | jq --compact-output '.[] | select(.name == "nightly-scan") | [.state, .replaced_by != null]'
`}
<h2 id="revoke">Revoke a key</h2>
<p>Every node refuses a revoked key within two seconds. A key cannot revoke the last active key with the scope
<code>manage</code>, and rotated keys do not count; an admin in the web console can.</p>
${commands`
for id in $(visctl keys list --json | jq --raw-output '.[] | select(.name == "nightly-scan").id'); do visctl keys revoke "$id"; done
`}
<p>If a key with the scope <code>manage</code> leaked, revoke it, then look for what it did: <code>visctl audit</code> lists every
change with its actor, such as <code>key:12</code>.</p>
${commands`
visctl audit --limit 2 --json | jq --raw-output '.[].action'
`}
<h2 id="usage">Which key used the credits</h2>
<p><code>GET /api/v1/usage/breakdown</code> has calls and credits by day, endpoint and key, of this month or of up to 400 days. The
credits of a month are exactly those of <code>/api/v1/usage</code>: they include the last call, and refunded calls are left out.
Reads of the web console are the endpoint <code>console</code>, without credits.</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/usage/breakdown?by=endpoint,key" |
  jq '.data.rows == [] or .data.totals.credits >= .data.rows[0].credits'
`}
<h2 id="origins">Browser origins</h2>
<p>Pages of an origin that the account lists can use its keys (<a href="/docs/guide/authentication">authentication</a>).</p>
${commands`
visctl origins add https://app.example
visctl origins remove https://app.example
`}
`

export const keys: GuidePage = {
  path: '/docs/guide/keys',
  title: 'Manage keys and usage',
  summary: 'Create, rotate and revoke keys, limit them, and see which one used the credits.',
  body: () => TEXT,
}
