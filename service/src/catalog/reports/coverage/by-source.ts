// Counts, for each source, the CVEs for which it gives a value, and those for which no other source gives one. It shows
// what a source adds, and what would be lost without it.
import type { Database } from '../../../database/postgres.ts'
import { findSourceOfProvider } from '../../../domain/source/coverage.ts'
import type { RemediationKind } from '../../../domain/source/remediation.ts'
import { SOURCE_IDS, type SourceId } from '../../../domain/source/sources.ts'
import type { Claim } from '../../model/claim.ts'
import type { Resolved } from '../../model/resolved.ts'
import type { SourceData } from '../../model/source-data.ts'
import { readSourceData } from '../../publish/read/read-source-data.ts'
import { readFixStatements } from '../../resolve/fixes/fix-statements.ts'
import { resolve } from '../../resolve/resolve.ts'
import { REJECTED } from '../../resolve/status.ts'
import { isAffectedAtAll } from '../../resolve/versions/version-ranges.ts'
import { countServed, readServedIds } from '../served/read-served.ts'

/**
 * `package_fix` is the version of a distribution's or another redistributor's package, which says nothing about the
 * product itself. `stated_fix` is a fix with or without a version, such as a remediation that says that there is one.
 * `remediation` is advice of any kind.
 */
export const COUNTED_VALUES = [
  'record',
  'score',
  'affected',
  'fix',
  'stated_fix',
  'package_fix',
  'not_affected',
  'remediation',
] as const

type CountedValue = (typeof COUNTED_VALUES)[number]

/** Number of CVEs for which the source gives the value, and of those for which no other source does. */
interface Count {
  readonly cves: number
  readonly alone: number
}

export interface SourceCoverage {
  readonly source: SourceId
  readonly counts: Readonly<Record<CountedValue, Count>>
}

export interface CoverageBySource {
  /** Served CVEs without the rejected ones, which no source assesses. */
  readonly cves: number
  /** Sources that give nothing about any CVE are left out. */
  readonly sources: readonly SourceCoverage[]
}

interface Options {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}

export async function measureCoverageBySource(db: Database, { onProgress }: Options = {}): Promise<CoverageBySource> {
  const counter = createSourceCounter()
  const total = await countServed(db)
  let done = 0
  for await (const ids of readServedIds(db)) {
    for (const sourceData of await readSourceData(db, ids)) {
      const resolved = resolve(sourceData)
      if (resolved !== undefined && resolved.status.value !== REJECTED) counter.count(listGivers(sourceData, resolved))
    }
    done += ids.length
    onProgress?.({ done, total })
  }
  return counter.result()
}

/** The sources that give each value of one CVE. */
type Givers = Readonly<Record<CountedValue, ReadonlySet<SourceId>>>

function createSourceCounter() {
  const counts = new Map<SourceId, Record<CountedValue, { cves: number; alone: number }>>()
  let cves = 0
  return {
    count: (givers: Givers) => {
      cves += 1
      for (const value of COUNTED_VALUES)
        for (const source of givers[value]) {
          const ofSource = counts.get(source) ?? createEmptyCounts()
          counts.set(source, ofSource)
          ofSource[value].cves += 1
          ofSource[value].alone += Number(givers[value].size === 1)
        }
    },
    result: (): CoverageBySource => ({
      cves,
      sources: SOURCE_IDS.flatMap((source) => {
        const found = counts.get(source)
        return found === undefined ? [] : [{ source, counts: found }]
      }),
    }),
  }
}

function createEmptyCounts(): Record<CountedValue, { cves: number; alone: number }> {
  const none = () => ({ cves: 0, alone: 0 })
  return {
    record: none(),
    score: none(),
    affected: none(),
    fix: none(),
    stated_fix: none(),
    package_fix: none(),
    not_affected: none(),
    remediation: none(),
  }
}

function listGivers(sourceData: SourceData, { claims }: Resolved): Givers {
  const collect = (gives: (claim: Claim) => boolean, others: readonly SourceId[] = []) =>
    new Set([...claims.filter(gives).map(findSource), ...others])
  const { debian } = sourceData
  const inDebian = (is: (row: SourceData['debian'][number]) => boolean): readonly SourceId[] =>
    debian.some(is) ? ['debian'] : []
  return {
    record: collect(() => true, listOtherRecords(sourceData)),
    score: collect(({ ratings }) => ratings.length > 0),
    affected: collect(
      isAnythingAffected,
      inDebian(({ status, fixedVersion }) => status === 'open' || isFix(fixedVersion)),
    ),
    fix: collect(namesFix),
    stated_fix: collect((claim) => namesFix(claim) || hasRemediation(claim, 'fix')),
    remediation: collect(({ remediations = [] }) => remediations.length > 0),
    package_fix: collect(
      (claim) => readFixStatements(claim).some(({ isRedistributed }) => isRedistributed),
      inDebian(({ fixedVersion }) => isFix(fixedVersion)),
    ),
    not_affected: collect(
      ({ unaffected = [] }) => unaffected.length > 0,
      inDebian(({ fixedVersion }) => fixedVersion === NEVER_AFFECTED),
    ),
  }
}

function namesFix(claim: Claim): boolean {
  return readFixStatements(claim).some(({ isRedistributed }) => !isRedistributed)
}

function hasRemediation({ remediations = [] }: Claim, kind: RemediationKind): boolean {
  return remediations.some((each) => each.kind === kind)
}

/** Debian's fixed version for a release that never had the vulnerability. */
const NEVER_AFFECTED = '0'

function isFix(fixedVersion: string | null): boolean {
  return fixedVersion !== null && fixedVersion !== NEVER_AFFECTED
}

function isAnythingAffected({ affected, configurations }: Claim): boolean {
  return configurations.length > 0 || affected.some(isAffectedAtAll)
}

/** A claim of an unknown provider is a defect that a test of the providers finds. */
function findSource({ provider, source }: Claim): SourceId {
  const found = findSourceOfProvider(provider) ?? findSourceOfProvider(source)
  if (found === undefined) throw new Error(`No source is described for the provider ${provider}.`)
  return found
}

/** Sources whose data is no claim about products or scores. */
function listOtherRecords({ debian, euKev, kev, notices, exploits, mappings, epssScore }: SourceData): SourceId[] {
  const present: Partial<Record<SourceId, boolean>> = {
    kev: kev !== null,
    eukev: euKev !== null,
    epss: epssScore !== null,
    acsc: notices.length > 0,
    'attack-mapping': mappings.length > 0,
    debian: debian.length > 0,
  }
  const feeds: readonly SourceId[] = exploits.map(({ feed }) => feed)
  return [...new Set([...SOURCE_IDS.filter((id) => present[id]), ...feeds])]
}
