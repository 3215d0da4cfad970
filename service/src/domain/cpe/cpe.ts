// CPE names: CPE 2.3 formatted strings, CPE 2.2 URIs, and names built from a vendor and a product.
import { parseCpeUri } from './cpe-uri.ts'
import { ANY, escapeCpeValue, formatCpeValue, isCpeValue, parseFormattedValue, unescapeCpeValue } from './cpe-value.ts'

/** Values are in lower case, with the escapes of cpe-value.ts. */
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
const ATTRIBUTE_COUNT = 11

/** The CVE record format has the same limit. */
const MAX_LENGTH = 2048
const PRINTABLE = /^[!-~]+$/
const PART = /^[aho*-]$/

/** Accepts any letter case; returns undefined for text that is not a CPE name. */
export function parseCpe(text: string): CpeParts | undefined {
  if (text.length > MAX_LENGTH || !PRINTABLE.test(text)) return undefined
  // Letter case does not matter. NVD writes lower case; some CNAs do not.
  const lower = text.toLowerCase()
  const values = lower.startsWith(PREFIX) ? splitFormatted(lower) : parseCpeUri(lower)
  if (values === undefined || values.length !== ATTRIBUTE_COUNT || !values.every(isCpeValue)) return undefined
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
  return PREFIX + values.map(formatCpeValue).join(':')
}

/** Names of CPE 2.2 state hardware in the place of the edition. */
const HARDWARE =
  /^(?:x(?:32|64|86)(?:_\d\d)?|amd64|i[3-6]86|ia[-_]?(?:32|64)|itanium|(?:32|64)[-_]?bit|sparc(?:64)?|alpha|power_?pc|ppc(?:64(?:le)?)?|arm\w*|aarch64|mips\w*|m68k|hppa|s[-_]?390x?)$/

/** Returns the software edition, or the edition of a CPE 2.2 name such as `dev` or `pro`; null for any. */
export function readEdition({
  edition,
  softwareEdition,
}: Pick<CpeParts, 'edition' | 'softwareEdition'>): string | null {
  const stated = unescapeCpeValue(softwareEdition)
  if (stated !== undefined) return stated
  const older = unescapeCpeValue(edition)
  return older === undefined || HARDWARE.test(older) ? null : older
}

export interface ProductName {
  /** Default: `a` (application). */
  readonly part?: 'a' | 'h' | 'o'
  readonly vendor: string
  readonly product: string
  readonly version?: string
  readonly update?: string
}

/** Takes vendor and product as free text; returns undefined if either is empty or a placeholder. */
export function buildCpe({ part = 'a', vendor, product, version = '', update = '' }: ProductName): string | undefined {
  const [vendorValue, productValue] = [toCpeValue(vendor), toCpeValue(product)]
  if (vendorValue === undefined || productValue === undefined) return undefined
  const values = [vendorValue, productValue, toCpeValue(version) ?? ANY, toCpeValue(update) ?? ANY]
  const cpe = `${PREFIX}${part}:${values.map(formatCpeValue).join(':')}:*:*:*:*:*:*`
  return cpe.length > MAX_LENGTH ? undefined : cpe
}

const PLACEHOLDERS = new Set(['', 'n/a', 'na', 'none', 'unknown', 'unspecified', 'not_specified', '-', '*'])

/** Converts to NVD's spelling: lower case, underscores instead of spaces, letters without accents. */
function toCpeValue(text: string): string | undefined {
  if (text === '') return undefined
  const isPlain = PLAIN.test(text)
  const letters = isPlain ? text : removeAccents(toPlainPunctuation(text))
  const name = letters.trim().toLowerCase().replaceAll(/\s+/g, '_')
  if (PLACEHOLDERS.has(name)) return undefined
  if (isPlain) return name
  const value = escapeCpeValue(name)
  return isCpeValue(value) ? value : undefined
}

/** Matches most names: those without accents and without characters that must be escaped. */
const PLAIN = /^[\w. -]+$/

function removeAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{Mark}/gu, '')
}

/** Names copied from web pages contain typographic punctuation. */
function toPlainPunctuation(text: string): string {
  return text
    .replaceAll(/[™®©\p{Format}]/gu, '')
    .replaceAll(/\p{Dash_Punctuation}/gu, '-')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
}

function splitFormatted(text: string): string[] {
  const components = text.slice(PREFIX.length)
  // An escaped colon belongs to the value. A colon after an escaped backslash is not escaped.
  const separated = components.includes('\\')
    ? components.replaceAll(/\\.|:/g, (found) => (found === ':' ? ' ' : found)).split(' ')
    : components.split(':')
  return separated.map(parseFormattedValue)
}
