import { code, commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>Members are the people who use the web console for an account. They sign in with a link by e-mail or at
an OpenID provider, as the operator of the service permits; they need no API key, and a member has no key of its own. An account has
at most 100 members, and a person with a confirmed e-mail belongs to one account. All calls on this page are free of charge. The commands
use the two variables of the <a href="/docs/guide">quickstart</a>; the key must have the scope <code>manage</code>
(<a href="/docs/guide/keys">keys</a>).</p>
<h2 id="roles">Roles</h2>
${table(
  ['role', 'may do in the console'],
  [
    [code('viewer'), 'read CVEs and the usage of the account'],
    [code('admin'), 'also manage keys, browser origins and members who are not owners, and read the audit log'],
    [code('owner'), 'also invite, change and remove owners; an account that has an owner keeps one'],
  ],
)}
<p>A key has the rights of an admin here: only an owner in the console makes owners. A key that expires or has
<code>allowed_ips</code> can list and remove members, and gets 403 for an invitation or a change of a role: the member would stay
after the key has expired, or could sign in from every address.</p>
<h2 id="invite">Invite a person</h2>
<p>The invitation is a link that works once, within 72 hours. The service sends it by e-mail; a service that sends no e-mail returns
it, and <code>visctl</code> prints it alone on standard output: hand it over to nobody but that person. The page behind the link shows
the e-mail and the account before it signs in. A second invitation of a person who has not joined yet replaces the first. Without
<code>--role</code> the person is a viewer.</p>
${commands`
visctl members invite ada@example.org --role admin > link
visctl members list --json | jq --compact-output '.[] | [.email, .role, .state]'
`}
<p>An account can send 20 invitations by e-mail a day. A further invitation gets 409, and so does an invitation of a person
who is a member already.</p>
<h2 id="role">Change a role</h2>
<p>Open sessions of the member have the new role within two seconds.</p>
${commands`
id=$(visctl members list --json | jq --raw-output '.[] | select(.email == "ada@example.org").id')
visctl members role "$id" --role viewer --json | jq --raw-output .role
`}
<h2 id="remove">Remove a member</h2>
<p>The sessions and links of the member end at once. Keys that the member created stay valid: <code>visctl audit</code> lists them
with the actor <code>member:</code> and the id of the member, and <a href="/docs/guide/keys#revoke">revoke</a> ends them.</p>
${commands`
id=$(visctl members list --json | jq --raw-output '.[] | select(.email == "ada@example.org").id')
visctl members remove "$id"
visctl audit --limit 3 --json | jq --raw-output '.[].action'
`}
`

export const members: GuidePage = {
  path: '/docs/guide/members',
  title: 'Manage members',
  summary: 'Invite people to the web console, choose their roles, and remove them.',
  body: () => TEXT,
}
