import { type CvssVector, parseCvssVector } from '../../../domain/cvss/cvss-vector.ts'

// Each vector of a record is parsed several times, and nearly all records share a few thousand vectors.
const MAX_CACHED = 16_384
const cache = new Map<string, CvssVector>()

/** Undefined for a malformed vector, which no rating has: read-rating.ts drops it. */
export function parseVectorCached(text: string): CvssVector | undefined {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const vector = parseCvssVector(text)
  if (cache.size >= MAX_CACHED) cache.clear()
  if (vector !== undefined) cache.set(text, vector)
  return vector
}
