// Text that PostgreSQL can store and strict JSON parsers accept, whatever upstream contains.

/** PostgreSQL cannot store NUL. Lone surrogates become U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Finds escapes of NUL and lone surrogates. Cleaning text that only looks like one does no harm. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u') || !SUSPICIOUS.test(text)) return text
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? toStorableText(each) : each))
}
