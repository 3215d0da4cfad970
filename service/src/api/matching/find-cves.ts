// Finds the CVEs of one component, for lists of CVEs that are filtered by it.
import type { Database } from '../../database/postgres.ts'
import type { ComponentVerdict } from '../../domain/match-words.ts'
import type { Component } from './component.ts'
import { createInventory } from './conditions.ts'
import { DEFAULT_CONFIDENCE, isAtLeast } from './confidence.ts'
import { concernsRelease, type JudgedComponent } from './judge.ts'
import { decideVerdict, judgeComponent } from './judge-component.ts'
import { readRows } from './read-rows.ts'
import { isAdvisory } from './read-subjects.ts'

export interface ComponentCves {
  /** Keys of the CVEs, in decimal text. */
  readonly cveKeys: readonly string[]
  readonly verdict: ComponentVerdict
  /** Number of advisories without a CVE, which a list of CVEs does not have. */
  readonly advisoryCount: number
  /** Number of hits below the minimum confidence. */
  readonly weakerCount: number
  readonly unorderedCount: number
}

/**
 * Finds the CVEs that POST /api/v1/match lists for the component alone. Without a version, these are all CVEs that call
 * any version of the product affected. Returns undefined if the catalog says more about the product than one call may
 * compare.
 */
export async function findCvesOfComponent(db: Database, component: Component): Promise<ComponentCves | undefined> {
  const rows = (await readRows(db, [component]))?.[0]
  if (rows === undefined) return undefined
  const about = { component, rows, inventory: createInventory([component]) }
  const { hits, unorderedCount } = await judgeComponent(about)
  const listed = hits.filter(({ confidence }) => isAtLeast(confidence, DEFAULT_CONFIDENCE))
  const subjects = component.version === null ? listNaming(about) : listed.map(({ subjectKey }) => subjectKey)
  const cveKeys = subjects.filter((key) => !isAdvisory(key))
  return {
    cveKeys,
    verdict: decideVerdict(about, { listed, hitCount: hits.length, unorderedCount }),
    advisoryCount: subjects.length - cveKeys.length,
    weakerCount: component.version === null ? 0 : hits.length - listed.length,
    unorderedCount: component.version === null ? 0 : unorderedCount,
  }
}

/** Lists the keys of CVEs and advisories that call any version of the product affected. */
function listNaming({ component, rows }: JudgedComponent): readonly string[] {
  const naming = rows.filter((row) => row.is_affected && concernsRelease(row, component))
  return [...new Set(naming.map(({ subject_key }) => subject_key))]
}
