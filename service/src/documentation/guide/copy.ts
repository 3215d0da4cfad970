import type { ServedEndpoint } from '../../api/services.ts'
import { CHANGE_CAUSES } from '../../domain/change/change.ts'
import { code, commands, html, python, table } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { findPrice } from './price.ts'

const TEXT = html`
<p>You can keep a copy of all records that misses no change, even after two weeks without a connection; EPSS scores are an
<a href="#epss">exception</a>. <code>visctl mirror</code> keeps the copy in a SQLite file; the rules below are for your own program.
The commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
${commands`
visctl mirror --into copy --once
`}
<p>The first run loads a snapshot and says its price before. Every further run applies what changed since. Without
<code>--once</code> it goes on: it waits for changes, and applies them within <code>--wait</code> seconds (60 by default). Stop it
with Ctrl+C, or kill it at any time: the next run continues where the last one was. One process at a time writes to a folder, and
any number can read the file meanwhile:</p>
${python`
import json
import sqlite3

copy = sqlite3.connect("copy/catalog.sqlite")
for cve_id, record in copy.execute("select cve_id, record from record order by cve_id"):
    print(cve_id, json.loads(record)["severity"])
`}
<h2 id="rules">Rules for a program of your own</h2>
<ol>
<li>Take the newest snapshot of <code>GET /api/v1/snapshots</code>. Load all its parts, compare the SHA-256 of each, and store its
<code>next_since</code> as your position.</li>
<li>Call <code>GET /api/v1/changes/records</code> with your position. For each item, replace the whole record, or delete it if
<code>gone</code> is true. Store <code>next_since</code> as your position <strong>in the same transaction</strong>. Repeat while
<code>has_more</code> is true.</li>
<li>Wait for the next change with <code>GET /api/v1/changes?cause=all&amp;wait=25</code> and <code>If-None-Match</code>, which
is free while nothing changes.</li>
<li>410 <code>GONE</code>: the change log cannot list every change after your position, because its rows were deleted when they
became too old, or because the database was restored from a backup. Go back to step 1, and remove the records that the new snapshot does not have.</li>
</ol>
<p>To apply an answer twice is harmless, because its records replace others: if your program was killed before it stored the
position, it receives them again. Never compute a position, and never store one before its records.
503 means that a node has not received the changes up to your position yet: try again.</p>
<h2 id="proof">Prove that nothing is missing</h2>
<p><code>GET /api/v1/changes/summary?since=…&amp;until=…</code> counts the changes between two positions. Its member
<code>cves_total</code> must be the number of different CVEs that you have received between them. <code>visctl mirror</code> compares
both before it says that the copy is up to date, and goes back to the last position where they agreed if they differ.</p>
<h2 id="epss">EPSS scores</h2>
<p>FIRST releases new EPSS scores for all CVEs each day. A release has one row in the change log
(<code>epss_released</code> in <code>dataset_changes</code>) and no rows for the CVEs, except for scores that jump. Your copy
therefore has the EPSS values of the last change of each record. This concerns the member <code>epss</code> (its <code>date</code>
names the day), the member <code>epss</code> of <code>sources</code>, and the <code>reasons</code> of <code>priority</code>, which
quote the score.
Everything else is always current, the level of the priority too. For all scores of a release, load a snapshot
that was made after it: <code>visctl mirror --refresh-epss</code> does so after each release.</p>
<h2 id="causes">Causes</h2>
<p>A copy needs changes of every cause, and <code>/changes/records</code> has them all. For alerts,
<code>/changes</code> without <code>cause=all</code> lists only the first:</p>
${table(
  ['cause', 'meaning'],
  Object.entries(CHANGE_CAUSES).map(([name, meaning]) => [code(name), meaning]),
)}
`

const renderCosts = (endpoints: readonly ServedEndpoint[]) => html`
<h2 id="costs">Costs</h2>
${table(
  ['call', 'credits'],
  [
    [html`list of snapshots`, findPrice(endpoints, 'list-snapshots')],
    [
      html`a part of a snapshot (about 4 MiB; a catalog of 264,000 CVEs has about 37)`,
      findPrice(endpoints, 'get-snapshot-part'),
    ],
    [html`up to 100 changed records`, findPrice(endpoints, 'list-changed-records')],
    [html`count of changes`, findPrice(endpoints, 'summarize-changes')],
    [html`wait for a change`, `${findPrice(endpoints, 'list-changes')} when it comes, 0 while nothing changes`],
  ],
)}
<p>Each read of few records costs as much as one of 100: raise <code>--wait</code> if the copy need not be fresh.</p>
`

export const copy: GuidePage = {
  path: '/docs/guide/copy',
  title: 'Keep a copy',
  summary: 'A copy of all records that misses no change, with visctl or with a program of your own.',
  body: (endpoints) => html`${TEXT}${renderCosts(endpoints)}`,
}
