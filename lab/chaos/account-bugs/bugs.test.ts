// Puts known bugs into the service on purpose ("seeds" them) and checks that a test detects each bug.
import { describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../service/src/database/postgres.ts'
import { competeForCredits } from '../../../service/test/accounts/admissions.ts'
import { openTestStatements } from '../../../service/test/accounts/statements.ts'
import { createTestDatabase, type TestDatabase } from '../../../service/test/support/database.ts'
import { findBrokenBalances } from '../../../service/test/support/ledger-assertions.ts'
import { chooseBySize, isLongRun } from '../../../service/test/support/size.ts'
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

const ADMISSIONS = 20_000
const SOURCE_BUGS = [CHARGE_ON_400, WINDOW_MOVES]
const SLOW = { timeout: 900_000 }

function printDetection(bug: string, detectedBy: string, reason: string): void {
  process.stdout.write(`seeded bug "${bug}" was detected by ${detectedBy}: ${reason}\n`)
}

async function readErrorMessage(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)),
  )
}

async function createDatabaseWith(bug: SqlBug): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await seed(database.url, bug)
  return database
}

async function withPool<T>({ url }: TestDatabase, work: (db: Database) => Promise<T>): Promise<T> {
  const limits = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(url, 'seeded', limits, () => {})
  try {
    return await work(pool.db)
  } finally {
    await pool.close()
  }
}

async function refundIn(database: TestDatabase) {
  const { run } = openTestStatements(database.url, 1)
  return withPool(database, async (db) => ({
    ...(await refundLastMonth(db, run)),
    broken: (await findBrokenBalances(db)).length,
  }))
}

// The same check of concurrent charges without a seeded bug is in admissions.test.ts.
describe('Service without a seeded bug', () => {
  it('subtracts a late refund from the month of its charge', async () => {
    expect(await refundIn(await createTestDatabase())).toEqual({ lastMonth: 0, thisMonth: 10, broken: 0 })
  })

  it('rejects a second ledger row for the same charge', async () => {
    expect(await withPool(await createTestDatabase(), storeTwice)).toContain('duplicate key')
  })

  it.runIf(isLongRun)('passes the tests for seeded bugs in an unchanged copy of the source', SLOW, async () => {
    const { passed, failed } = await runCopy([], [CHARGE_ON_400, WINDOW_MOVES])
    expect([passed.length, failed]).toEqual([2, []])
  })
})

describe('Test suite with a seeded bug', () => {
  it.each([READ_BEFORE_LOCK, NOT_RECOGNISED])('detects the bug "$name" with concurrent charges', SLOW, async (bug) => {
    const database = await createDatabaseWith(bug)
    const message = await readErrorMessage(competeForCredits(ADMISSIONS, database))
    const broken = await withPool(database, findBrokenBalances)
    printDetection(bug.name, 'concurrent charges', `${message}; inconsistent accounts: ${broken.length}`)
    // The bug may show as failed charges, an exceeded quota or sums that differ. An account with credits left would
    // have another cause.
    expect(message).toMatch(/to deeply equal|less than or equal|to be \+0/)
    expect(broken.length > 0).toBe(bug === READ_BEFORE_LOCK)
  })

  it('detects a missing unique key in the ledger by inserting a charge twice', async () => {
    const found = await withPool(await createDatabaseWith(NO_UNIQUE_KEY), storeTwice)
    printDetection(NO_UNIQUE_KEY.name, '"rejects a second ledger row for the same charge"', found)
    expect(found).toBe('the ledger has the charge twice')
  })

  it('detects a refund to the wrong month by comparing the meters of both months', async () => {
    const found = await refundIn(await createDatabaseWith(WRONG_PERIOD))
    printDetection(WRONG_PERIOD.name, 'the meters of both months', JSON.stringify(found))
    expect(found).toMatchObject({ lastMonth: 10, thisMonth: 0 })
  })

  // The short run seeds both bugs into one copy of the source, because starting vitest takes most of the time.
  it.each(chooseBySize({ short: [SOURCE_BUGS], long: SOURCE_BUGS.map((bug) => [bug]) }))(
    'detects each bug in a copy of the source with its own test (copy %#)',
    SLOW,
    async (...bugs) => {
      const { failed } = await runCopy(bugs, bugs)
      for (const { name, test } of bugs) {
        const found = failed.find((each) => each.name.includes(test))
        printDetection(name, `"${found?.name}"`, found?.reason ?? '')
      }
      expect(failed).toHaveLength(bugs.length)
      expect(bugs.filter(({ test }) => !failed.some(({ name }) => name.includes(test)))).toEqual([])
    },
  )
})
