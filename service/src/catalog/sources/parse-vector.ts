import { type CvssVector, parseCvssVector } from '../../domain/cvss-vector.ts'

// A record is rendered from its vectors several times over, and a few thousand of them make up nearly all records.
const MAX_CACHED = 16_384
const remembered = new Map<string, CvssVector>()

/** Of a rating: a vector that has been read before, so that it is only undefined for what is no rating. */
export function vectorOf(text: string): CvssVector | undefined {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const vector = parseCvssVector(text)
  if (remembered.size >= MAX_CACHED) remembered.clear()
  if (vector !== undefined) remembered.set(text, vector)
  return vector
}
