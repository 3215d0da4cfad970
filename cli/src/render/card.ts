// Everything about one CVE, at a glance.
import type { Cve } from '@vis/sdk'
import type { Terminal } from '../terminal.ts'
import { wordsOf, wordsOfVersion4 } from './cvss-words.ts'
import { productOf } from './product.ts'
import { bandOf, bar, percentText, scoreText } from './severity.ts'
import { box, contentWidth, lines, paragraph, row, rule, sheetWidth } from './sheet.ts'
import { cleanLine, widthOf, wrap } from './text.ts'

/** What a card shows: to be selected, and to be included. */
export const CARD_FIELDS = [
  'cve_id',
  'published',
  'modified',
  'description',
  'severity',
  'status',
  'cvss',
  'cpe',
  'references',
  'kev',
  'epss',
  'acsc',
  'attack',
  'enrichment',
] as const

export type CardCve = Cve<(typeof CARD_FIELDS)[number]>

const MAX_PRODUCTS = 8
const MAX_PER_TAG = 5
const BAR_WIDTH = 20

export function card(terminal: Terminal, cve: CardCve): string {
  return [
    title(terminal, cve),
    rule(terminal),
    paragraph(terminal, cve.description ?? 'Nobody has described it yet.'),
    '\n',
    kevBox(terminal, cve),
    cvssRows(terminal, cve),
    epssRow(terminal, cve),
    exploitRow(terminal, cve),
    enrichmentRows(terminal, cve),
    listRow(terminal, 'ATT&CK', cve.attack?.techniques ?? []),
    noticeRows(terminal, cve),
    productRows(terminal, cve),
    referenceRows(terminal, cve),
  ].join('')
}

function title(terminal: Terminal, { cve_id, severity, status, published, modified }: CardCve): string {
  const { name, style } = bandOf(severity)
  const day = (instant: string | null) => cleanLine(instant ?? 'unknown').slice(0, 10)
  const badge = ` ${name} ${scoreText(severity)} `
  const dates = `${cleanLine(status)} · published ${day(published)} · modified ${day(modified)}`
  const room = sheetWidth(terminal) - widthOf(cve_id) - 2 - widthOf(badge) - widthOf(dates)
  const { paint } = terminal
  const head = `${paint('bold', cleanLine(cve_id))}  ${paint(style, badge)}`
  return room > 1 ? `${head}${' '.repeat(room)}${paint('gray', dates)}\n` : `${head}\n${paragraph(terminal, dates)}`
}

function kevBox(terminal: Terminal, { kev }: CardCve): string {
  if (!kev) return ''
  const { vendorProject, product, vulnerabilityName, requiredAction, dateAdded, dueDate, knownRansomware } = kev
  const content = [
    [[vendorProject, product].filter(Boolean).join(' '), vulnerabilityName].filter(Boolean).join(': '),
    `Added ${dateAdded}${dueDate ? `, due ${dueDate}${lateness(dueDate, terminal.now)}` : ''}.`,
    knownRansomware ? 'Used in ransomware campaigns.' : '',
    requiredAction ? `To do: ${requiredAction}` : '',
  ]
  const shown = content.filter((each) => each !== '')
  return `${box(terminal, ['bold', 'red'], 'KNOWN TO BE EXPLOITED (CISA KEV)', shown)}\n`
}

function lateness(dueDate: string, now: Date): string {
  const today = Date.parse(now.toISOString().slice(0, 10))
  const days = (today - Date.parse(dueDate)) / 86_400_000
  if (Number.isNaN(days)) return ''
  if (days === 0) return ' (today)'
  return days > 0 ? ` (${days.toLocaleString('en')} days ago)` : ` (in ${-days} days)`
}

function cvssRows(terminal: Terminal, { cvss }: CardCve): string {
  const { v3_1, v4_0 } = cvss
  const shown = [
    ...(v3_1 ? [{ ...v3_1, words: wordsOf(v3_1) }] : []),
    ...(v4_0 ? [{ ...v4_0, words: wordsOfVersion4(v4_0) }] : []),
  ]
  return shown
    .map(({ version, baseScore, vectorString, words }) => {
      const { name, style } = bandOf(baseScore)
      const score = terminal.paint(style, `${scoreText(baseScore)} ${name}`)
      const body = [cleanLine(vectorString), ...wrap(words, contentWidth(terminal))]
      return lines(terminal, `CVSS ${cleanLine(version)}`, [score, ...body])
    })
    .join('')
}

function epssRow(terminal: Terminal, { epss }: CardCve): string {
  if (!epss) return ''
  const [full, rest] = bar(epss.score, BAR_WIDTH)
  const meter = terminal.paint(epss.score >= 0.5 ? 'red' : 'yellow', full) + terminal.paint('gray', rest)
  const words = `likely to be exploited within 30 days, as of ${epss.date}; at least as likely as ${percentText(epss.percentile)} of all CVEs`
  return lines(terminal, 'EPSS', [`${meter}  ${percentText(epss.score)}`]) + row(terminal, '', words)
}

function exploitRow(terminal: Terminal, { enrichment }: CardCve): string {
  if (!enrichment) return ''
  const shown = enrichment.exploit_flag
    ? terminal.paint(['bold', 'red'], 'evidence of an exploit is public')
    : 'no public evidence of an exploit'
  return lines(terminal, 'Exploit', [shown])
}

function enrichmentRows(terminal: Terminal, { enrichment }: CardCve): string {
  if (!enrichment) return ''
  const patch = enrichment.patch_available ? terminal.paint('green', 'a fix is known') : 'no fix is known'
  return (
    lines(terminal, 'Fix', [patch]) +
    listRow(terminal, 'Weakness', enrichment.cwe_list) +
    listRow(terminal, 'Sources', enrichment.vendor_tags)
  )
}

function listRow(terminal: Terminal, label: string, items: readonly string[]): string {
  return items.length === 0 ? '' : row(terminal, label, items.join('  '))
}

function noticeRows(terminal: Terminal, { acsc = [] }: CardCve): string {
  const notices = acsc.map(({ publishedDate, priority, type, title, url }) =>
    [`${publishedDate.slice(0, 10)} ${[priority, type].filter(Boolean).join(' ')}: ${title}`, url].filter(Boolean),
  )
  return notices
    .map((texts, at) => texts.map((text, index) => row(terminal, at + index === 0 ? 'ACSC' : '', text ?? '')).join(''))
    .join('')
}

function productRows(terminal: Terminal, { cpe }: CardCve): string {
  const affected = [...new Set(cpe.filter(({ vulnerable }) => vulnerable).map(productOf))]
  if (affected.length === 0) return ''
  const more = affected.length - MAX_PRODUCTS
  const texts = [...affected.slice(0, MAX_PRODUCTS), ...(more > 0 ? [`and ${more} more; --json shows all`] : [])]
  return texts.map((text, at) => row(terminal, at === 0 ? 'Affected' : '', text)).join('')
}

function referenceRows(terminal: Terminal, { references }: CardCve): string {
  const byTag = new Map<string, string[]>()
  for (const { url, tags } of references) {
    const tag = tags?.[0] ?? 'Other'
    byTag.set(tag, [...(byTag.get(tag) ?? []), url])
  }
  const groups = [...byTag].sort(([one], [other]) => Number(one === 'Other') - Number(other === 'Other'))
  const body = groups.map(([tag, urls]) => group(terminal, tag, urls)).join('')
  return body === '' ? '' : `\n${terminal.paint('bold', `References (${references.length})`)}\n${body}`
}

function group(terminal: Terminal, tag: string, urls: readonly string[]): string {
  const more = urls.length - MAX_PER_TAG
  const shown = [...urls.slice(0, MAX_PER_TAG).map(cleanLine), ...(more > 0 ? [`and ${more} more`] : [])]
  return `  ${terminal.paint('cyan', cleanLine(tag))}\n${shown.map((url) => `    ${url}\n`).join('')}`
}
