// Merges the references of all sources and removes duplicates.
import type { Reference } from '../model/claim.ts'

const LINK = /^(?:https?|(ftp)):\/\/([^/?#]*)(.*)$/i

/**
 * Returns each link once, as written by its first reference, with the tags of all its references. http and https, and a
 * slash at the end, make no difference. Links with different fragments stay apart, because some advisories differ only by
 * the fragment.
 */
export function mergeReferences(references: readonly Reference[]): readonly Reference[] {
  const merged = new Map<string, Reference>()
  for (const reference of references) {
    const key = toLinkKey(reference.url)
    const first = merged.get(key)
    merged.set(key, first === undefined ? reference : { ...first, tags: union(first.tags, reference.tags) })
  }
  return [...merged.values()]
}

function toLinkKey(url: string): string {
  const [, ftp = '', host = '', rest = ''] = LINK.exec(url) ?? []
  return `${ftp}//${host.toLowerCase()}${rest.endsWith('/') ? rest.slice(0, -1) : rest}`
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((tag) => a.includes(tag))) return a
  return [...new Set([...a, ...b])].sort()
}
