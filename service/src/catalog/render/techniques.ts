import type { Resolved } from '../model/resolved.ts'
import type { Facts, Knowledge } from '../model/source-data.ts'

/**
 * Decision D19. What people found for this CVE is all there is, where they found anything. Else what its weaknesses
 * suggest: through CAPEC a weakness leads to techniques of many other vulnerabilities as well, and would only blur it.
 */
export function techniquesOf(facts: Facts, resolved: Resolved, knowledge: Knowledge): readonly string[] {
  const curated = inUse(
    facts.mappings.map(({ techniqueId }) => techniqueId),
    knowledge,
  )
  if (curated.length > 0) return curated
  const derived = resolved.weaknesses.flatMap(({ id }) => knowledge.techniquesOfWeakness.get(id) ?? [])
  return inUse(derived, knowledge)
}

function inUse(techniques: readonly string[], { activeTechniques }: Knowledge): readonly string[] {
  return [...new Set(techniques)].filter((each) => activeTechniques.has(each)).sort()
}
