// Renders values as JSON text that PostgreSQL can store and strict JSON parsers accept, whatever the upstream texts
// contain.

/** Removes NUL characters, which PostgreSQL cannot store, and replaces lone surrogates with U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/**
 * Matches the escape sequences that JSON.stringify writes for NUL and lone surrogates. It can also match harmless text
 * that looks like such a sequence; the text is then cleaned needlessly but stays correct.
 */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u') || !SUSPICIOUS.test(text)) return text
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? toStorableText(each) : each))
}
