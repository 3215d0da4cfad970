// Well-known names, such as Log4Shell, under which a search finds CVEs (decision E13). Changes to the list take effect
// with the next publication.
import { type CveId, parseCanonicalCveId } from '../cve-id.ts'
import list from './known-names.json' with { type: 'json' }

export interface KnownName {
  readonly name: string
  readonly cveIds: readonly CveId[]
}

export const KNOWN_NAMES: readonly KnownName[] = Object.entries(list).map(([name, ids]) => ({
  name,
  cveIds: ids.split(' ').flatMap((id) => parseCanonicalCveId(id) ?? []),
}))
