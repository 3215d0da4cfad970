// The work of the queues `snapshot` and `change-log`, in the catalog's database.
import { deleteExpiredChanges } from '../../catalog/changes/retention.ts'
import { makeDueSnapshot } from '../../catalog/snapshot/schedule.ts'
import { readSnapshotPositions } from '../../catalog/snapshot/status.ts'
import type { Config } from '../../config.ts'
import { openSession, type Session } from '../../database/session.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Work } from '../../jobs/runner.ts'
import type { Log } from '../../log.ts'
import { CHANGE_LOG, SNAPSHOT } from './queues.ts'

export function createSnapshotWork({ database, snapshots }: Config, log: Log): Work {
  return {
    queue: SNAPSHOT,
    concurrency: 1,
    run: (_, signal) =>
      withSession(database.writeUrl, async (session) => {
        const startedAt = performance.now()
        const made = await makeDueSnapshot({ session, clock: systemClock, signal }, snapshots.hour)
        const seconds = Math.round((performance.now() - startedAt) / 1000)
        if (made) log.info({ ...made, seconds }, 'snapshot of the catalog made')
      }),
  }
}

export function createChangeLogWork({ database }: Config, log: Log): Work {
  return {
    queue: CHANGE_LOG,
    concurrency: 1,
    run: (_, signal) =>
      withSession(database.writeUrl, async (session) => {
        const positions = await readSnapshotPositions(session.db)
        const deleted = await deleteExpiredChanges({ session, clock: systemClock, signal }, positions)
        signal.throwIfAborted()
        if (deleted > 0) log.info({ deleted }, 'old rows of the change log deleted')
      }),
  }
}

async function withSession(url: string, work: (session: Session) => Promise<void>): Promise<void> {
  const session = openSession(url, 'job')
  try {
    await work(session)
  } finally {
    await session.close()
  }
}
