// Reads parsed JSON. The round trip has its own functions, because it shares no code with the readers that it checks.

export type Raw = Readonly<Record<string, unknown>>

const EMPTY: Raw = Object.freeze({})

export function parseRaw(text: string): Raw {
  return toRaw(JSON.parse(text))
}

/** Returns an empty object for any other value. */
export function toRaw(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : EMPTY
}

/** Returns an empty list for any other value. */
export function toRaws(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null).map(toRaw) : []
}

/** Returns null for an empty text and for any other value. */
export function toWords(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

export function toWordList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => toWords(each) ?? []) : []
}

export function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
