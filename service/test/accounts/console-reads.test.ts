import { describe, expect, it } from 'vitest'
import { type CountReads, countReadsIn, createConsoleReads } from '../../src/accounts/people/console-reads.ts'
import { openPool } from '../../src/database/postgres.ts'
import { account, createTestKey } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { readRows } from '../support/run-statements.ts'

const database = await createTestDatabase()
const POOL_LIMITS = { poolSize: 4, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const openNode = () => {
  const pool = openPool(database.url, 'test', POOL_LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool.db
}
const [first, second] = [openNode(), openNode()]

async function createAccount() {
  const owner = account('pro').withKey(createTestKey())
  await owner.store(first)
  const [row] = await readRows(database.url, 'select id from accounts.api_key where account_id = $1', [owner.id])
  return { accountId: owner.id, keyId: String(row?.id) }
}

const LIMITS = { perMinute: 1000, perDay: 120 }

describe('Console read counter', () => {
  it('allows exactly 500 parallel reads, the limit, on two nodes', async () => {
    const { accountId, keyId } = await createAccount()
    const nodes = [first, second].map((db) => createConsoleReads(countReadsIn(db, LIMITS), LIMITS))

    const results = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => nodes[index % 2]?.count(accountId, keyId)),
    )

    expect(results.filter((result) => result?.isAllowed)).toHaveLength(120)
    expect(
      results.filter((result) => result?.window === 'day' && result.remaining === 0 && !result.isAllowed),
    ).toHaveLength(380)
  })

  it('survives a restart of the node', async () => {
    const { accountId, keyId } = await createAccount()
    const limits = { perMinute: 1000, perDay: 2 }
    const start = () => createConsoleReads(countReadsIn(first, limits), limits)
    await start().count(accountId, keyId)
    await start().count(accountId, keyId)

    expect(await start().count(accountId, keyId)).toMatchObject({ isAllowed: false, window: 'day' })
  })

  it('starts again in the next minute and on the next day', async () => {
    const { accountId, keyId } = await createAccount()
    const limits = { perMinute: 1, perDay: 2 }
    const count = async () =>
      (await createConsoleReads(countReadsIn(first, limits), limits).count(accountId, keyId)).isAllowed
    const move = (column: string, by: string) =>
      readRows(database.url, `update accounts.console_window set ${column} = ${column} - ${by} where account_id = $1`, [
        accountId,
      ])

    expect(await count()).toBe(true)
    await move('minute', "interval '1 minute'")
    expect(await count()).toBe(true)
    await move('minute', "interval '1 minute'")
    expect(await count()).toBe(false)
    await move('day', '1')
    expect(await count()).toBe(true)
  })

  it('sends one statement for reads that arrive while another one is in flight', async () => {
    const asked: number[] = []
    const count: CountReads = async (_account, _key, reads) => {
      asked.push(reads)
      await new Promise((resolve) => setImmediate(resolve))
      return { granted: reads, minute_left: 50, day_left: 100, minute_seconds: 30, day_seconds: 3600 }
    }
    const reads = createConsoleReads(count, LIMITS)

    const results = await Promise.all(Array.from({ length: 10 }, () => reads.count('1', '1')))

    expect(asked).toEqual([1, 9])
    expect(results.map(({ remaining }) => remaining)).toEqual([50, 58, 57, 56, 55, 54, 53, 52, 51, 50])
  })

  it('does not query the database again until the limit is reset', async () => {
    let [statements, now] = [0, 0]
    const count: CountReads = async () => {
      statements += 1
      return { granted: 0, minute_left: 0, day_left: 10, minute_seconds: 20, day_seconds: 3600 }
    }
    const reads = createConsoleReads(count, LIMITS, () => now)

    expect(await reads.count('1', '1')).toMatchObject({ isAllowed: false, window: 'minute', waitSeconds: 20 })
    now = 5000
    expect(await reads.count('1', '2')).toMatchObject({ isAllowed: false, waitSeconds: 15 })
    expect(statements).toBe(1)
    now = 20_000
    await reads.count('1', '1')
    expect(statements).toBe(2)
  })

  it('queries the database again after a minute when the daily limit is reached', async () => {
    let [statements, now] = [0, 0]
    const count: CountReads = async () => {
      statements += 1
      return { granted: 0, minute_left: 10, day_left: 0, minute_seconds: 20, day_seconds: 3600 }
    }
    const reads = createConsoleReads(count, LIMITS, () => now)

    await reads.count('1', '1')
    now = 59_000
    expect(await reads.count('1', '1')).toMatchObject({ isAllowed: false, window: 'day', waitSeconds: 3541 })
    expect(statements).toBe(1)
    now = 60_000
    await reads.count('1', '1')
    expect(statements).toBe(2)
  })

  it('fails for all waiting reads if the database fails, and works afterwards', async () => {
    let isBroken = true
    const count: CountReads = async (_account, _key, reads) => {
      if (isBroken) throw new Error('the database is away')
      return { granted: reads, minute_left: 1, day_left: 1, minute_seconds: 1, day_seconds: 1 }
    }
    const reads = createConsoleReads(count, LIMITS)

    const results = await Promise.allSettled([reads.count('1', '1'), reads.count('1', '1')])
    isBroken = false

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await reads.count('1', '1')).toMatchObject({ isAllowed: true })
  })
})
