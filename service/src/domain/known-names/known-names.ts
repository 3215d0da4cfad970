import type { CveId } from '../cve-id.ts'
import { KNOWN_NAMES } from './known-name-list.ts'

const NO_NAMES: readonly string[] = []

const NAMES_BY_ID = buildIndex()

export function listKnownNames(cveId: CveId): readonly string[] {
  return NAMES_BY_ID.get(cveId) ?? NO_NAMES
}

function buildIndex(): ReadonlyMap<CveId, readonly string[]> {
  const pairs = KNOWN_NAMES.flatMap(({ name, cveIds }) => cveIds.map((cveId) => ({ name, cveId })))
  const groups = Map.groupBy(pairs, ({ cveId }) => cveId)
  return new Map([...groups].map(([cveId, group]) => [cveId, group.map(({ name }) => name)]))
}
