// Ranks the CVEs in a request to /prioritize.
import { prioritizeRow } from '../../../contract/record/add-ons/priority.ts'
import type { CveRow } from '../../../contract/record/cve-fields.ts'
import { type CveId, toCveId } from '../../../domain/cve-id.ts'
import { LEVELS, type Level } from '../../../domain/priority/policy.ts'
import type { Prioritized } from '../../../domain/priority/priority.ts'
import type { Target } from './targets.ts'

interface RankedTarget extends Target, Prioritized {
  readonly key: string
}

type Counts = Readonly<Record<Level | 'none', number>>

export interface Ranking {
  /** Most urgent first. */
  readonly ranked: readonly RankedTarget[]
  readonly counts: Counts
  readonly notFound: readonly CveId[]
}

export function rankTargets(targets: readonly Target[], rows: readonly CveRow[]): Ranking {
  const byId = new Map(rows.map((row) => [toCveId(row.cve_key), row]))
  const ranked = targets.flatMap((target) => {
    const row = byId.get(target.cveId)
    return row ? [{ ...target, ...prioritizeRow(row, target.context), key: row.cve_key }] : []
  })
  return {
    ranked: ranked.sort(compareUrgency),
    counts: countLevels(ranked),
    notFound: targets.filter(({ cveId }) => !byId.has(cveId)).map(({ cveId }) => cveId),
  }
}

/** Compares like the sort order priority_desc: CVEs of equal rank by id, newest first; CVEs without a rank last. */
function compareUrgency(one: RankedTarget, other: RankedTarget): number {
  if (one.rank !== other.rank) return (other.rank ?? -1) - (one.rank ?? -1)
  return BigInt(one.key) < BigInt(other.key) ? 1 : -1
}

function countLevels(ranked: readonly RankedTarget[]): Counts {
  const count = (level: Level | null) => ranked.filter(({ priority }) => priority.level === level).length
  // The cast is safe: there is an entry for every level.
  const counts = Object.fromEntries(LEVELS.map((level) => [level, count(level)])) as Record<Level, number>
  return { ...counts, none: count(null) }
}
