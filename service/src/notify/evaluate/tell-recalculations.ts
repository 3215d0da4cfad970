// Decides which recalculations become events now, and which wait for the end of their wave.
import { addRecalculation, type Recalculation } from './recalculation.ts'
import type { Wave } from './waves.ts'

export interface ToldRecalculations {
  readonly told: readonly Recalculation[]
  /** To be stored, instead of what was stored for the same watch and cause. */
  readonly waiting: readonly Recalculation[]
  /** Stored before, and no longer needed. */
  readonly obsolete: readonly Recalculation[]
}

/** `stored` waits since earlier batches, `found` is new, and `ongoing` are the waves that may go on. */
export function tellRecalculations(
  stored: readonly Recalculation[],
  found: readonly Recalculation[],
  ongoing: readonly Wave[],
): ToldRecalculations {
  const isOngoing = ({ cause, wave }: Recalculation) =>
    ongoing.some((each) => each.cause === cause && each.first === wave)
  const storedByWatch = new Map(stored.map((each) => [toKey(each), each]))
  const merged = found.map((each) => {
    const earlier = storedByWatch.get(toKey(each))
    return earlier?.wave === each.wave ? addRecalculation(earlier, each) : each
  })
  const mergedKeys = new Set(merged.map((each) => `${toKey(each)} ${each.wave}`))
  const others = stored.filter((each) => !mergedKeys.has(`${toKey(each)} ${each.wave}`))
  const told = [...merged, ...others].filter((each) => !isOngoing(each))
  const waiting = merged.filter(isOngoing)
  const kept = new Set([...waiting, ...others.filter(isOngoing)].map(toKey))
  return { told, waiting, obsolete: stored.filter((each) => !kept.has(toKey(each))) }
}

const toKey = ({ watch, cause }: Recalculation) => `${watch} ${cause}`
