// In a CPE value, `*` and `?` are wildcards; a lone `*` means any value, and a lone `-` means not applicable. A
// backslash before `*`, `?`, `-` or a backslash makes it literal, as in the product name `content\*builder`.

export const ANY = '*'
export const NOT_APPLICABLE = '-'

const PLAIN = /[!-)+->@-[\]-~]|\\[*?\\]/.source
const WILDCARD = /\*|\?+/.source
const VALUE = new RegExp(String.raw`^(?:\\-|${WILDCARD}|(?:${WILDCARD})?(?:${PLAIN})+(?:${WILDCARD})?)$`)

/** Accepts printable ASCII with wildcards only at the ends, as the CPE standard requires. */
export function isCpeValue(value: string): boolean {
  return value === ANY || value === NOT_APPLICABLE || VALUE.test(value)
}

/** Converts to lower case, with underscores instead of blanks. */
export function toCpeSpelling(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/gu, '_')
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  'ab ag bv co corp corporation gmbh inc incorporated kg kk limited llc ltd oy plc pty sas srl'.split(' '),
)

/** True for `inc.` and `ltd`, which are no names by themselves. */
export const isLegalForm = (word: string) => LEGAL_FORMS.has(word.replaceAll(/[^\p{L}]/gu, ''))

/**
 * Returns the CPE spelling of a vendor without its legal form: `fortinet` for `Fortinet, Inc.`. Names that differ in
 * more than the legal form stay apart.
 */
export function toVendorSpelling(name: string): string {
  const words = toCpeSpelling(name).split('_')
  const last = words.findLastIndex((word) => !isLegalForm(word))
  return last < 0 || last === words.length - 1
    ? words.join('_')
    : words
        .slice(0, last + 1)
        .join('_')
        .replace(/,$/, '')
}

/** Splits a name in CPE spelling at its commas: `ios,_ipados` consists of `ios` and `ipados`. */
export function splitSpelling(name: string): readonly string[] {
  return name
    .split(',')
    .map((part) => toCpeSpelling(part.replaceAll('_', ' ')))
    .filter((part) => part !== '')
}

/** Returns a CPE value that matches only this text. */
export function escapeCpeValue(text: string): string {
  return text === NOT_APPLICABLE ? String.raw`\-` : text.replaceAll(/[*?\\]/g, String.raw`\$&`)
}

/** NVD also escapes the limits of its ranges, as in `11.4\(1\)`. */
export function unescapeLimit(limit: string): string {
  return limit.includes('\\') ? limit.replaceAll(/\\(.)/g, '$1') : limit
}

/** Returns undefined for `*` (any value) and `-` (not applicable). */
export function unescapeCpeValue(value: string): string | undefined {
  if (value === ANY || value === NOT_APPLICABLE) return undefined
  return value.includes('\\') ? value.replaceAll(/\\(.)/g, '$1') : value
}

/** Removes the backslashes that only a CPE 2.3 formatted string has before punctuation. */
export function parseFormattedValue(component: string): string {
  if (!component.includes('\\') || component === String.raw`\-`) return component
  return component.replaceAll(/\\(.)/g, (pair, character: string) => ('*?\\'.includes(character) ? pair : character))
}

/** Reverses parseFormattedValue. */
export function formatCpeValue(value: string): string {
  return value.replaceAll(/\\.|[^\w.*?-]/g, (found) => (found.length > 1 ? found : `\\${found}`))
}
