// Counts per year of the CVE id how many CVEs have a severity, a CWE, CPE matches and affected products, from NVD alone
// and from all sources. Also counts the ratings whose stated score differs from the score computed from the vector.
import type { Rating } from '../../service/src/catalog/model/claim.ts'
import type { Resolved } from '../../service/src/catalog/model/resolved.ts'
import type { SourceData } from '../../service/src/catalog/model/source-data.ts'
import { readSourceData } from '../../service/src/catalog/publish/read/read-source-data.ts'
import { listAllIds } from '../../service/src/catalog/publish/rebuild.ts'
import { resolve } from '../../service/src/catalog/resolve/resolve.ts'
import { isRejected } from '../../service/src/catalog/resolve/status.ts'
import type { Session } from '../../service/src/database/session.ts'
import type { CveId } from '../../service/src/domain/cve-id.ts'

export const COVERED = ['severity', 'cwe', 'cpe', 'affected'] as const
type Covered = Readonly<Record<(typeof COVERED)[number], boolean>>

export interface YearCoverage {
  readonly year: string
  /** Number of CVEs with an NVD record, not counting rejected CVEs. */
  readonly inNvd: number
  /** Number of all CVEs, not counting rejected CVEs. */
  readonly all: number
  /** For each kind of value, the number of CVEs that have such a value. */
  readonly having: Readonly<Record<(typeof COVERED)[number], ValueCount>>
}

interface ValueCount {
  /** Number of CVEs with an NVD record for which NVD alone gives the value. */
  nvdAlone: number
  /** Number of CVEs with an NVD record for which any source gives the value. */
  nvdMerged: number
  /** Number of CVEs for which any source gives the value. */
  allMerged: number
}

interface Disagreement {
  readonly cveId: CveId
  readonly rating: Rating
}

export interface Coverage {
  readonly years: readonly YearCoverage[]
  readonly ratings: number
  /**
   * Number of ratings whose stated score differs from the computed score. The map key is the CVSS version and the
   * provider, such as `4.0 nvd`.
   */
  readonly disagreements: ReadonlyMap<string, number>
  readonly examples: readonly Disagreement[]
}

const IDS_PER_BATCH = 2000
const MAX_EXAMPLES = 10

export async function measureCoverage(session: Session, onProgress: (done: number) => void): Promise<Coverage> {
  const counters = createCounters()
  const ids = await listAllIds({ session })
  for (let done = 0; done < ids.length; done += IDS_PER_BATCH) {
    const batch = ids.slice(done, done + IDS_PER_BATCH)
    for (const each of await readSourceData(session.db, batch)) count(counters, each)
    onProgress(done + batch.length)
  }
  return toCoverage(counters)
}

interface CoverageCounters {
  readonly years: Map<string, { inNvd: number; all: number; having: Record<(typeof COVERED)[number], ValueCount> }>
  ratings: number
  readonly disagreements: Map<string, number>
  readonly examples: Disagreement[]
}

function createCounters(): CoverageCounters {
  return { years: new Map(), ratings: 0, disagreements: new Map(), examples: [] }
}

function count(counters: CoverageCounters, sourceData: SourceData): void {
  const merged = resolve(sourceData)
  if (!merged) return
  countScores(counters, sourceData.cveId, merged)
  if (isRejected(merged)) return
  const alone = resolve({ ...sourceData, records: sourceData.records.filter(({ source }) => source === 'nvd') })
  const isInNvd = merged.sources.includes('nvd')
  const year = findOrAddYear(counters, sourceData.cveId)
  year.all += 1
  if (isInNvd) year.inNvd += 1
  const [byNvd, byAll] = [alone && isInNvd ? findCoveredValues(alone) : undefined, findCoveredValues(merged)]
  for (const name of COVERED) {
    year.having[name].nvdAlone += Number(byNvd?.[name] ?? false)
    year.having[name].nvdMerged += Number(isInNvd && byAll[name])
    year.having[name].allMerged += Number(byAll[name])
  }
}

function findCoveredValues({ score, weaknesses, cpe, affected }: Resolved): Covered {
  const hasCpe = cpe.matches.length > 0
  return {
    severity: score !== null,
    cwe: weaknesses.length > 0,
    cpe: hasCpe,
    affected: hasCpe || affected.length > 0,
  }
}

function findOrAddYear(counters: CoverageCounters, cveId: CveId) {
  const year = cveId.slice(4, 8)
  const counted = counters.years.get(year) ?? {
    inNvd: 0,
    all: 0,
    having: { severity: createCount(), cwe: createCount(), cpe: createCount(), affected: createCount() },
  }
  counters.years.set(year, counted)
  return counted
}

const createCount = (): ValueCount => ({ nvdAlone: 0, nvdMerged: 0, allMerged: 0 })

function countScores(counters: CoverageCounters, cveId: CveId, { claims }: Resolved): void {
  for (const rating of claims.flatMap(({ ratings }) => ratings)) {
    if (rating.statedScore === null) continue
    counters.ratings += 1
    if (rating.statedScore === rating.score) continue
    const group = `${rating.version} ${rating.by}`
    counters.disagreements.set(group, (counters.disagreements.get(group) ?? 0) + 1)
    if (counters.examples.length < MAX_EXAMPLES) counters.examples.push({ cveId, rating })
  }
}

function toCoverage({ years, ...rest }: CoverageCounters): Coverage {
  return {
    ...rest,
    years: [...years].sort(([a], [b]) => Number(a) - Number(b)).map(([year, counted]) => ({ year, ...counted })),
  }
}
