// Reads the tags of a CVE, such as `disputed` or `unsupported-when-assigned` (decision E8).
import type { Provider, Tag } from '../../model/claim.ts'

/**
 * Form of the tags that the CVE Program defines. A CNA may add tags of its own, which begin with `x_` and whose meaning
 * only that CNA knows; they are left out.
 */
const TAG = /^[a-z][a-z-]{1,63}$/

export function readTags(tags: readonly string[], by: Provider): readonly Tag[] {
  const names = tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => TAG.test(tag))
  return names.map((name) => ({ name, by }))
}

/**
 * Matches a marker, such as `** DISPUTED **`, of which several may stand before a description. CNAs wrote markers before
 * the format of CVE records had tags. The spelling with three P occurs in NVD.
 */
const MARKER = /\*\* ?(?:(DISPUTED)|UNSUPP{1,2}ORTED WHEN ASSIGNED) ?\*\*\s?/gy

/** Reads the markers at the beginning of a description as tags. */
export function readMarkers(description: string | null, by: Provider): readonly Tag[] {
  if (!description?.startsWith('**')) return []
  const markers = [...description.matchAll(MARKER)]
  return markers.map(([, disputed]) => ({ name: disputed ? 'disputed' : 'unsupported-when-assigned', by }))
}

/** Returns the name of each tag once, sorted. */
export function mergeTags(tags: readonly Tag[]): readonly string[] {
  return [...new Set(tags.map(({ name }) => name))].sort()
}
