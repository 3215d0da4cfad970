// Names of products in CPE: 2.3 as formatted strings, 2.2 as URIs, and names made of what vendors call their products.
import { valuesOfUri } from './cpe-uri.ts'
import { ANY, fromFormatted, isCpeValue, literalValue, toFormatted } from './cpe-value.ts'

/** Values as `cpe-value.ts` says, in lower case. */
export interface CpeParts {
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly update: string
  readonly edition: string
  readonly language: string
  readonly softwareEdition: string
  readonly targetSoftware: string
  readonly targetHardware: string
  readonly other: string
}

const PREFIX = 'cpe:2.3:'
const ATTRIBUTES = 11

/** The limit that the CVE record format sets. */
const MAX_LENGTH = 2048
const PRINTABLE = /^[!-~]+$/
const PART = /^[aho*-]$/

/** A formatted string of 2.3 or a URI of 2.2, in any letter case; undefined if it is neither. */
export function parseCpe(text: string): CpeParts | undefined {
  if (text.length > MAX_LENGTH || !PRINTABLE.test(text)) return undefined
  // Names are compared without regard to case, and NVD writes them so; some CNAs do not.
  const lower = text.toLowerCase()
  const values = lower.startsWith(PREFIX) ? valuesOfFormatted(lower) : valuesOfUri(lower)
  if (values === undefined || values.length !== ATTRIBUTES || !values.every(isCpeValue)) return undefined
  const [part = ANY, vendor = ANY, product = ANY, version = ANY, update = ANY, edition = ANY, ...rest] = values
  const [language = ANY, softwareEdition = ANY, targetSoftware = ANY, targetHardware = ANY, other = ANY] = rest
  if (!PART.test(part)) return undefined
  const extended = { softwareEdition, targetSoftware, targetHardware, other }
  return { part, vendor, product, version, update, edition, language, ...extended }
}

export function formatCpe(parts: CpeParts): string {
  const values = [
    parts.part,
    parts.vendor,
    parts.product,
    parts.version,
    parts.update,
    parts.edition,
    parts.language,
    parts.softwareEdition,
    parts.targetSoftware,
    parts.targetHardware,
    parts.other,
  ]
  return PREFIX + values.map(toFormatted).join(':')
}

export interface ProductName {
  /** An application unless said otherwise. */
  readonly part?: 'a' | 'h' | 'o'
  readonly vendor: string
  readonly product: string
  readonly version?: string
}

/** A well-formed name from free text; undefined where a vendor or a product is not really named. */
export function cpeOf({ part = 'a', vendor, product, version = '' }: ProductName): string | undefined {
  const [vendorValue, productValue] = [valueOfName(vendor), valueOfName(product)]
  if (vendorValue === undefined || productValue === undefined) return undefined
  const values = [part, vendorValue, productValue, valueOfName(version) ?? ANY, ...Array<string>(7).fill(ANY)]
  const cpe = PREFIX + values.map(toFormatted).join(':')
  return cpe.length > MAX_LENGTH ? undefined : cpe
}

const NO_NAMES = new Set(['', 'n/a', 'na', 'none', 'unknown', 'unspecified', 'not_specified', '-', '*'])

/** As NVD would write it: lower case, underscores for space, letters without their accents. */
function valueOfName(text: string): string | undefined {
  const name = withPlainPunctuation(text)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, '_')
  if (NO_NAMES.has(name)) return undefined
  const value = literalValue(name)
  return isCpeValue(value) ? value : undefined
}

/** Names are often copied from a page that was set for readers. */
function withPlainPunctuation(text: string): string {
  return text
    .replaceAll(/[™®©\p{Format}]/gu, '')
    .replaceAll(/\p{Dash_Punctuation}/gu, '-')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
}

function valuesOfFormatted(text: string): string[] {
  const components = text.slice(PREFIX.length)
  // A colon behind a backslash belongs to the value, unless the backslash does so itself.
  const separated = components.includes('\\')
    ? components.replaceAll(/\\.|:/g, (found) => (found === ':' ? ' ' : found)).split(' ')
    : components.split(':')
  return separated.map(fromFormatted)
}
