// How much we know, by year of the id: from NVD alone, and merged. And where a source's own score is not what its vector
// gives.
import { sql } from 'kysely'
import type { Session } from '../../database/session.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { Rating } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import type { Facts } from '../model/source-data.ts'
import { readSourceData } from '../publish/read-source-data.ts'
import { resolve } from '../resolve/resolve.ts'

export const COVERED = ['severity', 'cwe', 'cpe', 'affected'] as const
type Covered = Readonly<Record<(typeof COVERED)[number], boolean>>

export interface YearCoverage {
  readonly year: string
  /** Without those that were rejected. */
  readonly inNvd: number
  readonly all: number
  /** How many have it: of those that NVD has, by NVD alone and merged; and of all, merged. */
  readonly having: Readonly<Record<(typeof COVERED)[number], Counted>>
}

interface Counted {
  nvdAlone: number
  nvdMerged: number
  allMerged: number
}

interface Disagreement {
  readonly cveId: CveId
  readonly rating: Rating
}

export interface Coverage {
  readonly years: readonly YearCoverage[]
  readonly ratings: number
  /** By version and speaker, as `4.0 nvd`. */
  readonly disagreements: ReadonlyMap<string, number>
  readonly examples: readonly Disagreement[]
}

const IDS_PER_BATCH = 2000
const MAX_EXAMPLES = 10

export async function measureCoverage(session: Session, onProgress: (done: number) => void): Promise<Coverage> {
  const tally = newTally()
  let after = ''
  let done = 0
  for (;;) {
    const ids = await idsAfter(session, after)
    const last = ids.at(-1)
    if (last === undefined) return concluded(tally)
    for (const each of await readSourceData(session.db, ids)) count(tally, each)
    after = last
    done += ids.length
    onProgress(done)
  }
}

async function idsAfter(session: Session, after: string): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    select distinct cve_id as "cveId"
      from source.source_record
     where source in ('nvd', 'cve')
       and cve_id > ${after}
     order by 1
     limit ${IDS_PER_BATCH}
  `.execute(session.db)
  return rows.map(({ cveId }) => cveId)
}

interface Tally {
  readonly years: Map<string, { inNvd: number; all: number; having: Record<(typeof COVERED)[number], Counted> }>
  ratings: number
  readonly disagreements: Map<string, number>
  readonly examples: Disagreement[]
}

function newTally(): Tally {
  return { years: new Map(), ratings: 0, disagreements: new Map(), examples: [] }
}

function count(tally: Tally, facts: Facts): void {
  const merged = resolve(facts)
  if (!merged) return
  countScores(tally, facts.cveId, merged)
  if (merged.status.value === 'Rejected') return
  const alone = resolve({ ...facts, records: facts.records.filter(({ source }) => source === 'nvd') })
  const isInNvd = merged.sources.includes('nvd')
  const year = yearOf(tally, facts.cveId)
  year.all += 1
  if (isInNvd) year.inNvd += 1
  const [byNvd, byAll] = [alone && isInNvd ? coveredBy(alone) : undefined, coveredBy(merged)]
  for (const name of COVERED) {
    year.having[name].nvdAlone += Number(byNvd?.[name] ?? false)
    year.having[name].nvdMerged += Number(isInNvd && byAll[name])
    year.having[name].allMerged += Number(byAll[name])
  }
}

function coveredBy({ score, weaknesses, cpe, affected }: Resolved): Covered {
  const hasCpe = cpe.matches.length > 0
  return {
    severity: score !== null,
    cwe: weaknesses.length > 0,
    cpe: hasCpe,
    affected: hasCpe || affected.length > 0,
  }
}

function yearOf(tally: Tally, cveId: CveId) {
  const year = cveId.slice(4, 8)
  const held = tally.years.get(year) ?? {
    inNvd: 0,
    all: 0,
    having: { severity: nothing(), cwe: nothing(), cpe: nothing(), affected: nothing() },
  }
  tally.years.set(year, held)
  return held
}

const nothing = (): Counted => ({ nvdAlone: 0, nvdMerged: 0, allMerged: 0 })

function countScores(tally: Tally, cveId: CveId, { statements }: Resolved): void {
  for (const rating of statements.flatMap(({ ratings }) => ratings)) {
    if (rating.statedScore === null) continue
    tally.ratings += 1
    if (rating.statedScore === rating.score) continue
    const group = `${rating.version} ${rating.by}`
    tally.disagreements.set(group, (tally.disagreements.get(group) ?? 0) + 1)
    if (tally.examples.length < MAX_EXAMPLES) tally.examples.push({ cveId, rating })
  }
}

function concluded({ years, ...rest }: Tally): Coverage {
  return {
    ...rest,
    years: [...years].sort(([a], [b]) => Number(a) - Number(b)).map(([year, counted]) => ({ year, ...counted })),
  }
}
