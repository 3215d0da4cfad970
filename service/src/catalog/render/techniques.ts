// Finds the ATT&CK techniques of a CVE.
import type { Resolved } from '../model/resolved.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'

/**
 * Takes the curated mappings of the CVE; without any, the techniques of its weaknesses (decision D19). The two are never
 * mixed, because CAPEC relates a weakness to the techniques of many other vulnerabilities too.
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
