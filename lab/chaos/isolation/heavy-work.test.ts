// Heavy calls on a generated catalog, in a node with the heap limit of a deployment: counts and ratios that hold on any
// machine. heavy-work.long.ts has the limits in milliseconds, on a whole catalog.
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { findBrokenBalances, readBalances } from '../../../service/test/support/ledger-assertions.ts'
import { buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { readMainThreadSeconds } from '../../../service/test/support/load/cpu.ts'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { startProcess } from '../../../service/test/support/processes/server-process.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { openGeneratedCatalog } from './catalogs.ts'
import { startClient } from './client.ts'
import {
  abandonAtOnce,
  CALLS_AT_ONCE,
  HEAVY_CALLS,
  type HeavyCall,
  isAlive,
  listHeld,
  listWrongAnswers,
  readPriceHalf,
  sendAtOnce,
  sendOne,
  type Target,
  waitUntilIdle,
} from './heavy-work.ts'
import { LARGE_PRODUCT } from './large-subjects.ts'
import { summarisePhase } from './report.ts'

const CATALOG = chooseBySize({
  short: { records: 3000, rangesPerCve: 5 },
  long: { records: 20_000, rangesPerCve: 4 },
})
const VICTIM = { perSecond: 20, ms: 2000 }
/** Versions of one product that are too many for one call. */
const TOO_MANY_VERSIONS = 5000

const { databaseUrl, redisUrl, subjects: known } = await openGeneratedCatalog(CATALOG)
const subjects = { ...known, newest: 'start' }
const limits = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
const pool = openPool(databaseUrl, 'heavy-work', limits, () => {})
cleanUpAfterTests(() => pool.close())
const node = await startProcess({
  environment: {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `vis_heavy_${process.pid}_${Date.now()}:`,
    ...PATIENT_SETTINGS,
  },
  execArgs: NODE_ARGUMENTS,
})

async function createCaller(): Promise<Target & { readonly accountId: string }> {
  const key = createTestKey()
  const owner = account('pro').withQuota(1_000_000).withKey(key)
  await owner.store(pool.db)
  return { accountId: owner.id, port: node.port, key: key.key, subjects }
}

const readBalance = async ({ accountId }: { accountId: string }) =>
  (await readBalances(pool.db)).find((each) => each.accountId === accountId)

/** Sends the calls of another account while `work` runs, and returns how they were answered. */
async function watchVictim(work: () => Promise<unknown>) {
  const [{ key }, client] = [await createCaller(), startClient()]
  const ids = { warm: subjects.warm, cold: subjects.cold }
  const calls = client.run({ role: 'victim', port: node.port, key, ids, ...VICTIM, firstCall: 0 })
  await work()
  const summary = summarisePhase(await calls)
  await client.stop()
  return summary
}

const NAMES = Object.keys(HEAVY_CALLS) as HeavyCall[]
const SLOW = { timeout: 300_000 }

describe.each(NAMES)('16 × %s from one account', (name) => {
  it('are each answered and charged once, or refused because the account exceeds its fair share', SLOW, async () => {
    const caller = await createCaller()
    let answers: Awaited<ReturnType<typeof sendAtOnce>> = []
    const victim = await watchVictim(async () => {
      answers = await sendAtOnce(name, caller)
    })

    expect(listWrongAnswers(answers)).toEqual([])
    const answered = answers.filter(({ status }) => status === 200).length
    expect(answered).toBeGreaterThan(0)
    expect([victim.serverErrors, victim.otherRefusals]).toEqual([0, 0])
    expect((await readBalance(caller))?.usedHalf).toBe(answered * readPriceHalf(name))
    await expect.poll(() => listHeld(node.opsPort)).toEqual([])
  })

  it('end with their connections when abandoned, without a lost or double charge', SLOW, async () => {
    const caller = await createCaller()
    const victim = await watchVictim(() => abandonAtOnce(name, caller))

    expect(isAlive(node.pid)).toBe(true)
    expect([victim.serverErrors, victim.otherRefusals]).toEqual([0, 0])
    await expect.poll(() => listHeld(node.opsPort)).toEqual([])
    const { charges = 0, refunds = 0, usedHalf = 0 } = (await readBalance(caller)) ?? {}
    expect(charges).toBeLessThanOrEqual(CALLS_AT_ONCE)
    expect(usedHalf).toBe((charges - refunds) * readPriceHalf(name))
    expect(await findBrokenBalances(pool.db)).toEqual([])
  })
})

describe('Abandoned calls to /match', () => {
  it('occupy the main thread no longer than a few answered calls', SLOW, async () => {
    const caller = await createCaller()
    await sendAtOnce('match', caller, 1)
    await waitUntilIdle(node.pid)
    const before = readMainThreadSeconds(node.pid)
    const [answer] = await sendAtOnce('match', caller, 1)
    const one = readMainThreadSeconds(node.pid) - before

    await abandonAtOnce('match', caller)
    const { cpuSeconds } = await waitUntilIdle(node.pid)

    expect(answer?.status).toBe(200)
    process.stdout.write(
      `one call ${one.toFixed(2)} s, after 16 abandoned ones ${cpuSeconds.toFixed(2)} s of the main thread\n`,
    )
    expect(cpuSeconds).toBeLessThan(3 * one + 0.5)
  })
})

describe('A call with more versions of a large product than it may compare', () => {
  it('gets a 400 that says what to send instead, and is not charged', SLOW, async () => {
    const caller = await createCaller()
    const { vendor, product } = LARGE_PRODUCT
    const components = Array.from({ length: TOO_MANY_VERSIONS }, (_, index) => ({
      type: 'library',
      name: product,
      version: `9.${index}`,
      cpe: `cpe:2.3:a:${vendor}:${product}:9.${index}:*:*:*:*:*:*:*`,
    }))
    const document = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
    const { status, body } = await sendOne(node.port, buildPostRequest('/api/v1/sbom', caller.key, document))

    expect([status, body]).toEqual([400, expect.stringMatching(/send .*(fewer|several|more calls)/)])
    expect((await readBalance(caller))?.usedHalf ?? 0).toBe(0)
    await expect.poll(() => listHeld(node.opsPort)).toEqual([])
  })
})
