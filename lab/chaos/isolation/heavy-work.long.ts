// Heavy calls on the whole catalog, in a node with the heap limit of a deployment.
//
// WHOLE_CATALOG_URL=postgres://…  a database with a loaded catalog, which is only read
// VIS_DATA=<dir>                  the real upstream files, which are loaded
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { findBrokenBalances, readBalances } from '../../../service/test/support/ledger-assertions.ts'
import { buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { startProcess } from '../../../service/test/support/processes/server-process.ts'
import { toComponents } from './attack-calls.ts'
import { isWholeCatalog, openRealCatalog } from './catalogs.ts'
import { startClient } from './client.ts'
import {
  abandonAtOnce,
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
import { computeBound, summarisePhase } from './report.ts'

const MAX_MATCH_MS = 5000
const MAX_IDLE_MS = 1000
const [BASELINE_MS, ATTACK_MS] = [5000, 8000]
const NAMES = Object.keys(HEAVY_CALLS) as HeavyCall[]
const LIMITS = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

type Run = Awaited<ReturnType<typeof prepare>>

async function prepare() {
  const { databaseUrl, catalog, redisUrl, subjects: known } = await openRealCatalog()
  const pool = openPool(databaseUrl, 'heavy-work', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  const node = await startProcess({
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: catalog?.url ?? databaseUrl,
      ACCOUNTS_DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: `vis_heavy_${process.pid}_${Date.now()}:`,
    },
    execArgs: NODE_ARGUMENTS,
  })
  const subjects = { ...known, newest: 'start' }
  const createCaller = async (): Promise<Target & { accountId: string }> => {
    const key = createTestKey()
    const owner = account('pro').withQuota(10_000_000).withKey(key)
    await owner.store(pool.db)
    return { accountId: owner.id, port: node.port, key: key.key, subjects }
  }
  const readUsedHalf = async ({ accountId }: { accountId: string }) =>
    (await readBalances(pool.db)).find((each) => each.accountId === accountId)?.usedHalf ?? 0
  return { node, db: pool.db, subjects, createCaller, readUsedHalf }
}

const run = isWholeCatalog ? await prepare() : undefined

/** Measures the calls of another account before and during `work`. */
async function compareVictim({ node, subjects, createCaller }: Run, work: () => Promise<unknown>) {
  const [{ key }, client] = [await createCaller(), startClient()]
  const ids = { warm: subjects.warm, cold: subjects.cold }
  let firstCall = 0
  const call = async (ms: number) => {
    const answers = await client.run({ role: 'victim', port: node.port, key, ids, perSecond: 20, ms, firstCall })
    firstCall += (ms / 1000) * 20
    return summarisePhase(answers)
  }
  await call(1000)
  const baseline = await call(BASELINE_MS)
  const [attacked] = await Promise.all([call(ATTACK_MS), work()])
  await client.stop()
  return { baseline, attacked }
}

/** Matches 100 versions of each of the largest products, one product after the other. */
async function matchProducts({ node, subjects }: Run, key: string) {
  const rows = []
  for (const product of subjects.products) {
    const body = JSON.stringify({ components: toComponents(product) })
    const startedAt = performance.now()
    const { status, body: problem } = await sendOne(node.port, buildPostRequest('/api/v1/match', key, body))
    rows.push({ product: product.product, status, problem, ms: performance.now() - startedAt })
  }
  process.stdout.write(rows.map(({ product, status, ms }) => `${product} ${status} ${ms.toFixed(0)} ms\n`).join(''))
  return rows
}

/** A document with 5,000 versions of the largest product. */
function buildTooLargeDocument({ subjects }: Run): string {
  const { vendor = '', product = '' } = subjects.products[0] ?? {}
  const components = Array.from({ length: 5000 }, (_, index) => ({
    type: 'library',
    name: product,
    version: `5.${index}`,
    cpe: `cpe:2.3:o:${vendor}:${product}:5.${index}:*:*:*:*:*:*:*`,
  }))
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
}

/** Sends 16 calls at once, abandons 16, and measures when the main thread is idle after each. */
async function attack({ node, createCaller }: Run, name: HeavyCall) {
  const caller = await createCaller()
  const answers = await sendAtOnce(name, caller)
  const afterAnswers = await waitUntilIdle(node.pid)
  await abandonAtOnce(name, caller)
  const afterAbandoned = await waitUntilIdle(node.pid)
  return { answers, idleMs: [afterAnswers.ms, afterAbandoned.ms] }
}

describe.skipIf(!run)('Heavy calls on the whole catalog', () => {
  if (!run) return
  const { node, db, createCaller, readUsedHalf } = run

  it('100 versions of each of the ten largest products are answered within 5 s, and charged', async () => {
    const caller = await createCaller()
    const rows = await matchProducts(run, caller.key)
    expect(rows.filter(({ status, ms }) => status !== 200 || ms > MAX_MATCH_MS)).toEqual([])
    expect(await readUsedHalf(caller)).toBe(rows.length * readPriceHalf('match'))
  })

  it('5,000 versions of the largest product are refused without a charge, and the response says what to send instead', async () => {
    const caller = await createCaller()
    const request = buildPostRequest('/api/v1/sbom', caller.key, buildTooLargeDocument(run))
    const { status, body } = await sendOne(node.port, request)
    expect([status, body]).toEqual([400, expect.stringMatching(/send .*(fewer|several|more calls)/)])
    expect(await readUsedHalf(caller)).toBe(0)
  })

  it.each(NAMES)(
    '16 × %s at once and 16 abandoned: other accounts do not notice, and the node is idle within 1 s',
    async (name) => {
      // The victim's calls keep the main thread busy, so that it is watched in an attack of its own.
      const { answers, idleMs } = await attack(run, name)
      const caller = await createCaller()
      const { baseline, attacked } = await compareVictim(run, async () => {
        await sendAtOnce(name, caller)
        await abandonAtOnce(name, caller)
      })
      process.stdout.write(
        `${name}: p99 ${baseline.p99.toFixed(0)} → ${attacked.p99.toFixed(0)} ms; idle after ${idleMs.map(Math.round).join(' and ')} ms\n`,
      )
      expect([isAlive(node.pid), listWrongAnswers(answers)]).toEqual([true, []])
      expect([attacked.serverErrors, attacked.otherRefusals]).toEqual([0, 0])
      expect(attacked.p99).toBeLessThanOrEqual(computeBound(baseline))
      expect(idleMs.filter((ms) => ms > MAX_IDLE_MS)).toEqual([])
      await expect.poll(() => listHeld(node.opsPort)).toEqual([])
      expect(await findBrokenBalances(db)).toEqual([])
    },
  )
})
