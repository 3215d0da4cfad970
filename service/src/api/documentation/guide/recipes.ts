import { commands, html, program } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>The recipes use <code>curl</code>, <code>jq</code>, <code>visctl</code> and <code>vis-sdk</code>, with the two variables
of the <a href="/docs/guide">quickstart</a>. Some recipes read a file with one CVE id per line, such as the output of a
scanner:</p>
${commands`
printf '%s\n' CVE-2024-3094 CVE-2021-44228 CVE-2023-34362 > cves.txt
`}

<h2 id="triage">Sort a list of CVEs by urgency</h2>
<p>CVEs that are known to be exploited come first, then CVEs with a high EPSS score, then CVEs with a high CVSS score. One
batch of up to fifty CVEs has one price:</p>
${commands`
jq --raw-input --null-input '{ cve_ids: [inputs] }' cves.txt |
  curl --silent --fail --header "X-API-Key: $VIS_API_KEY" --json @- "$VIS_URL/api/v1/cve/batch" |
  jq --raw-output '.data.cves | map([(.kev != null), .epss.score // 0, .severity // 0, .cve_id])
    | sort | reverse | .[] | @tsv'
`}
<p>For any number of CVEs, in TypeScript. The client sends batches of fifty:</p>
${program`
import { readFileSync } from 'node:fs'
import { createClient } from 'vis-sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })
const ids = readFileSync('cves.txt', 'utf8').trim().split('\n')

const { cves, not_found } = await client.batch(ids, { fields: ['cve_id', 'severity', 'kev', 'epss'] })
const urgency = ({ kev, epss, severity }: (typeof cves)[string]) =>
  (kev ? 100 : 0) + (epss?.score ?? 0) * 10 + (severity ?? 0) / 10
const ranked = Object.values(cves).sort((one, other) => urgency(other) - urgency(one))
for (const { cve_id, severity, kev } of ranked) console.log(cve_id, severity, kev ? 'exploited' : '')
console.log(not_found.length, 'not found')
`}

<h2 id="gate">Stop a build that contains exploited vulnerabilities</h2>
<p>This checks up to fifty CVEs from your scanner for one credit. Exit code 1 stops the pipeline. <code>--exploit</code>
matches CVEs that are in KEV or have evidence of an exploit; use <code>--kev</code> for KEV only.</p>
${commands`
ids=$(paste -sd, cves.txt)
exploited=$(visctl search --ids "$ids" --exploit --all --json | jq --raw-output '.[].cve_id')
if [ -n "$exploited" ]; then
  echo "known to be exploited:" $exploited
  exit 1
fi
`}

<h2 id="watch-kev">Print new entries of the KEV catalog</h2>
<p>Run this with cron. The first run prints every entry; later runs print the entries added since the previous run:</p>
${commands`
touch kev.seen
visctl kev --all --json |
  jq --raw-output '.[] | [.cveId, .dueDate, .vendorProject, .product] | @tsv' | sort > kev.now
comm -13 kev.seen kev.now
mv kev.now kev.seen
`}

<h2 id="criticals">List all critical CVEs since a date</h2>
${commands`
visctl search --severity critical --published-after 2023-01-01 --sort published_asc \
  --all --csv > criticals.csv
head -n 2 criticals.csv
`}

<h2 id="next">List CVEs that will probably be exploited next</h2>
<p>These CVEs have a high EPSS score and are not in KEV yet:</p>
${commands`
visctl search --no-kev --epss-min 0.5 --sort epss_desc --limit 50
`}

<h2 id="news">List what changed over the weekend</h2>
<p>CVEs that were published or modified in the last three days, newest first:</p>
${commands`
visctl recent --days 3 --severity critical,high
`}

<h2 id="mirror">Keep a local copy up to date</h2>
<p>This appends the whole record of every CVE modified since the last run, one record per line. <code>modified</code> is
set by the data sources, and some changes are published later than that time. So start one day before the last run, and
keep the newest line of each CVE.</p>
${commands`
since=$(cat mirror.since 2>/dev/null || echo 2021-01-01)
visctl search --modified-after "$since" --sort modified_asc --all \
  --json --include acsc,attack,enrichment |
  jq --compact-output '.[]' >> mirror.ndjson
date --utc --date yesterday +%F > mirror.since
jq --compact-output --slurp 'group_by(.cve_id) | map(last) | .[]' mirror.ndjson > mirror.new
mv mirror.new mirror.ndjson
wc -l mirror.ndjson
`}
<p>EPSS scores change daily for nearly every CVE and do not count as a modification. Fetch current scores when you need
them, or use the file that FIRST publishes. Before you pass a copy on, read the
<a href="/docs/guide/attributions">attributions</a>.</p>

<h2 id="age">Check the age of the data</h2>
<p>This needs no key and suits a monitor. It prints the size of every data set and whether it is stale:</p>
${commands`
curl --silent "$VIS_URL/health" |
  jq --raw-output '.datasets | to_entries[] | [.key, .value.table_count, .value.stale] | @tsv'
`}
`

export const recipes: GuidePage = {
  path: '/docs/guide/recipes',
  title: 'Recipes',
  summary: 'Complete scripts to copy and adapt.',
  body: () => TEXT,
}
