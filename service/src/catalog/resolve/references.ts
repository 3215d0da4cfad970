import type { Reference } from '../model/claim.ts'

const LINK = /^(?:https?|(ftp)):\/\/([^/?#]*)(.*)$/i

/**
 * Each link once, as whoever comes first wrote it, with the tags of all. With or without TLS and with or without a slash
 * at its end it is the same link; another fragment is another one, for it may be what tells two advisories apart.
 */
export function mergeReferences(said: readonly Reference[]): readonly Reference[] {
  const merged = new Map<string, Reference>()
  for (const reference of said) {
    const key = sameness(reference.url)
    const first = merged.get(key)
    merged.set(key, first === undefined ? reference : { ...first, tags: union(first.tags, reference.tags) })
  }
  return [...merged.values()]
}

function sameness(url: string): string {
  const [, ftp = '', host = '', rest = ''] = LINK.exec(url) ?? []
  return `${ftp}//${host.toLowerCase()}${rest.endsWith('/') ? rest.slice(0, -1) : rest}`
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((tag) => a.includes(tag))) return a
  return [...new Set([...a, ...b])].sort()
}
