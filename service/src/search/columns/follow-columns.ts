// Keeps the columns in memory up to date: reads them once, and then the changes. Each change is applied as a whole, so the
// columns always show the state of the database at one position.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/postgres.ts'
import { isAfter, type Position } from '../../domain/change/position.ts'
import { applyChanges, type ReadColumns, readAllColumns } from './read-columns.ts'

export interface FollowedColumns {
  /**
   * Returns the columns at the given position or a later one; undefined if they are being read, or if the database
   * cannot be read.
   */
  reach(position: Position): Promise<ReadColumns | undefined>
}

interface FollowEvents {
  onRead(read: ReadColumns, seconds: number): void
  /** Called when reading starts to fail. */
  onError(error: unknown): void
}

const POLL_INTERVAL_MS = 1000
/** How long a call waits while all CVEs are being read. A small catalog takes less, and a large one seconds. */
const READ_WAIT_MS = 1000

export function followColumns(db: Database, events: FollowEvents): FollowedColumns {
  let current: ReadColumns | undefined
  let running: Promise<void> | undefined
  let isFailing = false
  const step = async () => {
    if (current) {
      const position = await applyChanges(db, current)
      current = position && { ...current, position }
    }
    if (current) return
    const startedAt = performance.now()
    current = await readAllColumns(db)
    events.onRead(current, (performance.now() - startedAt) / 1000)
  }
  const run = async () => {
    try {
      await step()
      isFailing = false
    } catch (error) {
      if (!isFailing) events.onError(error)
      isFailing = true
    }
  }
  const update = () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
  void repeat(update)
  return {
    reach: async (position) => {
      const isReached = () => current !== undefined && !isAfter(position, current.position)
      // The first update may have begun before the position was read, the second has not.
      for (let attempt = 0; attempt < 2 && !isReached(); attempt += 1)
        await Promise.race([update(), sleep(READ_WAIT_MS)])
      return isReached() ? current : undefined
    },
  }
}

async function repeat(work: () => Promise<void>): Promise<never> {
  for (;;) {
    await work()
    await sleep(POLL_INTERVAL_MS, undefined, { ref: false })
  }
}
