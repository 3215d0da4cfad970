import type { ServedEndpoint } from '../../api/services.ts'
import { renderListParameters } from '../../contract/filters.ts'
import { code, commands, type Html, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>A search has words, filters or both. A CVE must match all of them; a filter with several values matches any of its
values. Each parameter of the API is an option of <code>visctl</code>: <code>kev_added_after</code> is
<code>--kev-added-after</code>, and <code>has_fix=false</code> is <code>--no-has-fix</code>. The commands use the two
variables of the <a href="/docs/guide">quickstart</a>.</p>

<h2 id="questions">Ten questions and their searches</h2>
<p>Which critical vulnerabilities does Log4j have? <code>product</code> and <code>product_vendor</code> compare whole names,
as CPE names, the CNA, a package database or a KEV catalog writes them, in any letter case. If no CVE has a name, the
answer has similar names in <code>did_you_mean</code>, and <code>visctl</code> prints them:</p>
${commands`
visctl search --product log4j --severity critical
`}
<p>Which vulnerabilities of a vendor do ransomware groups use?</p>
${commands`
visctl search --product-vendor progress --ransomware
`}
<p>Which SQL injections are known to be exploited?</p>
${commands`
visctl search --cwe CWE-89 --kev
`}
<p>What has CISA added to its catalog since a day, in either product of two vendors?</p>
${commands`
visctl search --kev-added-after 2023-01-01 --product-vendor progress,apache
`}
<p>For which vulnerabilities that will probably be exploited does nobody name a fixed version?</p>
${commands`
visctl search --epss-min 0.5 --no-has-fix --sort epss_desc
`}
<p>Which vulnerabilities can be attacked automatically and give full control, but are not in KEV?</p>
${commands`
visctl search --ssvc-automatable yes --ssvc-impact total --no-kev --sort priority_desc
`}
<p>Which vulnerabilities let attackers run commands? A technique of ATT&amp;CK also finds its sub-techniques:</p>
${commands`
visctl search --technique T1059
`}
<p>Which exploited vulnerabilities can be closed by an update?</p>
${commands`
visctl search --exploit-maturity active,ransomware --has-fix --sort published_asc
`}
<p>Which vulnerabilities are among the most likely thousandth by EPSS, and not known to be exploited?</p>
${commands`
visctl search --epss-percentile-min 0.999 --ssvc-exploitation none,poc
`}
<p>Which vulnerabilities has an organisation named itself since 2021, with the record of each, for a program?</p>
${commands`
curl --silent --show-error --fail --get --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cves" \
  --data assigner=apache --data published_after=2021-01-01 --data include=enrichment |
  jq --raw-output '.data.cves[] | [.cve_id, .severity, .enrichment.cwe_list[]] | @tsv'
`}
<h2 id="words">Words</h2>
<p>Words are searched in the id, the description, the names of vendors and products, the name of the KEV entry, and in
well-known names such as Log4Shell. All words must match, each as a whole word, as the beginning of a word (from three
characters) or in another grammatical form:</p>
${commands`
visctl search log4shell
`}
<p>Joined words such as <code>mod_ssl</code>, <code>admin.php</code> or <code>asp.net</code>, and words in quotation marks,
must be adjacent. A word or phrase with a <code>-</code> before it must not occur; after <code>--</code>, visctl passes it
on instead of reading it as an option. <code>OR</code> in capitals makes the words or phrases beside it alternatives, up to 10
in a search:</p>
${commands`
visctl search '"apache log4j"'
visctl search --kev -- apache -struts
visctl search progress OR apache log4j OR moveit_transfer
`}
<p>In quotation marks, <code>-</code> and <code>OR</code> are text. A lone <code>-</code>, and <code>OR</code> at the beginning
or the end, are ignored. A search that only excludes words is rejected, as is an exclusion beside <code>OR</code>.
<code>visctl suggest</code> corrects misspelt names.</p>
<h2 id="order">The order of the results</h2>
<p>The API returns the newest CVEs first, unless <code>sort</code> says otherwise. With words in <code>q</code>,
<code>sort=relevance</code> returns the CVE whose id is searched for first, then CVEs with all words in well-known names or
the name of the KEV entry, then in names of vendors and products, then all others: by text rank, and by priority where more
than 2,000 CVEs match equally well. <code>visctl</code> uses this order if words are given and no sort is named:</p>
${commands`
visctl search log4j --severity critical
curl --silent --show-error --fail --get --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/cves" \
  --data q=log4j --data sort=relevance --data fields=cve_id |
  jq --raw-output '.data.cves[].cve_id'
`}
<p><code>/api/v1/cves/recent</code> has most of these filters too: <code>visctl recent --days 7 --product-vendor microsoft
--exploit-maturity active</code>. <code>--disagree score</code> finds CVEs about whose severity the sources disagree;
<code>visctl get --sources</code> then shows who states what.</p>
<h2 id="export">All CVEs of a search as a file</h2>
<p><code>visctl export --kev --sort epss_desc &gt; kev.csv</code>, or <code>GET /api/v1/cves/export</code> with the filters of the search,
writes all CVEs as one CSV file, up to 100,000. The rows are sent while they are read, at the price of the pages that they replace.
While the catalog changes, an export is as exact as pages with a cursor: a CVE whose place in the order changes meanwhile can be
missing or appear twice; an order by <code>modified</code> leaves out what changes. For an exact state of all CVEs, take a
<a href="/docs/guide/copy">snapshot</a>. A file that breaks off before its end is an error of the transfer, which <code>curl</code>
and <code>visctl</code> report; its credits are refunded.</p>
<h2 id="views">Saved searches</h2>
<p><code>visctl views list</code> and <code>GET /api/v1/views</code> list the views: built-in ones, which every account has, the shared
ones of the account, and the own ones of the member who is signed in to the console. <code>visctl search --view new-in-kev</code> runs
one, and filters on the command line replace those of the view. A key needs the scope <code>watch</code>
(<a href="/docs/guide/keys">keys</a>) for saved views, because they tell what people care about; it acts for the account, so the views
that it saves are shared. <code>visctl views save 'Fortinet in KEV' --product-vendor fortinet --kev-added-after today-30d</code> saves
one.</p>
<p>The query of a view is a query string of <code>GET /api/v1/cves</code>. A day can be relative to the day on which the view runs, in
UTC: <code>today</code> or <code>today-7d</code>. <code>GET /api/v1/cves</code> itself accepts no relative days, so that the same
address always means the same search: the member <code>search</code> of a view has the days of now. A change names the
<code>revision</code> that was read, and gets 409 if someone else changed the view meanwhile.</p>
`

export const search: GuidePage = {
  path: '/docs/guide/search',
  title: 'Search',
  summary: 'Ten questions and their searches, and all filters.',
  body: (endpoints) => html`
${TEXT}
<h2 id="filters">All parameters</h2>
<p><code>GET /api/v1/filters</code> and <code>visctl filters</code> return this table for programs, free of charge. A list
takes several values, separated by commas.</p>
${renderParameters(endpoints)}
`,
}

const SEARCHES: ReadonlyMap<string, string> = new Map([
  ['/api/v1/cves', 'search'],
  ['/api/v1/cves/recent', 'recent'],
])

function renderParameters(endpoints: readonly ServedEndpoint[]): Html {
  const rows = renderListParameters(endpoints.filter(({ path }) => SEARCHES.has(path))).map((each) => [
    code(each.name),
    each.endpoints.map((path) => SEARCHES.get(path)).join(', '),
    each.is_list ? `list of ${each.type}` : each.type,
    code(each.examples.join(' ')),
    each.description,
  ])
  return table(['parameter', 'lists', 'type', 'example', 'meaning'], rows)
}
