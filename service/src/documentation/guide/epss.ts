import type { ServedEndpoint } from '../../api/services.ts'
import { FIRST_EPSS_DAY } from '../../domain/epss-series/days.ts'
import { commands, html } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice } from './price.ts'

const renderText = (endpoints: readonly ServedEndpoint[]) => html`
<p>EPSS of FIRST estimates the probability that a CVE is exploited within the next 30 days, and has a new score for every CVE
every day. A CVE has the newest score in <code>epss</code>. The service also keeps the scores of every day.
The commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
<h2 id="series">Scores of one CVE</h2>
<p><code>GET /api/v1/cve/{cve-id}/epss</code> returns the scores of the last 90 days, or of the window <code>from</code> to
<code>to</code> with at most five years. It costs ${describePrice(endpoints, 'get-epss-series')}.</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cve/CVE-2024-3094/epss?from=2026-08-14&to=2026-08-21" |
  jq --raw-output '.data.series[] | [.date, .score, .model] | @tsv'
`}
<p>A day without an item is one of two things. If it is in a range of <code>missing_days</code>, the service has no release of that day:
FIRST published none, or the service has not read it yet. Otherwise the CVE had no score on that day. The service never fills a
gap. <code>first_scored</code> is the first day on which the service has a score of the CVE; the files of FIRST begin with
${FIRST_EPSS_DAY}. The first files have no percentiles, and files before 2022-02-04 name no model: both are <code>null</code>.</p>
<p><code>visctl epss</code> draws the scores of several CVEs, each from 0 to its highest score:</p>
${commands`
visctl epss CVE-2024-3094 CVE-2021-44228 --from 2026-08-14 --to 2026-08-21
`}
<h2 id="models">Models</h2>
<p>FIRST replaces its model from time to time. Nearly all scores change on that day, although nothing happened to the CVEs.
Scores of two models are not comparable. <code>model_changes</code> lists the changes in the window: do not read a step on such a
day as news, and do not compute a difference across it.</p>
<h2 id="movers">Scores that moved</h2>
<p><code>GET /api/v1/epss/movers</code> lists the CVEs whose score rose (or fell, with <code>direction=down</code>) most within 1,
7 or 30 days, with their priority and whether they are in KEV. It costs ${describePrice(endpoints, 'list-epss-movers')} per page. The list is made once per release and
has at most 5,000 CVEs per window and direction.</p>
${commands`
visctl epss --movers --days 7 --min-delta 0.1
`}
<p>The window begins with the newest release that is at least so many days old, at most 7 days earlier; <code>window.from</code>
names it. If there is no such release, nothing can be compared and the list is empty; if the model changed within the window,
only moves since the change are listed, and <code>earlier.date</code> of a CVE is later than <code>window.from</code>. In both cases
<code>window.comparable</code> is <code>false</code>, and <code>window.not_comparable_reason</code> says why.</p>
<h2 id="lev">LEV</h2>
<p>EPSS looks ahead, and falls again when attacks end. LEV (likely exploited vulnerability,
<a href="https://doi.org/10.6028/NIST.CSWP.41">NIST CSWP 41</a>) looks back: it estimates the probability that a CVE was exploited
at any time in a period. The period is divided into windows of 30 days, and LEV is 1 minus the product of (1 minus the EPSS score
at the start of each window); the last window counts by its share of 30 days. <code>lev</code> is computed from the series of the
answer, so ask for the whole life of a CVE with <code>from</code>.</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cve/CVE-2024-3094/epss?from=2026-08-14&to=2026-08-21" |
  jq --raw-output '.data | "\(.lev.score) (\(.no_lev_reason))"'
`}
<p><code>lev</code> is null if the window has fewer than 30 days with a score, or if the CVE is known to be exploited, so that
there is nothing to estimate; <code>no_lev_reason</code> says which.</p>
<p>LEV is not evidence: it says nothing that the EPSS scores do not say, adds up their errors, and NIST gives it as a lower bound
with an unknown margin of error. It grows with the age of a CVE, so that LEV of two CVEs can be compared only over the same days.
<code>spans_model_change</code> says that scores of several models were combined. The service never uses LEV for priorities or
sorting; for what is known about exploitation, use KEV and the evidence of <code>/exploits</code>.</p>
`

export const epss: GuidePage = {
  path: '/docs/guide/epss',
  title: 'EPSS over time',
  summary: 'How the EPSS score of a CVE moved, which scores moved most, and what LEV is.',
  body: renderText,
}
