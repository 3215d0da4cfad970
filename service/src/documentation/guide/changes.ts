import type { ServedEndpoint } from '../../api/services.ts'
import { CHANGE_CAUSES, DIFF_MEMBERS } from '../../domain/change/change.ts'
import { CHANGE_TYPES } from '../../domain/change/types.ts'
import { code, commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice } from './price.ts'

const rows = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings).map(([name, meaning]) => [code(name), meaning])

const LIST = html`
<p>Every publication writes what it changed to the change log: one row per CVE, with types, and with the old and the new value
of small members. <code>GET /api/v1/changes</code> lists the rows after a time or a position. The commands use the two variables
of the <a href="/docs/guide">quickstart</a>.</p>
${table(
  ['question', 'command'],
  [
    ['What became exploited since yesterday?', code('visctl changes --since yesterday --types kev_added,eu_kev_added')],
    ['What changed since Monday for Fortinet?', code('visctl changes --since Monday --product-vendor fortinet')],
    ['What became more urgent in the last two days?', code('visctl changes --since 2d --types priority_raised')],
    ['Which entries did CISA remove from KEV?', code('visctl kev --history --removed')],
  ],
)}
${commands`
visctl changes --since 2026-08-21 --types kev_added,eu_kev_added
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" \
  "$VIS_URL/api/v1/changes?since=2026-08-21&types=kev_added,eu_kev_added" |
  jq --raw-output '.data.changes[] | [.recorded_at, .at, .cve_id] | @tsv'
`}
<h2 id="times">Times</h2>
<p>Each row has two times. <code>recorded_at</code> is when this service had published it. <code>at</code> is the day of the event
according to upstream: when CISA or ENISA listed or removed the CVE, an ACSC notice appeared, FIRST released the score, or the CVE
was published; null if upstream names no day. A KEV entry of 2021 that is imported today has both.</p>
<p><code>since</code> compares with <code>recorded_at</code>, so that an event that reaches the service late is not missed: if you
ask with the time of your last call, you get everything that became visible after it. Rows that became visible in the same
moment can be repeated, so continue with <code>next_since</code>, which neither misses nor repeats any. A date is the start of its
day in UTC; a time without an offset is UTC. <code>visctl</code> also understands <code>yesterday</code>, weekdays and durations
such as <code>2d</code> by the clock of the service, and prints how it read them.</p>
<p>A time before the log begins gets 410 <code>GONE</code> with <code>details.earliest</code>. The log of a new installation begins
at the end of its first load, whose CVEs have no rows of their own: one row of the type <code>loaded</code> counts them.</p>
<h2 id="filters">Filters</h2>
<p><code>types</code> and <code>cause</code> select rows by what changed. <code>min_level</code>, <code>priority</code>,
<code>severity</code>, <code>kev</code>, <code>exploit_maturity</code>, <code>product_vendor</code> and <code>product</code> select
them by the CVE as it is now: a row of a CVE that was removed, or of all CVEs, matches none of these. An answer whose
<code>has_more</code> is true can have fewer rows than <code>limit</code>, because a call passes other rows for 1.5 seconds at
most; go on with <code>next_since</code>.</p>
<h2 id="positions">Positions</h2>
<p>A position, such as <code>263680:0f3a5c1d2b4e6f70</code>, is the number of a row and a random tag of that row. Begin with a time,
with <code>start</code> (the oldest row that is kept) or with <code>now</code> (the newest position and no rows), then send
<code>next_since</code> of each answer as <code>since</code> of the next call. It moves past rows that your filter leaves out,
and can be used with another filter.</p>
<p>The answer 410 <code>GONE</code> means that the log cannot list every change after your position: its row is no longer kept,
or the database was restored from a backup. Take a new full copy then. Rows are kept for at least 400 days. Rows with
another cause than <code>data</code> are kept for at least 30 days, unless they add or remove a CVE.</p>
`

const renderText = (endpoints: readonly ServedEndpoint[]) => html`
${LIST}
<h2 id="wait">Wait for changes</h2>
<p>With <code>wait=25</code> a call without changes waits for up to 25 seconds and is answered as soon as there is one. It is
charged when it is answered. Send the <code>ETag</code> of an empty answer as <code>If-None-Match</code> with the same call: while
nothing changes, the answer is 304, free of charge. Only a position waits, not a time. An account can have 16 waiting calls on a node.</p>
<h2 id="copy">Keep a copy</h2>
<p><code>GET /api/v1/changes/records</code> folds the rows to one per CVE and returns the whole current record of each, or
<code>gone: true</code>.</p>
<ol>
<li>Load the newest <a href="#snapshots">snapshot</a>, and begin with its <code>since</code>. The log alone has no copy of the
first load: <code>since=start</code> gets 410.</li>
<li>Replace each record of an answer, and store <code>next_since</code> in the same transaction. To apply an answer twice is
harmless.</li>
<li>EPSS scores change daily, and only those that jump have rows; <a href="/docs/guide/copy#epss">Keep a copy</a> says what to
do.</li>
<li>410: begin again with the snapshot that <code>details.snapshot</code> names.</li>
</ol>
<p><code>GET /api/v1/changes/summary</code> counts the rows between two positions by type, so that you can prove that your copy
has all of them.</p>
<h2 id="snapshots">Snapshots</h2>
<p>A snapshot has every record at one position of the change log. A new one is made each night, and the newest 3 are kept.
<code>GET /api/v1/snapshots</code> lists them free of charge, with the position (<code>since</code>), the number of parts and the
SHA-256 of each part. A part is a gzip file of about 4 MiB and costs ${describePrice(endpoints, 'get-snapshot-part')}. Its lines are the records of
<code>/changes/records</code>, in the order of the CVE ids. Each part can be read alone, and all of them are one gzip file
together:</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/snapshots" |
  jq --raw-output '.data.snapshots[0] | .id as $id | range(.parts) | "\($id)/parts/\(. + 1)"' |
  while read -r part; do
    curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/snapshots/$part"
  done | gzip --decompress | jq --raw-output '[.cve_id, .record.severity] | @tsv'
`}
<p><code>vis-sdk</code> has <code>readSnapshot()</code>, which checks the SHA-256, and an example program that keeps a copy in
SQLite.</p>
<h2 id="types">Types</h2>
${table(['type', 'meaning'], rows(CHANGE_TYPES))}
<h2 id="causes">Causes</h2>
<p>Without <code>cause=all</code>, <code>/changes</code> lists only the cause <code>data</code>. Nothing is hidden by it for good, but
an alert that must not miss an exploited CVE should ask with
<code>cause=all&amp;types=kev_added,eu_kev_added,maturity_raised</code>: an entry that comes with the first load of a catalog has the
cause <code>source</code>. Rows have the same types whatever their cause. If a change has several causes, the first of this order is
named: <code>data</code>, <code>source</code>, <code>epss_model</code>, <code>rules</code>, <code>reload</code>.</p>
${table(['cause', 'meaning'], rows(CHANGE_CAUSES))}
<h2 id="members">Members with old and new values</h2>
${table(['member', 'meaning'], rows(DIFF_MEMBERS))}
`

export const changes: GuidePage = {
  path: '/docs/guide/changes',
  title: 'Changes',
  summary: 'What changed since you last asked, for alerts and for a copy of the data.',
  body: renderText,
}
