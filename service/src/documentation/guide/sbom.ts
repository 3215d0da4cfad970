import { GATE_REASONS, NATURES } from '../../domain/gate-words.ts'
import { code, commands, html, settings, table } from '../html.ts'
import type { GuidePage } from '../page.ts'
import { describePrice } from './price.ts'

const TEXT = html`
<h2 id="make">Make an SBOM</h2>
<p>Use the tool that knows your packages. Package managers and build tools know the exact versions that they installed; tools
for images read the package database of the distribution. These are examples:</p>
${settings`
npm sbom --sbom-format cyclonedx > sbom.json           # a Node project, from its lock file
syft debian:12 --output cyclonedx-json=sbom.json       # an image or a folder
cdxgen --output sbom.json .                            # projects of many languages
`}
<p>Accepted are CycloneDX 1.4 to 1.7 as JSON, SPDX 2.2 and 2.3 as JSON and SPDX 3.0 as JSON-LD, also as an attestation
(in-toto), compressed with gzip or not, with at most 10 MiB. A document can be written by hand as well:</p>
${commands`
cat > sbom.json <<'END'
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "components": [
    {
      "type": "library", "bom-ref": "logger", "name": "log4j", "version": "2.14.1",
      "cpe": "cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*"
    },
    {
      "type": "library", "bom-ref": "own", "name": "shop-core", "version": "3.1.0",
      "purl": "pkg:npm/shop-core@3.1.0"
    }
  ]
}
END
`}
<h2 id="scan">Scan it</h2>
${commands`
visctl scan sbom.json
`}
<p>The result begins with the <a href="/docs/guide/matching#plan">fix plan</a>: for each package the next version, what it
resolves by level, what remains, and which direct dependency brings the package in. Packages with matches for which no better
version is known follow. <code>--rows</code> adds a table of the matches and of the components that are not covered, and
<code>--csv</code> prints a row for each match and for each component without one:</p>
${commands`
visctl scan sbom.json --csv | cut -d, -f 3-6,8,9,18
`}
<p>Programs read the JSON of the service:</p>
${commands`
curl --silent --show-error --fail --header "X-API-Key: $VIS_API_KEY" "$VIS_URL/api/v1/sbom?priority_max=P2" \
  --json @sbom.json |
  jq --raw-output '.data.components[] | [.ref, .verdict, .upgrade_to.version] | @tsv'
`}
<h2 id="read">Read the result</h2>
<p>The summary on standard error counts the components by <a href="/docs/guide/matching#verdicts">verdict</a>, and says which of
them silence does not prove safe:</p>
${table(
  ['what the summary says', 'what it means'],
  [
    [
      'covered by complete and current databases',
      'Silence about these components proves something. The oldest data that judged a component follows with its age.',
    ],
    [
      'not covered',
      html`The components are neither affected nor clean, for the <a href="/docs/guide/matching#silence">reason</a> that follows.
Your own packages may be here too: name them with <code>--own</code>.`,
    ],
    ['judged only in part', 'The components have matches, and may have more than those that are listed.'],
    [
      'possibly affected, without a listed match',
      'The component has no version, its version has no known order, or its hits are below --confidence-min.',
    ],
    [
      'skipped',
      'The component is a file, has no usable name, or is the software or the operating system that the document describes. It was not compared.',
    ],
    [
      'less sure',
      html`Hits below <code>--confidence-min</code>, which are counted and not listed. A component that has neither a package URL nor
a CPE name is matched by its name, which is one step less sure.`,
    ],
  ],
)}
<h2 id="dialects">What is read from each tool</h2>
<p>A package of a Linux distribution is judged by its <a href="/docs/guide/matching#packages">source package</a> and its
release. Tools write both in different places, which all lead to the same findings:</p>
${table(
  ['tool', 'source package', 'release of the distribution'],
  [
    [
      'Syft, docker sbom, BuildKit',
      html`<code>upstream</code> in the package URL, else the properties <code>syft:metadata:source</code>,
<code>sourceVersion</code>, <code>sourceRpm</code> and <code>originPackage</code>; without them, a package of Debian
(<code>dpkg-db-entry</code>) is its own source package`,
      html`<code>distro</code> in the package URL, else the operating system, else its <code>syft:distro:versionCodename</code>`,
    ],
    [
      'Trivy',
      html`the properties <code>aquasecurity:trivy:SrcName</code>, <code>SrcVersion</code>, <code>SrcRelease</code> and
<code>SrcEpoch</code>; in SPDX <code>sourceInfo</code>, such as <code>built package from: openssl 3.0.11-1~deb12u2</code>`,
      html`<code>distro</code> in the package URL, else the operating system`,
    ],
    ['cdxgen', 'a component of its own for each source package', html`<code>distro</code> in the package URL`],
    [
      'Docker Scout',
      'the package URL, which names the source package',
      html`<code>os_name</code> and <code>os_version</code>, else <code>os_distro</code>, in the package URL`,
    ],
    [
      "Microsoft's sbom-tool",
      'none',
      'none: packages of images are judged without a release, and only if their name is that of a source package',
    ],
    ['npm sbom, Maven plugin, cdxgen for projects', 'not needed', 'not needed'],
  ],
)}
<p>Epochs are read from the version, the qualifier <code>epoch</code> and Trivy's property. Components inside components are
read as well. The release of the operating system counts for packages in its own namespace, and only if the document has one
operating system. A component with several package URLs is compared by the first whose packages a source names; one with
several CPE names (<code>cpe</code>, <code>syft:cpe23</code>, <code>externalRefs</code>) by the first that a source uses.</p>
<p>If a document names no source package, the package's own name is looked up: in Debian the binary package
<code>curl</code> has the name of its source package, and <code>libssl3</code> does not. No table says from which source a
binary package is built, so <code>libssl3</code> is then not covered (<code>unknown_source_package</code>).</p>
<h2 id="ci">Stop a build</h2>
<p><code>--fail-on P1</code> makes the scan a gate. Its exit code is the result, the first that applies:</p>
${table(
  ['exit code', 'result', 'what it means'],
  [
    ['1', code('failed'), 'A CVE of level P0 or P1 affects a component.'],
    [
      '2',
      code('incomplete'),
      'No such CVE is known, but not everything that counts was judged. Also if the document was not scanned at all.',
    ],
    ['0', code('passed'), 'Everything that counts was judged, and no such CVE affects a component.'],
  ],
)}
${commands`
visctl scan sbom.json --fail-on P1 --sarif --output scan.sarif
`}
<p>The summary names the components behind each reason, and the API has the same in <code>data.gate</code>
(<code>fail_on=P1</code>):</p>
${table(
  ['reason', 'what it means'],
  Object.entries(GATE_REASONS).map(([reason, { meaning }]) => [code(reason), meaning]),
)}
<p>A package that the database of its ecosystem covers and does not name has no known advisory, and is no reason. The following
entries are not judged by their nature and are never a reason; they are counted and shown:</p>
${table(
  ['nature', 'what it means'],
  Object.entries(NATURES).map(([nature, meaning]) => [code(nature), meaning]),
)}
<p>Name your own packages with <code>--own</code>, and accept a reason with <code>--allow</code>, best for a pattern of
components. <code>--max-data-age 45d</code> accepts older data. The report and the SARIF file name what was accepted, and
<code>--allow uncovered</code> without a pattern is a warning in each of them:</p>
${commands`
visctl scan sbom.json --fail-on P1 --own 'pkg:npm/@acme/*' --allow 'uncovered:pkg:generic/*' || echo "exit code $?"
`}
<p>The SARIF file shows the matches with the planned version, an incomplete gate, and the components that are not covered in a
code-scanning dashboard. The folder <code>integrations</code> of the repository
contains an action for GitHub that runs this step.</p>
<h2 id="suppress">Judge a hit once</h2>
<p><code>--suppress</code> reads a list of hits that you have judged, or an OpenVEX document. Suppressed hits are counted and do
not fail. An entry with <code>until</code> ends after that day. <a href="/docs/guide/triage">States of your account</a> are
remembered and apply with <code>--triage apply</code>:</p>
${commands`
echo '[{ "id": "CVE-2021-44228", "reason": "The class JndiLookup is removed from our file." }]' > judged.json
visctl scan sbom.json --fail-on P1 --suppress judged.json
`}
<h2 id="vex">Pass the result on</h2>
<p>A VEX document tells your customers which vulnerabilities of your components matter. <code>--format</code> writes one, as
OpenVEX or CycloneDX. What is not decided is <code>under_investigation</code> in OpenVEX and <code>in_triage</code> in
CycloneDX; <code>not_affected</code> and <code>fixed</code> only repeat what you have judged yourself. Components that are not
covered have no statement: OpenVEX counts them in <code>tooling</code>, and CycloneDX lists them with the property
<code>vis:coverage_gap</code>.</p>
${commands`
visctl scan sbom.json --format openvex > vex.json &&
  jq --raw-output '.statements[] | [.vulnerability.name, .status] | @tsv' vex.json
`}
`

export const sbom: GuidePage = {
  path: '/docs/guide/sbom',
  title: 'Scan an SBOM',
  summary: 'Find the CVEs of all packages of a program or an image, and stop a build that contains urgent ones.',
  body: (endpoints) => html`
<p>A software bill of materials (SBOM) lists the packages that a program or an image contains.
<code>POST /api/v1/sbom</code> reads one and answers for each package as <a href="/docs/guide/matching">matching</a> does:
which CVEs affect its version, who says so, and which version to upgrade to. A scan costs
${describePrice(endpoints, 'scan-sbom')} for up to 5,000 components. The service stores and logs nothing of the document. The
commands use the two variables of the <a href="/docs/guide">quickstart</a>.</p>
${TEXT}`,
}
