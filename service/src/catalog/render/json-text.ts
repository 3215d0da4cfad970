// Renders values as JSON text that PostgreSQL can store and strict JSON parsers accept, whatever upstream strings contain.

/** Removes NUL, which PostgreSQL cannot store, and replaces lone surrogates by U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Escapes by which JSON.stringify writes NUL and lone surrogates. Text that looks the same costs only a second pass. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!SUSPICIOUS.test(text)) return text
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? toStorableText(each) : each))
}
