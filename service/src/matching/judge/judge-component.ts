import { COVERAGE_GAP_WORDS, type ComponentVerdict, type CoverageGap } from '../../domain/match-words.ts'
import { findSourceOfProvider } from '../../domain/source/coverage.ts'
import { DATA_SOURCES, type SourceId } from '../../domain/source/sources.ts'
import { type StoredRow, stripDerived } from '../../record/affected-row.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { createReleaseTest, type Hit, type JudgedComponent, judgeSubjects } from './judge.ts'
import { runInSlices } from './slices.ts'

export interface JudgedHits {
  readonly about: JudgedComponent
  readonly hits: readonly Hit[]
  /** Keys of the CVEs and advisories whose versions cannot be compared with the component's version. */
  readonly unordered: readonly string[]
}

export async function judgeComponent(about: JudgedComponent, signal: AbortSignal): Promise<JudgedHits> {
  const hits: Hit[] = []
  const unordered: string[] = []
  const subjects = judgeSubjects(about, undefined, (key) => unordered.push(key))
  await runInSlices(subjects, signal, (found) => {
    if (found !== undefined && found !== 'unordered') hits.push(found)
  })
  return { about, hits, unordered }
}

interface Findings {
  /** Hits that reach the requested confidence. */
  readonly listed: readonly Hit[]
  /** Number of hits at any confidence. */
  readonly hitCount: number
  readonly unordered: JudgedHits['unordered']
}

export interface Decision {
  readonly verdict: ComponentVerdict
  /** Why the silence of the sources proves nothing; undefined if it does prove something. */
  readonly gap: CoverageGap | undefined
  /** Empty if all statements are about other releases, which say nothing about the component. */
  readonly unordered: JudgedHits['unordered']
}

/** The first verdict that holds (decision E29). */
export function decideVerdict(about: JudgedComponent, findings: Findings, coverage: Coverage): Decision {
  const stated = findStatements(about)
  const nameGap = findNameGap(about, stated, coverage)
  const gap = COVERAGE_GAP_WORDS.find((each) => each === nameGap || each === coverage.gap)
  const unordered = stated.some ? findings.unordered : []
  return { verdict: decide(about, { ...findings, unordered }, { stated, coverage, gap }), gap, unordered }
}

interface Statements {
  /** A source makes a statement about the product, in the component's release if it has one. */
  readonly some: boolean
  /** The sources that make a statement about the product, in any release. */
  readonly sources: ReadonlySet<SourceId>
  /** The sources that make a statement about it in the component's release. */
  readonly ofRelease: ReadonlySet<SourceId>
}

function findStatements({ component, product }: JudgedComponent): Statements {
  const concerns = createReleaseTest(component)
  const [sources, ofRelease] = [new Set<SourceId>(), new Set<SourceId>()]
  const ids = new Map<string, SourceId | undefined>()
  const toId = ({ source }: StoredRow) => {
    if (!ids.has(source)) ids.set(source, findSourceOfProvider(stripDerived(source)))
    return ids.get(source)
  }
  let some = false
  for (const { row } of product.rows) {
    const [id, isOfRelease] = [toId(row), concerns(row)]
    some ||= isOfRelease
    if (id === undefined) continue
    sources.add(id)
    if (isOfRelease) ofRelease.add(id)
  }
  return { some, sources, ofRelease }
}

/** Silence proves something only about the name under which the sources would speak. */
function findNameGap({ component }: JudgedComponent, stated: Statements, coverage: Coverage): CoverageGap | undefined {
  if (component.isGuessed) return 'guessed_name'
  const isNamed = coverage.sources.some(({ source }) => stated.sources.has(source))
  if (isNamed) return undefined
  if (component.kind === 'cpe') return 'unknown_product'
  const isBinary = coverage.sources.some(({ source }) => DATA_SOURCES[source].namesSourcePackages)
  return isBinary && !component.hasSourcePackage ? 'unknown_source_package' : undefined
}

interface Basis {
  readonly stated: Statements
  readonly coverage: Coverage
  readonly gap: CoverageGap | undefined
}

function decide(
  { component }: JudgedComponent,
  { listed, hitCount, unordered }: Findings,
  { stated, coverage, gap }: Basis,
): ComponentVerdict {
  if (listed.some(({ verdict }) => verdict === 'affected')) return 'affected'
  const isUndecided = unordered.length > 0 || (stated.some && component.version === null)
  if (hitCount > 0 || isUndecided) return 'possibly_affected'
  if (gap !== undefined) return 'not_covered'
  return coverage.sources.some(({ source }) => stated.ofRelease.has(source)) ? 'not_affected' : 'no_known_advisory'
}
