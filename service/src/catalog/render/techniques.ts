// Finds the ATT&CK techniques that a CVE is related to.
import type { Resolved } from '../model/resolved.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'

/**
 * Returns the ATT&CK techniques of the CVE's curated mappings, which assign techniques to this CVE itself. Without such
 * mappings, it returns the techniques that CAPEC relates to the CVE's weaknesses (decision D19). The two are never
 * mixed, because techniques from CAPEC are less exact: many of them fit only other vulnerabilities with the same
 * weakness.
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
