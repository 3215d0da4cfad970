// Each bug of this list must be noticed by a test. What nobody would notice, nobody keeps from happening.
import { describe, expect, it, vi } from 'vitest'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { testDatabase } from '../../support/database.ts'
import { brokenBooks } from '../../support/ledger-assertions.ts'
import { competeForCredits } from '../admissions.ts'
import { CHARGE_ON_400, runCopy, WINDOW_MOVES } from './source.ts'
import {
  NO_UNIQUE_KEY,
  NOT_RECOGNISED,
  READ_BEFORE_LOCK,
  refundLastMonth,
  type SqlBug,
  seed,
  storeTwice,
  WRONG_PERIOD,
} from './sql.ts'

const seeded = vi.hoisted((): { bug: SqlBug | undefined; url: string } => ({ bug: undefined, url: '' }))

// The check of competing admissions makes its own database: here it gets one that has the bug.
vi.mock(import('../../support/database.ts'), async (importReal) => {
  const real = await importReal()
  const withBug = async () => {
    const database = await real.testDatabase()
    if (seeded.bug) await seed(database.url, seeded.bug)
    seeded.url = database.url
    return database
  }
  return { ...real, testDatabase: withBug }
})

const ADMISSIONS = 20_000
const PATIENCE = { timeout: 120_000 }

function say(bug: string, noticedBy: string, why: string): void {
  process.stdout.write(`seeded bug "${bug}" was noticed by ${noticedBy}: ${why}\n`)
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was noticed',
    (error: unknown) => (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)),
  )
}

async function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const limits = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(seeded.url, 'seeded', limits, () => {})
  try {
    return await work(pool.db)
  } finally {
    await pool.close()
  }
}

async function makeDatabaseWith(bug: SqlBug | undefined): Promise<void> {
  seeded.bug = bug
  await testDatabase()
}

async function refundsIn(bug: SqlBug | undefined) {
  await makeDatabaseWith(bug)
  return inDatabase(async (db) => ({ ...(await refundLastMonth(db)), broken: (await brokenBooks(db)).length }))
}

// Competing admissions have a test of their own, at a size at which every account is surely exhausted.
describe('Without a bug', () => {
  it('a late refund goes to the month of its charge', async () => {
    expect(await refundsIn(undefined)).toEqual({ lastMonth: 0, thisMonth: 10, broken: 0 })
  })

  it('the ledger refuses the same charge twice', async () => {
    await makeDatabaseWith(undefined)
    expect(await inDatabase(storeTwice)).toContain('duplicate key')
  })

  // On a busy machine a copy may not even get a database; that says nothing about its tests.
  it('the tests of a copy pass', { ...PATIENCE, retry: 2 }, async () => {
    const { passed, failed } = await runCopy(undefined, [CHARGE_ON_400, WINDOW_MOVES])
    expect([passed.length, failed]).toEqual([2, []])
  })
})

describe('A seeded bug is noticed:', () => {
  it.each([READ_BEFORE_LOCK, NOT_RECOGNISED])('$name, by competing admissions', PATIENCE, async (bug) => {
    seeded.bug = bug
    const why = await messageOf(competeForCredits(ADMISSIONS))
    const broken = await inDatabase(brokenBooks)
    say(bug.name, 'competing admissions', `${why}; broken books: ${broken.length}`)
    // Refusals for want of an answer, a quota overdrawn, or sums that differ; not an account that was not exhausted.
    expect(why).toMatch(/to deeply equal|less than or equal|to be \+0/)
    expect(broken.length > 0).toBe(bug === READ_BEFORE_LOCK)
  })

  it('no unique key, by the ledger itself', async () => {
    await makeDatabaseWith(NO_UNIQUE_KEY)
    const found = await inDatabase(storeTwice)
    say(NO_UNIQUE_KEY.name, '"the ledger refuses the same charge twice"', found)
    expect(found).toBe('the ledger has it twice')
  })

  it('refund to the wrong period, by the meter of both months', async () => {
    const found = await refundsIn(WRONG_PERIOD)
    say(WRONG_PERIOD.name, 'the meter of both months', JSON.stringify(found))
    expect(found).toMatchObject({ lastMonth: 10, thisMonth: 0 })
  })

  it.each([CHARGE_ON_400, WINDOW_MOVES])('$name, by "$test"', PATIENCE, async (bug) => {
    const { failed } = await runCopy(bug, [bug])
    say(bug.name, `"${failed[0]?.name}"`, failed[0]?.why ?? '')
    expect(failed).toEqual([expect.objectContaining({ name: expect.stringContaining(bug.test) })])
  })
})
