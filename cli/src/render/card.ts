// Renders one CVE as a card.
import type { Cve, EpssSeries } from 'vis-sdk'
import { renderConfigurations } from './configurations.ts'
import { describeCvss2, describeCvss3, describeCvss4 } from './describe-cvss.ts'
import { describeProduct } from './describe-product.ts'
import { renderExploits } from './exploits.ts'
import { renderFixes } from './fixes.ts'
import {
  formatBox,
  formatLines,
  formatParagraph,
  formatRow,
  formatRule,
  getContentWidth,
  getLayoutWidth,
} from './layout.ts'
import { renderPriority } from './priority.ts'
import { findBand, findCveBand, formatPercent, formatScore, renderBar } from './severity.ts'
import { renderSources } from './sources.ts'
import { findHighest, renderSparkline } from './sparkline.ts'
import type { Terminal } from './terminal.ts'
import { cleanLine, measureWidth, wrap } from './text.ts'

/** CVE fields to request for a card. */
export const CARD_FIELDS = [
  'cve_id',
  'published',
  'modified',
  'description',
  'severity',
  'status',
  'tags',
  'cvss',
  'cpe',
  'references',
  'kev',
  'epss',
  'acsc',
  'attack',
  'enrichment',
  'priority',
  'fixes',
  'remediations',
] as const

/** Sections that options of `visctl get` add to a card. A card always has the priority, with one of its reasons. */
export const CARD_SECTIONS = ['priority', 'configurations', 'sources', 'exploits'] as const

export type CardCve = Cve<(typeof CARD_FIELDS)[number] | (typeof CARD_SECTIONS)[number]>

interface CardOptions {
  readonly history?: EpssSeries | undefined
  readonly showsAllReasons?: boolean
}

const MAX_PRODUCTS = 8
const MAX_PER_TAG = 5
const BAR_WIDTH = 20

export function renderCard(
  terminal: Terminal,
  cve: CardCve,
  { history, showsAllReasons = false }: CardOptions = {},
): string {
  return [
    renderTitle(terminal, cve),
    formatRule(terminal),
    formatParagraph(terminal, cve.description ?? 'This CVE has no description yet.'),
    '\n',
    renderKev(terminal, cve),
    renderPriority(terminal, cve.priority, showsAllReasons),
    renderFixes(terminal, cve),
    renderList(terminal, 'Tags', cve.tags ?? []),
    renderCvss(terminal, cve),
    renderEpss(terminal, cve),
    renderHistory(terminal, history),
    renderExploit(terminal, cve),
    renderExploits(terminal, cve.exploits),
    renderEnrichment(terminal, cve),
    renderTechniques(terminal, cve),
    renderNotices(terminal, cve),
    renderProducts(terminal, cve),
    renderSources(terminal, cve.sources),
    renderConfigurations(terminal, cve.configurations),
    renderReferences(terminal, cve),
  ].join('')
}

function renderTitle(terminal: Terminal, cve: CardCve): string {
  const { cve_id, severity, status, published, modified } = cve
  const { name, style } = findCveBand(cve)
  const day = (instant: string | null) => cleanLine(instant ?? 'unknown').slice(0, 10)
  const badge = ` ${name} ${formatScore(severity)} `
  const dates = `${cleanLine(status)} · published ${day(published)} · modified ${day(modified)}`
  const space = getLayoutWidth(terminal) - measureWidth(cve_id) - 2 - measureWidth(badge) - measureWidth(dates)
  const { paint } = terminal
  const head = `${paint('bold', cleanLine(cve_id))}  ${paint(style, badge)}`
  return space > 1
    ? `${head}${' '.repeat(space)}${paint('gray', dates)}\n`
    : `${head}\n${formatParagraph(terminal, dates)}`
}

function renderKev(terminal: Terminal, { kev }: CardCve): string {
  if (!kev) return ''
  const { vendorProject, product, vulnerabilityName, requiredAction, dateAdded, dueDate, knownRansomware } = kev
  const content = [
    [[vendorProject, product].filter(Boolean).join(' '), vulnerabilityName].filter(Boolean).join(': '),
    `Added ${dateAdded}${dueDate ? `, due ${dueDate}${describeDueDate(dueDate, terminal.now)}` : ''}.`,
    knownRansomware ? 'Used in ransomware campaigns.' : '',
    requiredAction ? `To do: ${requiredAction}` : '',
  ]
  const lines = content.filter((each) => each !== '')
  return `${formatBox(terminal, ['bold', 'red'], 'KNOWN TO BE EXPLOITED (CISA KEV)', lines)}\n`
}

function describeDueDate(dueDate: string, now: Date): string {
  const today = Date.parse(now.toISOString().slice(0, 10))
  const days = (today - Date.parse(dueDate)) / 86_400_000
  if (Number.isNaN(days)) return ''
  if (days === 0) return ' (today)'
  return days > 0 ? ` (${days.toLocaleString('en')} days ago)` : ` (in ${-days} days)`
}

function renderCvss(terminal: Terminal, { cvss }: CardCve): string {
  const { v3_1, v4_0, v2_0 } = cvss
  const scores = [
    ...(v3_1 ? [{ ...v3_1, description: describeCvss3(v3_1) }] : []),
    ...(v4_0 ? [{ ...v4_0, description: describeCvss4(v4_0) }] : []),
    ...(v2_0 ? [{ ...v2_0, description: describeCvss2(v2_0) }] : []),
  ]
  return scores
    .map(({ version, baseScore, vectorString, description }) => {
      const { name, style } = findBand(baseScore, version)
      const score = terminal.paint(style, `${formatScore(baseScore)} ${name}`)
      const body = [cleanLine(vectorString), ...wrap(description, getContentWidth(terminal))]
      return formatLines(terminal, `CVSS ${cleanLine(version)}`, [score, ...body])
    })
    .join('')
}

function renderEpss(terminal: Terminal, { epss }: CardCve): string {
  if (!epss) return ''
  const [full, rest] = renderBar(epss.score, BAR_WIDTH)
  const bar = terminal.paint(epss.score >= 0.5 ? 'red' : 'yellow', full) + terminal.paint('gray', rest)
  const meaning = `likely to be exploited within 30 days, as of ${epss.date}; at least as likely as ${formatPercent(epss.percentile)} of all CVEs`
  return formatLines(terminal, 'EPSS', [`${bar}  ${formatPercent(epss.score)}`]) + formatRow(terminal, '', meaning)
}

function renderHistory(terminal: Terminal, history: EpssSeries | undefined): string {
  const [first, last] = [history?.series[0], history?.series.at(-1)]
  if (!history || !first || !last) return history ? formatRow(terminal, '', 'no EPSS score in the last 90 days') : ''
  const highest = formatPercent(findHighest(history.series))
  return (
    formatLines(terminal, '', [renderSparkline(history.series, BAR_WIDTH * 2)]) +
    formatRow(terminal, '', `from ${first.date} to ${last.date}; highest ${highest}`)
  )
}

function renderExploit(terminal: Terminal, { enrichment }: CardCve): string {
  if (!enrichment) return ''
  const exploit = enrichment.exploit_flag
    ? terminal.paint(['bold', 'red'], 'evidence of an exploit is public')
    : 'no public evidence of an exploit'
  return formatLines(terminal, 'Exploit', [exploit])
}

function renderEnrichment(terminal: Terminal, { enrichment }: CardCve): string {
  if (!enrichment) return ''
  return renderList(terminal, 'Weakness', enrichment.cwe_list) + renderList(terminal, 'Sources', enrichment.vendor_tags)
}

function renderList(terminal: Terminal, label: string, items: readonly string[]): string {
  return items.length === 0 ? '' : formatRow(terminal, label, items.join('  '))
}

function renderTechniques(terminal: Terminal, { attack }: CardCve): string {
  if (attack === undefined || attack.techniques.length === 0) return ''
  const { techniques, mapping } = attack
  return formatRow(terminal, 'ATT&CK', `${techniques.join('  ')}${mapping === null ? '' : ` (${mapping})`}`)
}

function renderNotices(terminal: Terminal, { acsc = [] }: CardCve): string {
  const notices = acsc.map(({ publishedDate, priority, type, title, url }) =>
    [`${publishedDate.slice(0, 10)} ${[priority, type].filter(Boolean).join(' ')}: ${title}`, url].filter(Boolean),
  )
  return notices
    .map((texts, at) =>
      texts.map((text, index) => formatRow(terminal, at + index === 0 ? 'ACSC' : '', text ?? '')).join(''),
    )
    .join('')
}

function renderProducts(terminal: Terminal, { cpe }: CardCve): string {
  const affected = [...new Set(cpe.filter(({ vulnerable }) => vulnerable).map(describeProduct))]
  if (affected.length === 0) return ''
  const more = affected.length - MAX_PRODUCTS
  const texts = [...affected.slice(0, MAX_PRODUCTS), ...(more > 0 ? [`and ${more} more; --json shows all`] : [])]
  return texts.map((text, at) => formatRow(terminal, at === 0 ? 'Affected' : '', text)).join('')
}

function renderReferences(terminal: Terminal, { references }: CardCve): string {
  const byTag = new Map<string, string[]>()
  for (const { url, tags } of references) {
    const tag = tags?.[0] ?? 'Other'
    byTag.set(tag, [...(byTag.get(tag) ?? []), url])
  }
  const groups = [...byTag].sort(([one], [other]) => Number(one === 'Other') - Number(other === 'Other'))
  const body = groups.map(([tag, urls]) => renderGroup(terminal, tag, urls)).join('')
  return body === '' ? '' : `\n${terminal.paint('bold', `References (${references.length})`)}\n${body}`
}

function renderGroup(terminal: Terminal, tag: string, urls: readonly string[]): string {
  const more = urls.length - MAX_PER_TAG
  const lines = [...urls.slice(0, MAX_PER_TAG).map(cleanLine), ...(more > 0 ? [`and ${more} more`] : [])]
  return `  ${terminal.paint('cyan', cleanLine(tag))}\n${lines.map((line) => `    ${line}\n`).join('')}`
}
