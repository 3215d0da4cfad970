// The raw query, split and decoded by us: nothing is coerced, nested or dropped on the way.
import type { Sent } from './parameters.ts'

export const MAX_PARAMETERS = 40

export function splitQuery(raw: string): Map<string, Sent[]> {
  const sent = new Map<string, Sent[]>()
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const cut = piece.indexOf('=')
    const name = decode(cut === -1 ? piece : piece.slice(0, cut)).text
    const value = decode(cut === -1 ? '' : piece.slice(cut + 1))
    const earlier = sent.get(name)
    if (earlier) earlier.push(value)
    else sent.set(name, [value])
  }
  return sent
}

function decode(raw: string): Sent {
  try {
    return { text: decodeURIComponent(raw.replaceAll('+', ' ')), isBroken: false }
  } catch {
    return { text: raw, isBroken: true }
  }
}
