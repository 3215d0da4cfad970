// One attribute of a CPE. A value is plain text in which `*` and `?` are wildcards, `*` alone is any value and `-` alone
// is none; where one of these three, or a backslash, is meant as itself, a backslash stands before it. Names of products
// have such characters in them, if rarely: `content*builder`.

export const ANY = '*'
export const NOT_APPLICABLE = '-'

const PLAIN = /[!-)+->@-[\]-~]|\\[*?\\]/.source
const WILDCARD = /\*|\?+/.source
const VALUE = new RegExp(String.raw`^(?:\\-|${WILDCARD}|(?:${WILDCARD})?(?:${PLAIN})+(?:${WILDCARD})?)$`)

/** Printable ASCII only, and wildcards only at the ends: the standard knows no others. */
export function isCpeValue(value: string): boolean {
  return VALUE.test(value)
}

/** The value that means this text and nothing else. */
export function literalValue(text: string): string {
  return text === NOT_APPLICABLE ? String.raw`\-` : text.replaceAll(/[*?\\]/g, String.raw`\$&`)
}

/** What to compare and to show; undefined for any value and for none. */
export function textOfValue(value: string): string | undefined {
  return value === ANY || value === NOT_APPLICABLE ? undefined : value.replaceAll(/\\(.)/g, '$1')
}

/** Takes away the backslashes that a formatted string has before punctuation, where a value has none. */
export function fromFormatted(component: string): string {
  if (!component.includes('\\') || component === String.raw`\-`) return component
  return component.replaceAll(/\\(.)/g, (pair, character: string) => ('*?\\'.includes(character) ? pair : character))
}

export function toFormatted(value: string): string {
  return value.replaceAll(/\\.|[^\w.*?-]/g, (found) => (found.length > 1 ? found : `\\${found}`))
}
