import type { ComponentVerdict } from '../../domain/match-words.ts'
import { type Hit, type JudgedComponent, judgeSubjects } from './judge.ts'
import { runInSlices } from './slices.ts'

export interface JudgedHits {
  readonly about: JudgedComponent
  readonly hits: readonly Hit[]
  /** Number of CVEs and advisories whose versions cannot be compared with the component's version. */
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
  /** Hits that reach the requested confidence. */
  readonly listed: readonly Hit[]
  /** Number of hits at any confidence. */
  readonly hitCount: number
  readonly unorderedCount: number
}

/** `not_affected` requires a known product, a known version, and rows whose versions can all be compared with it. */
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
