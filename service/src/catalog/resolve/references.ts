// Merges a CVE's references from all sources and removes duplicates.
import type { Claim, Provider, Reference } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import { stripRole } from '../sources/provider.ts'
import { orderClaims, REFERENCES } from './precedence.ts'

const LINK_START = /^(?:https?|(ftp)):\/\/([^/?#]*)/i

/**
 * Returns each link once, spelled as in the first reference that contains it, with the tags of all references that
 * contain it. Links that differ only in http or https, or in a slash at the end, are duplicates. Links with different
 * fragments are not duplicates, because the URLs of some advisories differ only in the fragment.
 */
export function mergeReferences(references: readonly Reference[]): readonly Reference[] {
  if (references.length < 2) return references
  const merged = new Map<string, Reference>()
  for (const reference of references) {
    const key = toLinkKey(reference.url)
    const first = merged.get(key)
    merged.set(key, first === undefined ? reference : { ...first, tags: union(first.tags, reference.tags) })
  }
  return [...merged.values()]
}

interface TaggedReference {
  readonly url: string
  /** Organisation that gave the tag, which may be another one than the organisation that gave the link. */
  readonly by: Provider
  /** Record that contains the tag. */
  readonly claim: Claim
}

/**
 * Lists the references with a tag, in the order of precedence. NVD's analysts tag references that others submitted, so
 * the tag is attributed to the source of the claim. In the CVE List, the organisation of the container gives reference
 * and tags.
 */
export function listTagged(claims: readonly Claim[], tag: string): readonly TaggedReference[] {
  return orderClaims(claims, REFERENCES).flatMap((claim) => {
    const { source, provider, references } = claim
    return references
      .filter(({ tags }) => tags.includes(tag))
      .map(({ url, by }) => ({ url, by: source === 'cve' && by !== stripRole(provider) ? by : provider, claim }))
  })
}

/**
 * Lists the merged references with a tag, each with the organisation that gave the tag, which may be another one than the
 * organisation that gave the link (decision C23). If several gave it, the first in the order of precedence is named.
 */
export function listTaggedLinks(
  { references, claims }: Pick<Resolved, 'references' | 'claims'>,
  tag: string,
): readonly Omit<TaggedReference, 'claim'>[] {
  const tagged = references.filter(({ tags }) => tags.includes(tag))
  if (tagged.length === 0) return []
  // The first organisation in the order of precedence comes last, so that it stays in the map.
  const taggers = new Map(
    listTagged(claims, tag)
      .map(({ url, by }) => [toLinkKey(url), by] as const)
      .toReversed(),
  )
  return tagged.map(({ url, by }) => ({ url, by: taggers.get(toLinkKey(url)) ?? by }))
}

/** Returns a text that is the same for duplicate links. */
function toLinkKey(url: string): string {
  const [start = '', ftp = '', host = ''] = LINK_START.exec(url) ?? []
  const rest = start === '' ? '' : url.slice(start.length)
  return `${ftp}//${host.toLowerCase()}${rest.endsWith('/') ? rest.slice(0, -1) : rest}`
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((tag) => a.includes(tag))) return a
  return [...new Set([...a, ...b])].sort()
}
