// Reads tags such as `disputed` or `unsupported-when-assigned` (decision E8).
import type { Provider, Tag } from '../../model/claim.ts'

/**
 * Tags that the CVE Program defines have this form. A CNA's own tags begin with `x_`, and only that CNA knows their
 * meaning.
 */
const TAG = /^[a-z][a-z-]{1,63}$/

export function readTags(tags: readonly string[], by: Provider): readonly Tag[] {
  const names = tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => TAG.test(tag))
  return names.map((name) => ({ name, by }))
}

/**
 * Before CVE records had tags, CNAs wrote such markers, sometimes several. The spelling with three P's occurs in NVD.
 */
const MARKER = /\*\* ?(?:(DISPUTED)|UNSUPP{1,2}ORTED WHEN ASSIGNED) ?\*\*\s?/gy

/** Reads `** DISPUTED **` at the beginning of a description as a tag. */
export function readMarkers(description: string | null, by: Provider): readonly Tag[] {
  if (!description?.startsWith('**')) return []
  const markers = [...description.matchAll(MARKER)]
  return markers.map(([, disputed]) => ({ name: disputed ? 'disputed' : 'unsupported-when-assigned', by }))
}

export function mergeTags(tags: readonly Tag[]): readonly string[] {
  return [...new Set(tags.map(({ name }) => name))].sort()
}
