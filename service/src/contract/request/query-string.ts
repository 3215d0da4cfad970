// Splits and decodes the raw query string. Unlike common query parsers, this parser does not coerce, nest or drop
// values.
import type { RawValue } from './parameters.ts'

export const MAX_PARAMETERS = 40

export function splitQuery(raw: string): Map<string, RawValue[]> {
  const byName = new Map<string, RawValue[]>()
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const cut = piece.indexOf('=')
    const name = decode(cut === -1 ? piece : piece.slice(0, cut)).text
    const value = decode(cut === -1 ? '' : piece.slice(cut + 1))
    const earlier = byName.get(name)
    if (earlier) earlier.push(value)
    else byName.set(name, [value])
  }
  return byName
}

function decode(raw: string): RawValue {
  try {
    return { text: decodeURIComponent(raw.replaceAll('+', ' ')), isMalformed: false }
  } catch {
    return { text: raw, isMalformed: true }
  }
}
