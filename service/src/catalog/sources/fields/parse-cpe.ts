// Each CPE name of a record is parsed up to six times, and CVEs of the same product share names.
import { type CpeParts, parseCpe } from '../../../domain/cpe/cpe.ts'

// Each CPE name of a record is parsed up to six times, and CVEs of the same product share names.
const MAX_CACHED = 4096
const cache = new Map<string, CpeParts>()

/** Undefined for text that is no CPE name. */
export function parseCpeCached(text: string): CpeParts | undefined {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const name = parseCpe(text)
  if (cache.size >= MAX_CACHED) cache.clear()
  if (name !== undefined) cache.set(text, name)
  return name
}
