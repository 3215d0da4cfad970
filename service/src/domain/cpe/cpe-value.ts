// Values of CPE attributes. In a value, `*` and `?` are wildcards. A value that is only `*` means any value, and a
// value that is only `-` means not applicable. A backslash before `*`, `?`, `-` or a backslash makes the character
// literal, as in the product name `content\*builder`.

export const ANY = '*'
export const NOT_APPLICABLE = '-'

const PLAIN = /[!-)+->@-[\]-~]|\\[*?\\]/.source
const WILDCARD = /\*|\?+/.source
const VALUE = new RegExp(String.raw`^(?:\\-|${WILDCARD}|(?:${WILDCARD})?(?:${PLAIN})+(?:${WILDCARD})?)$`)

/**
 * Returns whether a CPE attribute value is valid: printable ASCII, with wildcards only at the ends, as the CPE standard
 * requires.
 */
export function isCpeValue(value: string): boolean {
  return value === ANY || value === NOT_APPLICABLE || VALUE.test(value)
}

/** Spells a name of a vendor or a product as CPE names do: in lower case, with underscores instead of blanks. */
export function toCpeSpelling(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/gu, '_')
}

/** Escapes a text to a CPE attribute value that matches exactly the given text. */
export function escapeCpeValue(text: string): string {
  return text === NOT_APPLICABLE ? String.raw`\-` : text.replaceAll(/[*?\\]/g, String.raw`\$&`)
}

/**
 * Returns the text of a CPE attribute value without escapes. Returns undefined for the values `*` (any value) and `-`
 * (not applicable).
 */
export function unescapeCpeValue(value: string): string | undefined {
  if (value === ANY || value === NOT_APPLICABLE) return undefined
  return value.includes('\\') ? value.replaceAll(/\\(.)/g, '$1') : value
}

/** Removes the backslashes before punctuation, which only the CPE 2.3 formatted string needs. */
export function parseFormattedValue(component: string): string {
  if (!component.includes('\\') || component === String.raw`\-`) return component
  return component.replaceAll(/\\(.)/g, (pair, character: string) => ('*?\\'.includes(character) ? pair : character))
}

/** Adds the backslashes before punctuation that the CPE 2.3 formatted string needs. */
export function formatCpeValue(value: string): string {
  return value.replaceAll(/\\.|[^\w.*?-]/g, (found) => (found.length > 1 ? found : `\\${found}`))
}
