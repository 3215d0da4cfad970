// Text that PostgreSQL can store and strict JSON parsers accept, whatever upstream contains.

/** PostgreSQL cannot store NUL. Lone surrogates become U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Escapes of NUL and lone surrogates. Text that merely looks like one is cleaned in vain but stays correct. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u') || !SUSPICIOUS.test(text)) return text
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? toStorableText(each) : each))
}
