// What the ranges of the change log cost its readers (ADR 0036): the same million rows in one table, as before the
// migration 0020_change_partitions, and in ranges. The calls are made in turns.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { countChanges } from '../../../service/src/api/endpoints/summarize-changes/query.ts'
import { migrate } from '../../../service/src/database/migrate.ts'
import { type Database, openPool } from '../../../service/src/database/postgres.ts'
import type { Position } from '../../../service/src/domain/change/position.ts'
import { EVERY_CHANGE } from '../../../service/src/record/change-log/filter.ts'
import { NEWEST_POSITION, POSITION, toPosition } from '../../../service/src/record/change-log/position-text.ts'
import { readPage } from '../../../service/src/record/change-log/read-log.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createEmptyDatabase } from '../../../service/test/support/database.ts'
import { median } from '../../../service/test/support/load/percentile.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../service/migrations', import.meta.url))
const FIRST_WITH_RANGES = '0020'
const ROWS = 1_000_000
const PAIRS = 100
/** The first calls fill the caches. */
const UNMEASURED = 10
const LIMITS = { poolSize: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 3000, acquireTimeoutMs: 3000 }

interface Log {
  readonly db: Database
  /** Positions in the middle and near the end. */
  readonly middle: Position
  readonly recent: Position
}

/** Migrates without the files from `end` on. */
async function migrateBefore(url: string, end: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  for (const name of await readdir(join(folder, 'catalog'))) if (name >= end) await rm(join(folder, 'catalog', name))
  await migrate(url, 'catalog', folder)
  await rm(folder, { recursive: true })
}

async function fill(end: string): Promise<Log> {
  const { url } = await createEmptyDatabase()
  await migrateBefore(url, end)
  const pool = openPool(url, 'bench', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  const { db } = pool
  if (end > FIRST_WITH_RANGES) await sql`select catalog.add_change_ranges(${ROWS})`.execute(db)
  await sql`
    insert into catalog.change (cve_key, kind, types, fields, diff, cause, at)
    select 202600000000 + (n::bigint * 7919) % 263675, 'changed',
           case when n % 5000 = 0 then '{kev_added}' else '{score_changed,severity_band_changed}' end::text[],
           '{severity,cvss}', '{"severity": {"old": 7.5, "new": 9.8}}',
           case when n % 10 = 0 then 'rules' else 'data' end,
           timestamptz '2025-01-01' + n * interval '30 seconds'
      from generate_series(1, ${ROWS}::integer) n`.execute(db)
  await sql`update catalog.change_time set at = '2025-01-01'`.execute(db)
  await sql`
    insert into catalog.change_time (seq, at) select seq, at from catalog.change where seq % 100 = 0`.execute(db)
  await sql`vacuum analyze catalog.change`.execute(db)
  await sql`analyze catalog.change_time`.execute(db)
  const { rows } = await sql<{ position: string }>`
    select ${POSITION} as position
      from catalog.change
     where seq in (${ROWS / 2}, ${ROWS - 1000})
     order by seq
  `.execute(db)
  return { db, middle: toPosition(rows[0]?.position), recent: toPosition(rows[1]?.position) }
}

const CALLS: Readonly<Record<string, (log: Log) => Promise<unknown>>> = {
  'page of 100 from a recent position': ({ db, recent }) => readPage(db, recent, EVERY_CHANGE, 100),
  'page of 500 from the middle': ({ db, middle }) => readPage(db, middle, EVERY_CHANGE, 500),
  'page of 100 from the start': ({ db }) => readPage(db, 'start', EVERY_CHANGE, 100),
  'a rare type from the start': ({ db }) => readPage(db, 'start', { ...EVERY_CHANGE, types: ['kev_added'] }, 100),
  'page of 100 since a time': ({ db }) => readPage(db, { time: new Date('2025-10-01') }, EVERY_CHANGE, 100),
  now: ({ db }) => readPage(db, 'now', EVERY_CHANGE, 100),
  'count of 100,000': ({ db }) => countChanges(db, 'start', undefined),
  'the newest position': ({ db }) => sql`select ${NEWEST_POSITION} as newest`.execute(db),
  'changes of one CVE': ({ db }) =>
    sql`select seq, types, diff from catalog.change where cve_key = 202600000005 order by seq desc limit 50`.execute(
      db,
    ),
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

describe('Ranges of the change log', () => {
  it('cost a reader of new changes little', { timeout: 1_800_000 }, async () => {
    const [whole, ranges] = [await fill(FIRST_WITH_RANGES), await fill('9999')]
    const figures: Record<string, { ms: string; 'ms in ranges': string; ratio: number }> = {}
    for (const [name, call] of Object.entries(CALLS)) {
      const pairs: (readonly [number, number])[] = []
      for (let pair = 0; pair < PAIRS + UNMEASURED; pair += 1)
        pairs.push([await time(() => call(whole)), await time(() => call(ranges))])
      const measured = pairs.slice(UNMEASURED)
      const [before, after] = [median(measured.map(([ms]) => ms)), median(measured.map(([, ms]) => ms))]
      figures[name] = {
        ms: before.toFixed(2),
        'ms in ranges': after.toFixed(2),
        ratio: Number(median(measured.map(([one, other]) => other / one)).toFixed(2)),
      }
    }
    console.table(figures)
    expect(figures['page of 100 from a recent position']?.ratio).toBeLessThan(2)
  })
})
