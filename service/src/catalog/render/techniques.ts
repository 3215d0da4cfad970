import type { Resolved, Techniques } from '../model/resolved.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'
import { deriveTechniques } from './derive-techniques.ts'

/**
 * Returns curated techniques or, if there are none, derived ones (decision D19). The two are never mixed, so that
 * `mapping` applies to every technique.
 */
export function findTechniques(sourceData: SourceData, resolved: Resolved, referenceData: ReferenceData): Techniques {
  const curated = filterActive(
    sourceData.mappings.map(({ techniqueId }) => techniqueId),
    referenceData,
  )
  if (curated.length > 0) return { ids: curated, mapping: 'curated' }
  const derived = filterActive(deriveTechniques(resolved), referenceData)
  return { ids: derived, mapping: derived.length > 0 ? 'derived' : null }
}

function filterActive(techniques: readonly string[], { activeTechniques }: ReferenceData): readonly string[] {
  return [...new Set(techniques)].filter((each) => activeTechniques.has(each)).sort()
}
