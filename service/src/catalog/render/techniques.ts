// Finds the ATT&CK techniques that a CVE is related to.
import type { Resolved } from '../model/resolved.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'

/**
 * Returns the techniques of the CVE's curated mappings. Without curated mappings, it returns the techniques related to
 * the CVE's weaknesses through CAPEC (decision D19). Curated and derived techniques are never mixed, because CAPEC
 * relates a weakness to techniques of many other vulnerabilities too.
 */
export function findTechniques(
  sourceData: SourceData,
  resolved: Resolved,
  referenceData: ReferenceData,
): readonly string[] {
  const curated = filterActive(
    sourceData.mappings.map(({ techniqueId }) => techniqueId),
    referenceData,
  )
  if (curated.length > 0) return curated
  const derived = resolved.weaknesses.flatMap(({ id }) => referenceData.techniquesByWeakness.get(id) ?? [])
  return filterActive(derived, referenceData)
}

function filterActive(techniques: readonly string[], { activeTechniques }: ReferenceData): readonly string[] {
  return [...new Set(techniques)].filter((each) => activeTechniques.has(each)).sort()
}
