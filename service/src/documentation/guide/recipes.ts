import { commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>Each recipe answers one question. The recipes use <code>curl</code>, <code>jq</code> and <code>visctl</code>, with the two variables
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

<h2 id="patch-first">What to patch first?</h2>
<p>A scanner finds hundreds of CVEs; few of them are urgent. Every CVE has a priority level, and each level comes with its
reasons as sentences that you can copy into a ticket:</p>
<p><a href="/docs/guide/priority">Priority</a> explains the levels and their rules. This prints the twelve most urgent
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

<h2 id="affected">Am I affected?</h2>
<p>Name what you run as a package URL or CPE name. The answer has the CVEs that affect this version, who says so, and the version
to upgrade to; an SBOM with all components goes to <a href="/docs/guide/sbom"><code>visctl scan</code></a>. No CVE in the answer
means "not affected" only if the verdict says so: a component that no source covers is <code>not_covered</code>.</p>
${commands`
visctl match 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*'
`}

<h2 id="fixed">Which version fixes it?</h2>
<p><code>visctl get</code> shows the fixed version of each product and branch, the vendor's before NVD's, and versions that other
sources name. Without one it says so: it then shows what publishers advise, such as a workaround. Programs
use <code>include=fixes,remediations</code>. A row with <code>downstream</code> is a package or product that contains the
affected one:</p>
${commands`
visctl get CVE-2021-44228 --json --include fixes --fields fixes |
  jq --raw-output '.fixes[] | select(.downstream | not) | [.product, .branch, .version, .source] | @tsv'
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

<h2 id="exploited">What became exploited since yesterday?</h2>
<p><code>--since</code> takes a day, a time, <code>yesterday</code>, a weekday, or the position that the previous answer ends
with: with the position, a job that runs every hour misses nothing and reads nothing twice
(<a href="/docs/guide/changes">Changes</a>):</p>
${commands`
visctl changes --since 2026-08-21 --types kev_added,eu_kev_added
`}

<h2 id="vendor">What changed since Monday for a vendor?</h2>
<p><code>--since Monday</code> begins with the last Monday. A time before the service kept changes is refused, because the answer would be
a part:</p>
${commands`
visctl changes --since 2026-08-21 --product-vendor apache
`}

<h2 id="removed">Which entries did CISA remove from KEV?</h2>
<p>CISA does not announce removals. The list begins with the time from which the service knows them:</p>
${commands`
visctl kev --history --removed
`}

<h2 id="known">What was known about a CVE on a day?</h2>
<p>The answer names the members that are reconstructed from the histories of upstreams, and those that are not known for the day
(<a href="/docs/guide/history">What was known when</a>):</p>
${commands`
visctl history CVE-2021-44228 --as-of 2024-04-12
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

<h2 id="copy">Keep a local copy</h2>
<p><code>visctl mirror</code> loads a snapshot and then follows the change log, so that the copy misses no change and no removal.
<a href="/docs/guide/copy">Keep a copy</a> explains the files, the prices and how to read the copy. Before you pass a copy on,
read the <a href="/docs/guide/attributions">attributions</a>.</p>
${commands`
visctl mirror --into copy --once
`}

<h2 id="age">How old is the data?</h2>
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
