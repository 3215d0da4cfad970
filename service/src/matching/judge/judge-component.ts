// Judges one component with all rows that name its product, and gives its verdict.
import type { ComponentVerdict } from '../../domain/match-words.ts'
import { type Hit, type JudgedComponent, judgeSubjects } from './judge.ts'
import { runInSlices } from './slices.ts'

export interface JudgedHits {
  readonly about: JudgedComponent
  readonly hits: readonly Hit[]
  /** Number of CVEs and advisories whose versions have no known order to the version of the component. */
  readonly unorderedCount: number
}

export async function judgeComponent(about: JudgedComponent, signal: AbortSignal): Promise<JudgedHits> {
  const hits: Hit[] = []
  let unorderedCount = 0
  await runInSlices(judgeSubjects(about), signal, (found) => {
    if (found === 'unordered') unorderedCount += 1
    else if (found !== undefined) hits.push(found)
  })
  return { about, hits, unorderedCount }
}

interface Findings {
  /** Hits with the requested confidence. */
  readonly listed: readonly Hit[]
  /** Number of hits of any confidence. */
  readonly hitCount: number
  readonly unorderedCount: number
}

/** A component is not_affected only if its product, its version and the order of all versions are known. */
export function decideVerdict(
  { component, product }: JudgedComponent,
  { listed, hitCount, unorderedCount }: Findings,
): ComponentVerdict {
  if (product.rows.length === 0) return 'unknown_product'
  if (component.version === null) return 'unknown_version'
  if (listed.some(({ verdict }) => verdict === 'affected')) return 'affected'
  if (hitCount > 0) return 'possibly_affected'
  return unorderedCount > 0 ? 'unknown_version' : 'not_affected'
}
