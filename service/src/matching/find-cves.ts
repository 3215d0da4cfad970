// Finds the CVEs for the component by which a caller filters a list of CVEs.
import type { Database } from '../database/postgres.ts'
import type { Component } from '../domain/component/component.ts'
import type { ComponentVerdict, CoverageGap } from '../domain/match-words.ts'
import { type Coverage, judgeCoverage } from './coverage/coverage.ts'
import { readDataSets } from './coverage/data-sets.ts'
import { createInventory } from './judge/conditions.ts'
import { DEFAULT_CONFIDENCE, isAtLeast } from './judge/confidence.ts'
import { createReleaseTest, type JudgedComponent, prepareComponent } from './judge/judge.ts'
import { decideVerdict, judgeComponent } from './judge/judge-component.ts'
import { readRows } from './read/read-rows.ts'
import { isAdvisory } from './read/read-subjects.ts'
import { prepareRows } from './versions/product-rows.ts'

export interface ComponentCves {
  /** Keys as decimal text. */
  readonly cveKeys: readonly string[]
  readonly verdict: ComponentVerdict
  readonly coverage: Coverage
  readonly gap: CoverageGap | undefined
  /** Number of advisories without a CVE, which a list of CVEs cannot show. */
  readonly advisoryCount: number
  /** Number of hits below the minimum confidence. */
  readonly weakerCount: number
  readonly unorderedCount: number
}

/**
 * Finds what POST /api/v1/match lists for this component on its own. For a component without a version, finds all CVEs
 * that affect any version of it.
 */
export async function findCvesOfComponent(
  db: Database,
  { component, now }: { readonly component: Component; readonly now: Date },
  signal: AbortSignal,
): Promise<ComponentCves> {
  const { findCoverage } = judgeCoverage(await readDataSets(db), now)
  const coverage = findCoverage(component)
  const [rows = []] = await readRows(db, [component])
  const product = prepareRows(rows)
  const about = prepareComponent({ component, product, inventory: createInventory([component]) })
  const { hits, unordered } = await judgeComponent(about, signal)
  const listed = hits.filter(({ confidence }) => isAtLeast(confidence, DEFAULT_CONFIDENCE))
  const subjects = component.version === null ? listNaming(about) : listed.map(({ subjectKey }) => subjectKey)
  const cveKeys = subjects.filter((key) => !isAdvisory(key))
  const decision = decideVerdict(about, { listed, hitCount: hits.length, unordered }, coverage)
  return {
    cveKeys,
    verdict: decision.verdict,
    gap: decision.gap,
    coverage,
    advisoryCount: subjects.length - cveKeys.length,
    weakerCount: component.version === null ? 0 : hits.length - listed.length,
    unorderedCount: component.version === null ? 0 : decision.unordered.length,
  }
}

function listNaming({ component, product }: JudgedComponent): readonly string[] {
  const concerns = createReleaseTest(component)
  const naming = product.rows.filter(({ row }) => row.isAffected && concerns(row))
  return [...new Set(naming.map(({ row }) => row.subjectKey))]
}
