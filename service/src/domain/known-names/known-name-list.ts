// Well-known names of vulnerabilities, such as Log4Shell, with their CVEs. A search finds the CVEs by these names (decision
// E13). A changed list takes effect with the next publication.
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
