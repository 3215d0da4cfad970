import { commands, html, program } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>They use <code>curl</code>, <code>jq</code>, <code>vis</code> and <code>@vis/sdk</code>, with the two variables of the
<a href="/docs/guide">quickstart</a>. Some read a list of CVEs, one a line, as scanners write them:</p>
${commands`
printf '%s\n' CVE-2024-3094 CVE-2021-44228 CVE-2023-34362 > cves.txt
`}

<h2 id="triage">Put a list of CVEs into the order in which to patch them</h2>
<p>Known to be exploited first, then what will probably be, then by score. One batch of up to fifty, one price:</p>
${commands`
jq --raw-input --null-input '{ cve_ids: [inputs] }' cves.txt |
  curl --silent --fail --header "X-API-Key: $VIS_API_KEY" --json @- "$VIS_URL/api/v1/cve/batch" |
  jq --raw-output '.data.cves | map([(.kev != null), .epss.score // 0, .severity // 0, .cve_id])
    | sort | reverse | .[] | @tsv'
`}
<p>For any number of them, in TypeScript; the client asks fifty at a time:</p>
${program`
import { readFileSync } from 'node:fs'
import { createClient } from '@vis/sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })
const ids = readFileSync('cves.txt', 'utf8').trim().split('\n')

const { cves, not_found } = await client.batch(ids, { fields: ['cve_id', 'severity', 'kev', 'epss'] })
const urgency = ({ kev, epss, severity }: (typeof cves)[string]) =>
  (kev ? 100 : 0) + (epss?.score ?? 0) * 10 + (severity ?? 0) / 10
const ranked = Object.values(cves).sort((one, other) => urgency(other) - urgency(one))
for (const { cve_id, severity, kev } of ranked) console.log(cve_id, severity, kev ? 'exploited' : '')
console.log(not_found.length, 'not known')
`}

<h2 id="gate">Stop a build that ships something exploited</h2>
<p>For a list of up to fifty CVEs from your scanner. One credit; exit code 1 stops the pipeline. <code>--exploit</code>
is KEV or evidence of an exploit; use <code>--kev</code> for KEV alone.</p>
${commands`
ids=$(paste -sd, cves.txt)
exploited=$(vis search --ids "$ids" --exploit --all --json | jq --raw-output '.[].cve_id')
if [ -n "$exploited" ]; then
  echo "known to be exploited:" $exploited
  exit 1
fi
`}

<h2 id="watch-kev">Say what is new in the KEV catalogue</h2>
<p>For cron. The first run says everything, later ones what was added since:</p>
${commands`
touch kev.seen
vis kev --all --json |
  jq --raw-output '.[] | [.cveId, .dueDate, .vendorProject, .product] | @tsv' | sort > kev.now
comm -13 kev.seen kev.now
mv kev.now kev.seen
`}

<h2 id="criticals">All criticals since a date</h2>
${commands`
vis search --severity critical --published-after 2023-01-01 --sort published_asc \
  --all --csv > criticals.csv
head -n 2 criticals.csv
`}

<h2 id="next">What will probably be exploited next</h2>
<p>Likely, by EPSS, and not yet in KEV:</p>
${commands`
vis search --no-kev --epss-min 0.5 --sort epss_desc --limit 50
`}

<h2 id="news">The news of the weekend</h2>
<p>What was published or modified in the last three days, newest first:</p>
${commands`
vis recent --days 3 --severity critical,high
`}

<h2 id="mirror">A nightly copy of what changed</h2>
<p>Whole records, one a line, of everything modified since the last run. <code>modified</code> is the time of the
sources, and some speak late: begin a day before the last run, and let the newer line of a CVE win.</p>
${commands`
since=$(cat mirror.since 2>/dev/null || echo 2021-01-01)
vis search --modified-after "$since" --sort modified_asc --all \
  --json --include acsc,attack,enrichment |
  jq --compact-output '.[]' >> mirror.ndjson
date --utc --date yesterday +%F > mirror.since
jq --compact-output --slurp 'group_by(.cve_id) | map(last) | .[]' mirror.ndjson > mirror.new
mv mirror.new mirror.ndjson
wc -l mirror.ndjson
`}
<p>EPSS moves for nearly every CVE on every day and does not count as a modification: take the scores anew where you need
them, or the file that FIRST publishes. Before you pass a copy on, read the
<a href="/docs/guide/attributions">attributions</a>.</p>

<h2 id="age">Is the data fresh?</h2>
<p>Without a key, for a monitor: the age of every data set, and which are stale.</p>
${commands`
curl --silent "$VIS_URL/health" |
  jq --raw-output '.datasets | to_entries[] | [.key, .value.table_count, .value.stale] | @tsv'
`}
`

export const recipes: GuidePage = {
  path: '/docs/guide/recipes',
  title: 'Recipes',
  summary: 'Whole tasks, to copy and change.',
  body: () => TEXT,
}
