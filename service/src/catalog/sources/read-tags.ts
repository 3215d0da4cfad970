// Reads the tags of a CVE, such as `disputed` or `unsupported-when-assigned` (decision E8).

/**
 * Form of the tags that the CVE Program defines. A CNA may add tags of its own, which begin with `x_` and whose meaning
 * only that CNA knows; they are left out.
 */
const TAG = /^[a-z][a-z-]{1,63}$/

export function readTags(tags: readonly string[]): readonly string[] {
  const known = tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => TAG.test(tag))
  return known.length === 0 ? [] : mergeTags([known])
}

/** Returns each tag once, sorted. */
export function mergeTags(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort()
}
