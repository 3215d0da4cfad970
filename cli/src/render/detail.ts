// Renders one source's record of a CVE.
import type { DetailRecord, PartialDetail } from 'vis-sdk'
import { describeNamedProduct, describeProduct } from './describe-product.ts'
import { formatLines, formatParagraph, formatRow, formatRule } from './layout.ts'
import { findBand, formatScore } from './severity.ts'
import type { Terminal } from './terminal.ts'
import { cleanLine } from './text.ts'

const MAX_PRODUCTS = 12
const MAX_FIXES = 8
const MAX_URLS = 5
const MAX_EVIDENCE_PER_KIND = 3

export function renderFullDetail(terminal: Terminal, record: DetailRecord): string {
  const { metrics, technical_details, references, enrichment_metadata } = record
  return [
    renderHeading(terminal, record.cve_id, record.vendor),
    renderScores(terminal, metrics),
    record.tags ? formatRow(terminal, 'Tags', record.tags.join('  ')) : '',
    formatRow(terminal, 'Exploit', `${metrics.exploitability.score.toFixed(1)} of 1.0`),
    formatRows(terminal, '', capEvidence(metrics.exploitability.evidence)),
    formatRows(
      terminal,
      'Weakness',
      technical_details.cwe.map(({ id, name }) => (name ? `${id} ${name}` : id)),
    ),
    formatRows(terminal, 'Affected', listProducts(record.affected_products)),
    formatRows(terminal, 'Fixed in', listFixes(record.fixes ?? [])),
    formatRows(terminal, 'Advisories', listUrls(references.vendor_advisories)),
    formatRows(terminal, 'Fixes', listUrls(references.mitigations)),
    formatRows(terminal, 'Exploits', listUrls(references.exploits)),
    formatRows(terminal, 'Articles', listUrls(references.technical_articles)),
    formatRow(terminal, 'Updated', enrichment_metadata.updated_at),
  ].join('')
}

export function renderPartialDetail(
  terminal: Terminal,
  { cve_id, vendor, message, enrichment }: PartialDetail,
): string {
  return [
    renderHeading(terminal, cve_id, vendor),
    formatParagraph(terminal, message),
    enrichment ? formatRows(terminal, 'Weakness', enrichment.cwe_list) : '',
    enrichment?.cvss_vector ? formatRow(terminal, 'CVSS', enrichment.cvss_vector) : '',
    enrichment ? formatRow(terminal, 'Sources', enrichment.vendor_tags.join('  ')) : '',
  ].join('')
}

function renderHeading(terminal: Terminal, id: string, source: string): string {
  return `${terminal.paint('bold', cleanLine(id))}  as recorded by ${cleanLine(source)}\n${formatRule(terminal)}`
}

function renderScores(terminal: Terminal, { cvss_v31, cvss_v40, cvss_v2 }: DetailRecord['metrics']): string {
  return [cvss_v31, cvss_v40, cvss_v2]
    .flatMap((score) => score ?? [])
    .map(({ version, baseScore, vectorString }) => {
      const { name, style } = findBand(baseScore, version)
      const badge = terminal.paint(style, `${formatScore(baseScore)} ${name}`)
      return formatLines(terminal, `CVSS ${cleanLine(version)}`, [`${badge}  ${cleanLine(vectorString)}`])
    })
    .join('')
}

function formatRows(terminal: Terminal, label: string, texts: readonly string[]): string {
  return texts.map((text, at) => formatRow(terminal, at === 0 ? label : '', text)).join('')
}

function listUrls(references: readonly { readonly url: string }[]): readonly string[] {
  return cap(
    references.map(({ url }) => url),
    MAX_URLS,
  )
}

function listFixes(fixes: NonNullable<DetailRecord['fixes']>): readonly string[] {
  return cap(
    fixes.map(({ vendor, product, package_url, package_name, branch, version, source, rivals }) => {
      const name = package_url ?? [vendor, product].filter(Boolean).join(' ')
      const inBranch = branch === null ? '' : ` in branch ${branch}`
      const others = rivals.map((each) => `; ${each.version} (${each.source})`).join('')
      return `${package_name ? `${package_name} in ${name}:` : name} ${version}${inBranch} (${source})${others}`
    }),
    MAX_FIXES,
  )
}

/** Shortens evidence per type, so that a long list of repositories does not hide the other types. */
function capEvidence(evidence: readonly string[]): readonly string[] {
  // The first word of a sentence names who reports the evidence: "Metasploit has the module …".
  const findKind = (sentence: string) => sentence.split(' ', 1)[0]
  const kinds = [...new Set(evidence.map(findKind))]
  return kinds.flatMap((kind) =>
    cap(
      evidence.filter((sentence) => findKind(sentence) === kind),
      MAX_EVIDENCE_PER_KIND,
    ),
  )
}

/** Lists the affected products as the source names them, or else by CPE, with their version ranges. */
function listProducts({ products, cpe_configurations }: DetailRecord['affected_products']): readonly string[] {
  const fromCpe = () =>
    cpe_configurations
      .filter(({ vulnerable }) => vulnerable)
      .map(({ cpe23Uri, ...versions }) => describeProduct({ criteria: cpe23Uri, ...versions }))
  return cap([...new Set(products.length > 0 ? products.map(describeNamedProduct) : fromCpe())], MAX_PRODUCTS)
}

function cap(texts: readonly string[], max: number): readonly string[] {
  const more = texts.length - max
  return more > 0 ? [...texts.slice(0, max), `and ${more} more; --json shows all`] : texts
}
