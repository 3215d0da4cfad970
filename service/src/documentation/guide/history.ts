import type { ServedEndpoint } from '../../api/services.ts'
import { html } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice } from './price.ts'

const renderText = (endpoints: readonly ServedEndpoint[]) => html`
<p>After an incident, the question is what was known on its day. Three calls answer it.</p>
<h2 id="as-of">A CVE as it was on a day</h2>
<p><code>GET /api/v1/cve/{cve-id}/as-of/2026-08-21</code> returns the record with all add-ons, as this service served it at the
end of that day in UTC. The priority is computed by the current policy, which it names, from the facts and the EPSS score of that
day. The service keeps replaced values for 400 days; <code>complete_since</code> is the earliest time whose records it kept. For
today, the answer is the current record. The call costs ${describePrice(endpoints, 'get-cve-as-of')};
<code>visctl history CVE-2021-44228 --as-of 2026-08-21</code> prints the same.</p>
<h3 id="reconstructed">A day before that</h3>
<p>For an earlier day, the record is put together from the histories that upstreams keep. <code>reconstructed</code> names the
members that come from each history, and since when it is complete; <code>unknown</code> names the members that are not known for
that day. The record lacks them: <strong>a member that <code>unknown</code> names may have had any value</strong>, while any other
missing member means that the CVE had no such data.</p>
<table><thead><tr><th>History</th><th>Members</th><th>What it knows</th></tr></thead><tbody>
<tr><td><code>cve</code></td><td><code>published</code></td><td>the date in the record itself</td></tr>
<tr><td><code>kev</code></td><td><code>kev</code>, <code>enrichment.kev_flag</code></td><td>the day on which CISA added each entry. What
an entry said, and that a CVE was not listed, is known only since <code>complete_since</code>, because CISA announces neither changes
nor removals</td></tr>
<tr><td><code>epss</code></td><td><code>epss</code></td><td>the last release up to the day, with its own date, if it is less than a week
older</td></tr>
<tr><td><code>nvd</code></td><td><code>description</code>, <code>severity</code>, <code>cvss</code>, <code>cpe</code>,
<code>configurations</code>, <code>references</code> without tags, <code>status</code> and most of <code>enrichment</code></td><td>NVD's
record, from which NVD's later changes were undone, back to 2015 once the feed <code>nvd-history</code> has read them. A change that
cannot be undone makes the member unknown before it. Other sources may have stated more on that day</td></tr>
</tbody></table>
<p>A day on which the CVE was not published yet gets 404, with the day on which it was. 410 <code>GONE</code> means that nothing at all is
known about the day.</p>
<h2 id="history">The changes of a CVE</h2>
<p><code>GET /api/v1/cve/{cve-id}/history</code> lists the rows of the <a href="/docs/guide/changes">change log</a> of one CVE,
newest first, with types, causes, and the old and new values of small members. The last page also has <code>earlier_events</code>: events
before the log begins, from the date of publication, KEV and NVD's change history. It costs
${describePrice(endpoints, 'list-cve-history')} per page.</p>
<h2 id="kev">The history of KEV</h2>
<p>CISA announces neither changes nor removals. <code>GET /api/v1/kev/history?removed=true</code> lists the entries that CISA has
removed since the time <code>complete_since</code>; without <code>removed</code> it lists all entries, each with its changes, and with
<code>cve_id=CVE-2021-44228</code> the entry of one CVE. A page costs
${describePrice(endpoints, 'list-kev-history')}.</p>
`

export const history: GuidePage = {
  path: '/docs/guide/history',
  title: 'What was known when',
  summary: 'A CVE as it was on a day, its changes, and the history of KEV.',
  body: renderText,
}
