import { RULES } from '../../domain/source/provider-names.ts'
import type { Claim, Provider, Reference } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import { stripRole } from '../sources/provider.ts'
import { orderClaims, REFERENCES } from './precedence.ts'

const LINK_START = /^(?:https?|(ftp)):\/\/([^/?#]*)/i

/**
 * Keeps the first spelling of a link and all its tags. Links that differ only in http or https, or in a final slash,
 * are duplicates. Links with different fragments are not, because some advisories differ only in the fragment.
 */
export function mergeReferences(references: readonly Reference[]): readonly Reference[] {
  if (references.length < 2) return references
  const merged = new Map<string, Reference>()
  for (const reference of references) {
    const key = toLinkKey(reference.url)
    const first = merged.get(key)
    merged.set(key, first === undefined ? reference : merge(first, reference))
  }
  return [...merged.values()]
}

/** A source that gives the link takes precedence over the service, which built it from an advisory's id. */
function merge(first: Reference, { by, tags }: Reference): Reference {
  return { ...first, by: first.by === RULES ? by : first.by, tags: union(first.tags, tags) }
}

interface TaggedReference {
  readonly url: string
  /** Organisation that gave the tag, not necessarily the link. */
  readonly by: Provider
  readonly claim: Claim
}

/**
 * Lists references in the order of precedence. NVD's analysts tag references that others submitted, so the tag is
 * attributed to the claim's source. In the CVE List, the same organisation gives the reference and its tags.
 */
export function listTagged(claims: readonly Claim[], tag: string): readonly TaggedReference[] {
  return orderClaims(claims, REFERENCES).flatMap((claim) => {
    const { source, provider, references } = claim
    return references
      .filter(({ tags }) => tags.includes(tag))
      .map(({ url, by }) => ({ url, by: source === 'cve' && by !== stripRole(provider) ? by : provider, claim }))
  })
}

/** Lists each link with the organisation that gave the tag (decision C23): the first in the order of precedence. */
export function listTaggedLinks(
  { references, claims }: Pick<Resolved, 'references' | 'claims'>,
  tag: string,
): readonly Omit<TaggedReference, 'claim'>[] {
  const tagged = references.filter(({ tags }) => tags.includes(tag))
  if (tagged.length === 0) return []
  // The order is reversed, so that the organisation with the highest precedence stays in the map.
  const taggers = new Map(
    listTagged(claims, tag)
      .map(({ url, by }) => [toLinkKey(url), by] as const)
      .toReversed(),
  )
  return tagged.map(({ url, by }) => ({ url, by: taggers.get(toLinkKey(url)) ?? by }))
}

/** Duplicate links get the same key. */
function toLinkKey(url: string): string {
  const [start = '', ftp = '', host = ''] = LINK_START.exec(url) ?? []
  const rest = start === '' ? '' : url.slice(start.length)
  return `${ftp}//${host.toLowerCase()}${rest.endsWith('/') ? rest.slice(0, -1) : rest}`
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((tag) => a.includes(tag))) return a
  return [...new Set([...a, ...b])].sort()
}
