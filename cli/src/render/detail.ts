// What one source knows about a CVE.
import type { DetailRecord, PartialAnswer } from '@vis/sdk'
import type { Terminal } from '../terminal.ts'
import { bandOf, scoreText } from './severity.ts'
import { lines, paragraph, row, rule } from './sheet.ts'
import { cleanLine } from './text.ts'

const MAX_PRODUCTS = 12

export function fullDetail(terminal: Terminal, record: DetailRecord): string {
  const { metrics, technical_details, references, enrichment_metadata } = record
  return [
    heading(terminal, record.cve_id, record.vendor),
    scoreRows(terminal, metrics),
    row(terminal, 'Exploit', `${metrics.exploitability.score.toFixed(1)} of 1.0`),
    rows(terminal, '', metrics.exploitability.evidence),
    rows(
      terminal,
      'Weakness',
      technical_details.cwe.map(({ id, name }) => (name ? `${id} ${name}` : id)),
    ),
    rows(terminal, 'Affected', productsOf(record.affected_products)),
    rows(terminal, 'Advisories', urlsOf(references.vendor_advisories)),
    rows(terminal, 'Fixes', urlsOf(references.mitigations)),
    rows(terminal, 'Exploits', urlsOf(references.exploits)),
    rows(terminal, 'Articles', urlsOf(references.technical_articles)),
    row(terminal, 'Updated', enrichment_metadata.updated_at),
  ].join('')
}

export function partialDetail(terminal: Terminal, { cve_id, vendor, message, enrichment }: PartialAnswer): string {
  return [
    heading(terminal, cve_id, vendor),
    paragraph(terminal, message),
    enrichment ? rows(terminal, 'Weakness', enrichment.cwe_list) : '',
    enrichment?.cvss_vector ? row(terminal, 'CVSS', enrichment.cvss_vector) : '',
    enrichment ? row(terminal, 'Sources', enrichment.vendor_tags.join('  ')) : '',
  ].join('')
}

function heading(terminal: Terminal, id: string, source: string): string {
  return `${terminal.paint('bold', cleanLine(id))}  as ${cleanLine(source)} knows it\n${rule(terminal)}`
}

function scoreRows(terminal: Terminal, { cvss_v31, cvss_v40, cvss_v2 }: DetailRecord['metrics']): string {
  return [cvss_v31, cvss_v40, cvss_v2]
    .flatMap((score) => score ?? [])
    .map(({ version, baseScore, vectorString }) => {
      const { name, style } = bandOf(baseScore)
      const badge = terminal.paint(style, `${scoreText(baseScore)} ${name}`)
      return lines(terminal, `CVSS ${cleanLine(version)}`, [`${badge}  ${cleanLine(vectorString)}`])
    })
    .join('')
}

function rows(terminal: Terminal, label: string, texts: readonly string[]): string {
  return texts.map((text, at) => row(terminal, at === 0 ? label : '', text)).join('')
}

function urlsOf(references: readonly { readonly url: string }[]): string[] {
  return references.map(({ url }) => url)
}

/** By name where somebody named them, else the CPE names. */
function productsOf({ products, cpe_configurations }: DetailRecord['affected_products']): string[] {
  const named = products.map(({ vendor, product }) => `${vendor} ${product}`)
  const all = named.length > 0 ? named : cpe_configurations.map(({ cpe23Uri }) => cpe23Uri)
  const more = all.length - MAX_PRODUCTS
  return [...all.slice(0, MAX_PRODUCTS), ...(more > 0 ? [`and ${more} more; --json shows all`] : [])]
}
