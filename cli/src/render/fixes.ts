// Renders the fixed versions of a CVE, and what publishers advise where there is none: as rows of a card, and as the cells
// of tables and CSV.
import type { FixedVersion, Remediation } from 'vis-sdk'
import { formatRow } from './layout.ts'
import type { Terminal } from './terminal.ts'

const MAX_FIXES = 6
const MAX_RIVALS = 2
const MAX_ADVICE = 4

interface Fixable {
  readonly fixes?: readonly FixedVersion[]
  readonly fixes_omitted?: number
  readonly remediations?: readonly Remediation[]
  readonly remediations_omitted?: number
  readonly enrichment?: { readonly patch_available: boolean } | null
}

/** A distribution's package, or a product that contains the affected one, does not stand for the CVE. */
const isOwn = ({ downstream }: FixedVersion) => downstream !== true

export function renderFixes(terminal: Terminal, cve: Fixable): string {
  const { fixes } = cve
  if (fixes === undefined) return ''
  const own = fixes.filter(isOwn)
  const texts = [...own.slice(0, MAX_FIXES).map(describeFix), ...describeRest(cve, own)]
  const rows = texts.map((text, at) => formatRow(terminal, at === 0 ? 'Fix' : '', text)).join('')
  return own.some(({ doubted }) => doubted !== true) ? rows : rows + renderAdvice(terminal, cve)
}

function describeRest(cve: Fixable, own: readonly FixedVersion[]): readonly string[] {
  const { fixes = [], fixes_omitted: omitted = 0 } = cve
  const downstream = fixes.length - own.length
  const more = Math.max(0, own.length - MAX_FIXES)
  const counts = [
    ...(more > 0 ? [`${more} for other branches or products`] : []),
    ...(downstream > 0 ? [`${downstream} of packages or products that contain it`] : []),
    ...(omitted > 0 ? [`${omitted} that the service leaves out`] : []),
  ]
  const rest = counts.length === 0 ? [] : [`and ${counts.join(', ')}; --json --include fixes shows them`]
  return own.length > 0 ? rest : [describeUnknown(cve), ...rest]
}

function describeUnknown({ enrichment }: Fixable): string {
  if (enrichment?.patch_available) return 'a source names a fix, but no source names its version'
  return 'no source names a fixed version'
}

function describeFix({ product, branch, version, is_commit, source, derived, doubted, rivals, ...fix }: FixedVersion) {
  const name = fix.package_name === undefined ? product : `${fix.package_name} in ${product}`
  const subject = [name, is_commit ? 'commit' : '', version].filter((each) => each !== '').join(' ')
  const others = rivals.slice(0, MAX_RIVALS).map((each) => {
    return `${each.source} ${each.affected ? 'lists as affected' : 'names'} ${each.version}`
  })
  const more = rivals.length - others.length
  const remarks = [
    derived ? `read from a text of ${source}` : source,
    ...others,
    ...(more > 0 ? [`${more} more`] : []),
    ...(doubted ? ['in doubt'] : []),
  ]
  return `${subject}${branch === null ? '' : `, branch ${branch}`} (${remarks.join('; ')})`
}

const ADVICE: Readonly<Record<Remediation['kind'], string>> = {
  fix: 'Fix',
  workaround: 'Workaround',
  mitigation: 'Mitigation',
  none_planned: 'No fix planned',
  none_available: 'No fix available yet',
}

function renderAdvice(terminal: Terminal, { remediations = [], remediations_omitted: omitted = 0 }: Fixable): string {
  const more = remediations.length - MAX_ADVICE + omitted
  const texts = remediations.slice(0, MAX_ADVICE).map(describeAdvice)
  if (more > 0) texts.push(`and ${more} more; --json --include remediations shows them`)
  return texts.map((text, at) => formatRow(terminal, at === 0 ? 'Advice' : '', text)).join('')
}

const MAX_TEXT_LENGTH = 300

function describeAdvice({ kind, text, url, source, applies_to: products }: Remediation): string {
  const [first] = products
  const more = products.length - 1
  const subject =
    first === undefined
      ? ''
      : ` for ${first.product}${first.version ? ` ${first.version}` : ''}${more > 0 ? ` and ${more} more` : ''}`
  const short = text !== null && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH).trimEnd()} …` : text
  const content = short ?? url
  return `${ADVICE[kind]}${subject} (${source})${content === null ? '' : `: ${content}`}`
}

/**
 * Returns the first fixed version of the CVE's own products, with `…` if there are more, which depend on the product or
 * the branch. Empty if no source names one.
 */
export function summarizeFixes(cve: Fixable): string {
  const [first, second] = listCertain(cve)
  if (first === undefined) return ''
  const version = first.is_commit ? first.version.slice(0, 12) : first.version
  return second === undefined ? version : `${version} …`
}

/** Lists product and version of each fix, for CSV. */
export function listFixes(cve: Fixable): string {
  return listCertain(cve)
    .map(({ product, version }) => `${product} ${version}`.trimStart())
    .join('; ')
}

function listCertain({ fixes = [] }: Fixable): readonly FixedVersion[] {
  return fixes.filter((each) => isOwn(each) && each.doubted !== true)
}
