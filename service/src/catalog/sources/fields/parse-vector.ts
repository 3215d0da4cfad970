// Parses CVSS vectors and caches the results.
import { type CvssVector, parseCvssVector } from '../../../domain/cvss/cvss-vector.ts'

// Parsed vectors are cached, because each vector of a record is parsed several times, and nearly all records share a
// few thousand vectors.
const MAX_CACHED = 16_384
const cache = new Map<string, CvssVector>()

/**
 * Returns undefined for a malformed CVSS vector. The vector of a rating is never malformed, because read-rating.ts
 * drops such ratings.
 */
export function parseVectorCached(text: string): CvssVector | undefined {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const vector = parseCvssVector(text)
  if (cache.size >= MAX_CACHED) cache.clear()
  if (vector !== undefined) cache.set(text, vector)
  return vector
}
