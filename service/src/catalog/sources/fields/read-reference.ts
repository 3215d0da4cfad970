// Reads references and maps the CVE List's tags to NVD's names.
import type { Reference } from '../../model/claim.ts'

/** Upstream references also contain other schemes and prose. */
const LINK = /^(?:https?|ftp):\/\/[^\s<>"\p{Cc}]+$/iu
const MAX_LINK_LENGTH = 2048

const TAGS: ReadonlyMap<string, string> = new Map([
  ['broken-link', 'Broken Link'],
  ['customer-entitlement', 'Permissions Required'],
  ['exploit', 'Exploit'],
  ['government-resource', 'US Government Resource'],
  ['issue-tracking', 'Issue Tracking'],
  ['mailing-list', 'Mailing List'],
  ['media-coverage', 'Press/Media Coverage'],
  ['mitigation', 'Mitigation'],
  ['not-applicable', 'Not Applicable'],
  ['patch', 'Patch'],
  ['permissions-required', 'Permissions Required'],
  ['product', 'Product'],
  ['related', 'Related'],
  ['release-notes', 'Release Notes'],
  ['signature', 'Tool Signature'],
  ['technical-description', 'Technical Description'],
  ['third-party-advisory', 'Third Party Advisory'],
  ['vdb-entry', 'VDB Entry'],
  ['vendor-advisory', 'Vendor Advisory'],
])
const NVD_TAGS: ReadonlyMap<string, string> = new Map([
  ...[...TAGS.values(), 'URL Repurposed'].map((tag) => [tag.toLowerCase(), tag] as const),
  ...TAGS,
])

/** Returns undefined if the text is not a link. Tags that neither NVD nor the CVE Program defines are dropped. */
export function readReference(url: string | null, by: string, tags: readonly string[]): Reference | undefined {
  if (url === null || url.length > MAX_LINK_LENGTH || !LINK.test(url)) return undefined
  return { url, by, tags: tags.length === 0 ? [] : readTags(tags) }
}

function readTags(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.flatMap((tag) => NVD_TAGS.get(tag.toLowerCase()) ?? []))].sort()
}
