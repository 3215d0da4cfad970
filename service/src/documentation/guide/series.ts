import type { ServedEndpoint } from '../../api/services.ts'
import { describeMetric, METRIC_NAMES } from '../../domain/series/metrics.ts'
import { commands, html } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice } from './price.ts'

const renderText = (endpoints: readonly ServedEndpoint[]) => html`
<p>How many CVEs were published last month, and how many became exploited? <code>GET /api/v1/stats/series</code> counts a metric
for each day, week or month, and <code>GET /api/v1/stats/top</code> by vendor, product or weakness. All counts are exact.
The commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
<h2 id="series">Counts over time</h2>
<p>A call costs ${describePrice(endpoints, 'get-stats-series')}. Additions to KEV per month, by catalog:</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/stats/series?metric=kev_added&by=catalog&bucket=month&from=2023-05-01&to=2023-06-30" |
  jq --raw-output '.data.buckets[] | [.from, .count] | @tsv'
`}
<p>Published CVEs per month by severity; the value <code>null</code> (NONE in the table) has those without a score:</p>
${commands`
visctl stats series published --bucket month --by severity --from 2023-05-01 --to 2023-06-30
`}
<p><code>product_vendor</code> counts only the CVEs of a vendor. Days, weeks (which begin on Monday) and months are those of UTC;
<code>from</code> and <code>to</code> are included. Without them, the window has 90 days, or 13 months for weeks and months. It has
at most 400 buckets.</p>
<h2 id="metrics">Metrics</h2>
<dl>${METRIC_NAMES.map(
  (name) =>
    html`<dt><code>${name}</code></dt><dd>${describeMetric(name).meaning} <code>by</code>: ${describeMetric(name).by.join(', ') || 'none'}.</dd>`,
)}</dl>
<h2 id="null">Unknown is not 0</h2>
<p><code>complete_since</code> is the time since which the service knows every event of the metric. A bucket that begins earlier has
<code>null</code> instead of a count, because a part would look like the whole, and <code>total</code> is <code>null</code> too.
A top counts from the first day that is known, <code>first_counted_day</code>.</p>
<h2 id="top">The most frequent names</h2>
<p>The vendors with the most CVEs in a month; a call costs ${describePrice(endpoints, 'get-stats-top')}. A CVE counts once for each
of its names, so the counts can add up to more than <code>total</code>; <code>without_name</code> are in none of them.</p>
${commands`
visctl stats top published --of vendor --from 2021-12-01 --to 2021-12-31
`}
`

export const series: GuidePage = {
  path: '/docs/guide/series',
  title: 'Counts over time',
  summary: 'How many CVEs were published or added to KEV per day, week or month, and which vendors have the most.',
  body: renderText,
}
