import { COVERAGE_GAPS, VERDICT_MEANINGS } from '../../domain/match-words.ts'
import { answer, code, commands, html, table } from '../html.ts'
import type { GuidePage } from '../page.ts'

const TEXT = html`
<p>Which CVEs hit the versions that you run, who says so, and which version fixes them?
<code>POST /api/v1/match</code> answers for up to 100 components at once, named by CPE names, package URLs or product names.
The commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
${commands`
visctl match 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*'
`}
<p>The answer for programs has the source and the range of each statement, what other sources say, and the version to upgrade
to:</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/match" \
  --json '{"components": [{"vendor": "apache", "product": "log4j", "version": "2.14.1"}]}' |
  jq --raw-output '.data.components[] | .verdict, .upgrade_to.version, .matches[].statement.text'
`}
<h2 id="verdicts">Verdicts of a component</h2>
<p>Each component has one verdict, the first that holds:</p>
${table(
  ['verdict', 'meaning'],
  Object.entries(VERDICT_MEANINGS).map(([verdict, meaning]) => [code(verdict), meaning]),
)}
<p>A match is sure if a source lists the version as affected, and the vendor does not call it unaffected. It is uncertain if its
source names no version or made the statement about older versions, if it needs another product that is not among the
components, if the vendor denies it, or if it is a conclusion of the service (source <code>rules</code>). A hit below
<code>confidence_min</code> is counted and not listed, and makes the component <code>possibly_affected</code> all the same.</p>
<h2 id="silence">What silence means</h2>
<p>No match is good news only if the databases that would know of one were asked. <code>coverage</code> lists the databases that
judge the component, whether each holds all records of upstream's own index (<code>complete</code>), and how old its data is
(<code>as_of</code>, <code>stale</code>). If all of them are complete and current, <code>coverage_gap</code> is
<code>null</code>, and silence proves something: the verdict is <code>not_affected</code> or <code>no_known_advisory</code>.
Otherwise it proves nothing, and <code>coverage_gap</code> says why:</p>
${table(
  ['gap', 'meaning'],
  Object.entries(COVERAGE_GAPS).map(([gap, meaning]) => [code(gap), meaning]),
)}
<p>A database with a gap can still make a component <code>affected</code> or <code>possibly_affected</code>, never clean. Such a
component has matches and a <code>coverage_gap</code>: there may be more matches than those that are listed.
<code>overview.by_coverage_gap</code> counts the components by gap, and <code>overview.oldest_data</code> is the oldest database that
judged one of them.</p>
<h2 id="confidence">Confidence</h2>
${table(
  ['confidence', 'rule'],
  [
    [
      code('high'),
      'NVD, the CNA, or the database of the ecosystem names the range or the version of the same product.',
    ],
    [
      code('medium'),
      'The service derived the product name or the range, or concluded from contradicting sources that the version is affected, a third party corrected the statement, the target software or edition of the component is not known, or the order of the versions depends on letters.',
    ],
    [
      code('low'),
      'The statement has no usable version, several vendors have a product of this name and no vendor was sent, or target software or edition differ.',
    ],
  ],
)}
<p>If sources disagree, a component is affected if any of them says so. Only if the vendor itself (the CNA of the CVE, a
vendor in its CSAF documents, or a distribution for its packages) calls the version unaffected, the verdict is <code>possibly_affected</code>. Each match shows in
<code>other_statements</code> what the other sources say, with the <code>justification</code> that a CSAF document gives. What vendors advise
(fixes, workarounds, or that no fix will come) is in <code>remediations</code> of <code>GET /api/v1/cve/{cve-id}/detail</code>. A hit of the source <code>rules</code> is a conclusion of this service: a source calls
the version fixed, while others name it as affected. <code>include=sources</code> explains it in <code>conclusions</code>.</p>
<h2 id="packages">Packages of distributions</h2>
<p>Distributions add fixes to older versions (backports), so that <code>2.4.57-2+deb12u1</code> may contain a fix that upstream's 2.4.57
lacks. Packages with a package URL of the type <code>deb</code> or <code>rpm</code> are therefore matched only with statements
about packages of the distribution. Send the qualifier <code>distro</code>, as in
<code>pkg:deb/debian/openssl@3.0.15-1~deb12u1?distro=debian-12</code>; statements about other releases are then left out.
Debian names source packages, so that a package such as <code>libssl3</code> also needs the qualifier
<code>upstream=openssl</code>, which generators of SBOMs write. Red Hat names source packages too. With a minor release, as in
<code>distro=rhel-9.2</code>, statements about extended support (EUS) of this release replace those about the major release. A
package of which Debian or Red Hat does not know yet whether it is affected is <code>possibly_affected</code>.</p>
<h2 id="end-of-life">End of life</h2>
<p><code>end_of_life</code> says that the release of the component is no longer supported and that no fix in it is known.
No fix is to be expected, so upgrade to another release. For a package of a distribution, it is the release of the distribution, such as
Debian 10; for other components, the release of the product, such as Log4j 1. The facts come from endoflife.date. While
<code>extended_support_until</code> is present, extended support still gives fixes, often only to customers. The member is absent for a product
that the list does not have, for a version that belongs to no listed release, and if a fix may be in the release.</p>
<p>A CPE name without an update, such as <code>11.1.2</code>, stands for all updates of the version. In a product version, the
update may follow after a hyphen: <code>11.1.2-h3</code> is the update <code>h3</code> of <code>11.1.2</code>.</p>
<h2 id="plan">Fix plan</h2>
<p><code>fix_plan</code> has one line for each package that can be improved, the line that removes most urgency first:</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/match" \
  --json '{"components": [{"cpe": "cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*"}]}' |
  jq --compact-output '.data.fix_plan[] | {from_version, to_version, kind, resolves, remains}'
`}
${answer(`
{"from_version":"2.14.1","to_version":"2.15.0","kind":"minor","resolves":[{"level":"P0","total":1,"ids":["CVE-2021-44228"]}],"remains":[]}
`)}
<p>The step from 2.14.1 to 2.15.0 changes the second number (<code>kind</code>: <code>patch</code>, <code>minor</code> or
<code>major</code>) and resolves one P0. Nothing known remains; <code>remains</code> would name the matches that 2.15.0 has too,
and <code>introduces</code> those that only 2.15.0 has. The plan takes the smallest step that leaves as few matches at P0 to P2
as any known version, never a lower version, and a pre-release only if you run one. In answers about an SBOM with a dependency
graph, <code>path</code> leads from the direct dependency to the package, and <code>direct_dependencies</code> names all that
bring it in. Packages for which no better version is known have no line: look for them among the matches.</p>
<h2 id="upgrade">Version to upgrade to</h2>
<p><code>upgrade_to</code> is the nearest later version without a listed match, the same major version first. It is a version
that a source calls fixed (<code>fixed_version</code>), or only the end of an affected range (<code>range_end</code>), and
<code>seen_in</code> says which. Advisories about packages, such as those of GitHub, OSV and Debian, name the fixed version;
a range in NVD or the CVE List only ends before one. Check that such a version was released: the service does not know it. It
may have hits that are weaker than <code>confidence_min</code>. <code>null</code> means that no such version was found.</p>
<p><code>clean_version</code> asks for less: the lowest later version without a known match at P0, P1 or P2, in the
<code>branch</code> of the fix, such as 2.12 for the version 2.12.1. A fixed version of one CVE can have another: 2.15.0 fixes
CVE-2021-44228 and has CVE-2021-45046. If there is none, <code>not_clean</code> says why. CVEs that get a level later, and
CVEs without a level, are not considered.</p>
<h2 id="malicious">Malicious packages</h2>
<p>Some hits are no flaws: their <code>kind</code> is <code>malicious</code>, because the package, or a version of it, was
published to do harm. Their level is always P0, by a rule beside the policy. Remove the package, and treat each machine on
which it ran as compromised: an upgrade repairs nothing. The ids are usually of the form <code>MAL-2024-1296</code>. Nobody knows all
malicious packages, so a package without such a hit can be one.</p>
<h2 id="lists">Lists of the CVEs of a component</h2>
<p>The filters <code>cpe</code> and <code>purl</code> of <code>GET /api/v1/cves</code>, <code>/api/v1/cves/recent</code> and
<code>/api/v1/cves/facets</code> find the CVEs that <code>POST /api/v1/match</code> lists for one component with the
confidence <code>high</code> or <code>medium</code>. Other filters, sorts and pages apply as usual:</p>
${commands`
visctl search --cpe 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' --kev --sort epss_desc
`}
<p>Without a version, these are all CVEs that name the product. An empty list alone does not mean that you are not affected:
the member <code>component</code> of the response has the verdict, and counts what the list leaves out. Advisories without a
CVE are in the answer of <code>POST /api/v1/match</code> only. A call may have <code>cpe</code> or <code>purl</code>, not
both. Each page shows what the catalog says when it is read.</p>
<h2 id="suppress">Hits that you have judged</h2>
<p>Entries of <code>suppress</code> hide hits that you have judged, with a reason and optionally until a day. Suppressed hits
are counted and listed apart; an expired entry hides nothing.</p>
`

export const matching: GuidePage = {
  path: '/docs/guide/matching',
  title: 'Matching',
  summary: 'Which CVEs affect the versions that you run, who says so, and which version to upgrade to.',
  body: () => TEXT,
}
