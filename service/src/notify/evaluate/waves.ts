// Groups the changes of our own (causes rules, reload, source, epss_model) into waves: neighbours of one cause that are not
// far apart in time. A watch gets one event for a wave, however the log is cut into batches.
import type { OwnCause } from '../../domain/watch/find-kinds.ts'
import { findOwnCause } from '../../domain/watch/find-kinds.ts'
import type { LogRow } from './read-log.ts'

/** The newest wave of a cause (notify.recalculation_wave). */
export interface Wave {
  readonly cause: OwnCause
  readonly first: bigint
  readonly last: bigint
  readonly lastAt: Date
  /** False once its events were written: a later row begins another wave. */
  readonly isOpen: boolean
}

export interface WavePlan {
  /** The first number of the wave of each row of our own, by the number of the row. */
  readonly waveOf: ReadonlyMap<bigint, bigint>
  /** The newest wave of each cause after these rows. */
  readonly newest: ReadonlyMap<OwnCause, Wave>
}

/** `rows` follow the rows of the waves. */
export function planWaves(rows: readonly LogRow[], waves: Iterable<Wave>, gapMs: number): WavePlan {
  const newest = new Map(Array.from(waves, (wave) => [wave.cause, wave]))
  const waveOf = new Map<bigint, bigint>()
  for (const row of rows) {
    const cause = findOwnCause(row)
    if (cause === undefined) continue
    const wave = newest.get(cause)
    const continues = wave?.isOpen === true && row.at.getTime() - wave.lastAt.getTime() <= gapMs
    const first = continues ? wave.first : row.seq
    waveOf.set(row.seq, first)
    newest.set(cause, { cause, first, last: row.seq, lastAt: row.at, isOpen: true })
  }
  return { waveOf, newest }
}

/**
 * The same for earlier rows, which a span catches up: rows of the newest wave belong to it, and the waves before it are over.
 */
export function placeInWaves(rows: readonly LogRow[], waves: Iterable<Wave>, gapMs: number): WavePlan {
  const newest = new Map(Array.from(waves, (wave) => [wave.cause, wave]))
  const isEarlier = (row: LogRow) => {
    const cause = findOwnCause(row)
    const wave = cause && newest.get(cause)
    return !wave || row.seq < wave.first
  }
  const { waveOf } = planWaves(rows.filter(isEarlier), [], gapMs)
  const later = rows
    .filter((row) => !isEarlier(row))
    .flatMap((row) => {
      const wave = newest.get(findOwnCause(row) ?? 'rules')
      return wave ? [[row.seq, wave.first] as const] : []
    })
  return { waveOf: new Map([...waveOf, ...later]), newest }
}

/** Waves after which nothing was recorded for so long that nothing more will come. */
export function findEndedWaves(waves: Iterable<Wave>, now: Date, quietMs: number): readonly Wave[] {
  return [...waves].filter(({ isOpen, lastAt }) => isOpen && now.getTime() - lastAt.getTime() > quietMs)
}
