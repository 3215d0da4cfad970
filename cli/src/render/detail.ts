// Renders the record that one source has of a CVE.
import type { DetailRecord, PartialDetail } from 'vis-sdk'
import type { Terminal } from '../terminal.ts'
import { formatLines, formatParagraph, formatRow, formatRule } from './layout.ts'
import { findBand, formatScore } from './severity.ts'
import { cleanLine } from './text.ts'

const MAX_PRODUCTS = 12

export function renderFullDetail(terminal: Terminal, record: DetailRecord): string {
  const { metrics, technical_details, references, enrichment_metadata } = record
  return [
    renderHeading(terminal, record.cve_id, record.vendor),
    renderScores(terminal, metrics),
    formatRow(terminal, 'Exploit', `${metrics.exploitability.score.toFixed(1)} of 1.0`),
    formatRows(terminal, '', metrics.exploitability.evidence),
    formatRows(
      terminal,
      'Weakness',
      technical_details.cwe.map(({ id, name }) => (name ? `${id} ${name}` : id)),
    ),
    formatRows(terminal, 'Affected', listProducts(record.affected_products)),
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
      const { name, style } = findBand(baseScore)
      const badge = terminal.paint(style, `${formatScore(baseScore)} ${name}`)
      return formatLines(terminal, `CVSS ${cleanLine(version)}`, [`${badge}  ${cleanLine(vectorString)}`])
    })
    .join('')
}

function formatRows(terminal: Terminal, label: string, texts: readonly string[]): string {
  return texts.map((text, at) => formatRow(terminal, at === 0 ? label : '', text)).join('')
}

function listUrls(references: readonly { readonly url: string }[]): string[] {
  return references.map(({ url }) => url)
}

/** Lists the affected products by vendor and name if the source names them, otherwise by CPE name. */
function listProducts({ products, cpe_configurations }: DetailRecord['affected_products']): string[] {
  const named = products.map(({ vendor, product }) => `${vendor} ${product}`)
  const all = named.length > 0 ? named : cpe_configurations.map(({ cpe23Uri }) => cpe23Uri)
  const more = all.length - MAX_PRODUCTS
  return [...all.slice(0, MAX_PRODUCTS), ...(more > 0 ? [`and ${more} more; --json shows all`] : [])]
}
