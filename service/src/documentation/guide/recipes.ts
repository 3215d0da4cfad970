import { POLICIES, POLICY_VERSION } from '../../domain/priority/policy.ts'
import { commands, html, program, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>The recipes use <code>curl</code>, <code>jq</code>, <code>visctl</code> and <code>vis-sdk</code>, with the two variables
of the <a href="/docs/guide">quickstart</a>. A recipe that fails, for example because the key is wrong, the service is
unreachable or the credits are used up, ends with an exit code other than 0 and keeps the files of its previous run. Some
recipes read a file with one CVE id per line, or the JSON output of a scanner, here in the format of Trivy:</p>
${commands`
printf '%s\n' CVE-2024-3094 CVE-2021-44228 CVE-2023-34362 > cves.txt
cat > scan.json <<'END'
{ "Results": [
  { "Target": "shop/pom.xml", "Vulnerabilities": [
    { "VulnerabilityID": "CVE-2021-44228", "PkgName": "org.apache.logging.log4j:log4j-core" } ] },
  { "Target": "base image", "Vulnerabilities": [
    { "VulnerabilityID": "CVE-2024-3094", "PkgName": "liblzma5" },
    { "VulnerabilityID": "TEMP-0000000-ABCDEF", "PkgName": "bash" } ] } ] }
END
`}

<h2 id="patch-first">What to patch first</h2>
<p>A scanner finds hundreds of CVEs; few of them are urgent. Every CVE has a priority level, and each level comes with its
reasons as sentences that you can copy into a ticket:</p>
${table(
  ['level', 'meaning'],
  POLICIES[POLICY_VERSION].levels.map(({ level, title }) => [level, title]),
)}
<p>The levels follow from a table of rules, which <code>GET /api/v1/policy</code> returns: whether the CVE is exploited,
whether an exploit is public, EPSS, whether an attack can be automated, and its impact. This prints the twelve most urgent
CVEs of a scan with their deadlines by CISA's directive BOD 26-04. One call ranks up to 500 CVEs:</p>
${commands`
jq --raw-output '[.Results[]?.Vulnerabilities[]?.VulnerabilityID | select(startswith("CVE-"))]
    | unique | .[]' scan.json |
  visctl prioritize --exposure exposed --limit 12
`}
<p><code>--exposure</code> says whether the systems can be reached from the internet; <code>exposed</code> and
<code>internal</code> can move a level, and the first reason then says so. For Grype, replace the filter by
<code>[.matches[].vulnerability.id | select(startswith("CVE-"))] | unique | .[]</code>. With <code>curl</code>, each CVE can
carry the name of the place where it was found:</p>
${commands`
jq '{ items: [.Results[]? | .Target as $target | .Vulnerabilities[]?
    | select(.VulnerabilityID | startswith("CVE-"))
    | { cve_id: .VulnerabilityID, ref: $target[:100] }] }' scan.json |
  curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" --json @- \
    --output ranking.new "$VIS_URL/api/v1/prioritize" &&
  mv ranking.new ranking.json &&
  jq --raw-output '.data.ranked[] | [.priority.level, .cve_id, .refs[0], .priority.reasons[0]] | @tsv' ranking.json
`}
<p><code>visctl gate --priority P1 --file cves.txt</code> stops a build with a CVE of level P0 or P1, and
<code>visctl search --priority P0,P1 --sort priority_desc</code> lists such CVEs of all products.</p>

<h2 id="triage">Sort a list of CVEs by urgency</h2>
<p>CVEs that are known to be exploited come first, then CVEs with a high EPSS score, then CVEs with a high CVSS score. One
batch of up to fifty CVEs has one price:</p>
${commands`
jq --raw-input --null-input '{ cve_ids: [inputs] }' cves.txt |
  curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" --json @- \
    --output batch.new "$VIS_URL/api/v1/cve/batch" &&
  mv batch.new batch.json &&
  jq --raw-output '.data.cves | map([(.kev != null), .epss.score // 0, .severity // 0, .cve_id])
    | sort | reverse | .[] | @tsv' batch.json
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
<p><code>visctl gate</code> finds CVEs that are in KEV (<code>--kev</code>), have at least an EPSS score
(<code>--epss-min</code>), have at least a severity (<code>--severity high</code> means high and critical) or are at least as
urgent as a level (<code>--priority P1</code> means P0 and P1). It finds a CVE that meets one of the conditions. Fifty CVEs cost one credit.</p>
${commands`
visctl gate --kev --epss-min 0.9 --file cves.txt
`}
${table(
  ['exit code', 'meaning'],
  [
    ['0', 'every CVE was compared, and none meets a condition'],
    ['1', 'a CVE meets a condition; the table shows which'],
    ['2', 'the CVEs were not all compared: wrong usage, an empty list, an unknown id, or an error of a call'],
  ],
)}
<p>Every exit code other than 0 stops a pipeline, so a check that cannot run does not let a build pass. A CVE without a
score does not meet a condition on the score; it is listed as unscored. <code>--allow-unknown</code> accepts ids that the
service does not know, and <code>--allow-empty</code> an empty list. <code>--json</code> and <code>--sarif</code> print a
report for programs, and <code>--output</code> writes it to a file. The folder <code>integrations</code> of the repository
contains an action for GitHub and a template for GitLab.</p>
<p>The ids can also come from another command, here from a search. A list that ends early is an error, not a short list:</p>
${commands`
visctl search log4j --all --json --fields cve_id |
  visctl gate --severity critical --json --output gate.json
`}

<h2 id="watch-kev">Print new entries of the KEV catalog</h2>
<p>Run this with cron. The first run prints every entry; later runs print the entries added since the previous run. If a
step fails, <code>kev.seen</code> stays as it is, and the next run prints what this run missed:</p>
${commands`
touch kev.seen
visctl kev --all --json > kev.json &&
  jq --raw-output 'map([.cveId, .dueDate, .vendorProject, .product] | @tsv) | sort | .[]' \
    kev.json > kev.now &&
  [ -s kev.now ] && LC_ALL=C comm -13 kev.seen kev.now && mv kev.now kev.seen
`}

<h2 id="criticals">List all critical CVEs since a date</h2>
${commands`
visctl search --severity critical --published-after 2023-01-01 --sort published_asc \
  --all --csv > criticals.new &&
  mv criticals.new criticals.csv && head -n 2 criticals.csv
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

<h2 id="poll">Ask once an hour for new exploitation</h2>
<p>Additions to and removals from the KEV catalogs and ACSC notices count as modifications, from the time at which this
service first published them. So a caller that asks for the last hour once an hour misses none of them, although CISA
gives only the day. <code>include=events</code> says what happened and when:</p>
${commands`
visctl recent --hours 1 --type modified --all \
  --json --include events --fields cve_id,events > events.new &&
  mv events.new events.json &&
  jq --raw-output '.[] | .cve_id as $id | .events[] | select(.kind | test("^(eu_)?kev|acsc")) |
    [.at, .kind, $id] | @tsv' events.json
`}
<p>Such an event stays in the list for five minutes longer than the period, so an answer can repeat an event of the
previous one: CVE, kind and time are the same. Publication and modification have the dates of the sources, and this service
may import them some hours later. To miss none of these either, ask for a longer period than the time between two
calls.</p>

<h2 id="mirror">Keep a local copy up to date</h2>
<p><code>visctl mirror</code> keeps a copy that misses no change: see <a href="/docs/guide/copy">Keep a copy</a>. The commands here
do it with searches only, and do not notice records that are removed. This fetches the whole record of every CVE modified since the last run, and keeps the newest record of each CVE, one per
line. <code>modified</code> is set by the data sources, and some changes are published later than that time. So a run
starts one day before the previous one. If a step fails, the copy and its date stay as they are, and the next run fetches
the same changes again.</p>
${commands`
touch mirror.ndjson
since=$(cat mirror.since 2>/dev/null || echo 2021-01-01)
date --utc --date yesterday +%F > mirror.next
visctl search --modified-after "$since" --sort modified_asc --all \
  --json --include acsc,attack,enrichment > mirror.json &&
  jq --compact-output --slurp 'flatten(1) | group_by(.cve_id) | map(last) | .[]' \
    mirror.ndjson mirror.json > mirror.new &&
  mv mirror.new mirror.ndjson && mv mirror.next mirror.since && wc -l mirror.ndjson
`}
<p>EPSS scores change daily for nearly every CVE and do not count as a modification. Fetch current scores when you need
them, or use the file that FIRST publishes. Before you pass a copy on, read the
<a href="/docs/guide/attributions">attributions</a>.</p>

<h2 id="age">Check the age of the data</h2>
<p>This needs no key and suits a monitor. It prints the size of every data set, the time of its newest upstream release and
its state: <code>never_loaded</code> means that nothing was ever stored, so records without its data say nothing. <code>age_seconds</code> is the time since our last successful import, and
<code>data_age_seconds</code> the age of the newest upstream data in it: an import that finds nothing new does not make the
data younger. <code>stale</code> considers both. Upstreams publish at different intervals, so KEV data of two weeks ago can
be current while EPSS scores of that age are not.</p>
${commands`
curl --silent --show-error --fail --output health.new "$VIS_URL/health" &&
  mv health.new health.json &&
  jq --raw-output '.datasets | to_entries[] | [.key, .value.table_count, .value.upstream_at, .value.state] | @tsv' \
    health.json
`}
`

export const recipes: GuidePage = {
  path: '/docs/guide/recipes',
  title: 'Recipes',
  summary: 'Complete scripts to copy and adapt.',
  body: () => TEXT,
}
