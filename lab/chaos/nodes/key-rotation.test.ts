// Rotates keys again and again while clients call two nodes with the old and the new key (goal C-ROT).
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rotateAccountKey } from '../../../service/src/accounts/keys/account-keys.ts'
import { lockKeyByDigest } from '../../../service/src/accounts/keys/administer-keys.ts'
import { actFor } from '../../../service/src/accounts/keys/credential.ts'
import { openPool, type Pool } from '../../../service/src/database/postgres.ts'
import type { Api } from '../../../service/test/support/api.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { startSecondNode } from '../../../service/test/support/console.ts'
import { createManager, post } from '../../../service/test/support/self-service.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'

interface RotationPlan {
  readonly accounts: number
  readonly rotations: number
  readonly overlapMs: number
}

interface UsedKey {
  readonly key: string
  /** Until this time, the key must be accepted; infinity while it is not rotated. */
  validUntilMs: number
  /** From this time on, the key must be refused, apart from the time for which nodes cache it. */
  expiredFromMs: number
}

interface KeyCall {
  readonly used: UsedKey
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly status: number
}

/** A node caches a valid key for at most 2 s. */
const MAX_CACHED_MS = 2000
const PAUSE_MS = 20
const NEVER = Number.POSITIVE_INFINITY

const PLAN = chooseBySize<RotationPlan>({
  short: { accounts: 3, rotations: 2, overlapMs: 1200 },
  long: { accounts: 10, rotations: 20, overlapMs: 5000 },
})

const service = await startTestService()
const nodes = [service.api, await startSecondNode(service)] as const

function openOwnerPool(): Pool {
  const limits = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  const pool = openPool(service.database.url, 'key-rotation', limits, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool
}

function useKey(key: string): UsedKey {
  return { key, validUntilMs: NEVER, expiredFromMs: NEVER }
}

/** Calls the nodes in turn with every key of the list, to which keys are added meanwhile, and records each call. */
function startCaller(keys: readonly UsedKey[]) {
  const [calls, over] = [[] as KeyCall[], new AbortController()]
  const callAll = async (node: Api) => {
    while (!over.signal.aborted) {
      for (const used of keys) {
        const startedAtMs = Date.now()
        const { status } = await node.get('/api/v1/ping-lite', { key: used.key })
        calls.push({ used, startedAtMs, endedAtMs: Date.now(), status })
      }
      await sleep(PAUSE_MS)
    }
  }
  const done = Promise.all(nodes.map(callAll))
  return {
    stop: async (): Promise<readonly KeyCall[]> => {
      over.abort()
      await done
      return calls
    },
  }
}

/** Rotates the key of a new account in a chain: each rotation starts when the overlap of the one before has ended. */
async function rotateByOperator({ db }: Pool, { rotations, overlapMs }: RotationPlan): Promise<readonly KeyCall[]> {
  let current = createTestKey()
  await service.given(account('pro').withKey(current))
  let used = useKey(current.key)
  const keys = [used]
  const caller = startCaller(keys)
  for (let n = 0; n < rotations; n += 1) {
    const [{ digest }, issued, rotatedAtMs] = [current, createTestKey(), Date.now()]
    await db.transaction().execute(async (tx) => {
      const operation = { tx, operator: 'a test' }
      const locked = await lockKeyByDigest(operation, digest)
      if (!locked) throw new Error('The key does not exist.')
      const rotation = { keyId: locked.id, overlapSeconds: overlapMs / 1000 }
      await rotateAccountKey(operation.tx, actFor(operation, locked.accountId), issued, rotation)
    })
    Object.assign(used, { validUntilMs: rotatedAtMs + overlapMs, expiredFromMs: Date.now() + overlapMs })
    used = useKey(issued.key)
    current = issued
    keys.push(used)
    await sleep(overlapMs)
  }
  await sleep(MAX_CACHED_MS + 5 * PAUSE_MS)
  return caller.stop()
}

/** Rotates a key with the endpoint, whose shortest overlap is an hour: all keys of the chain stay valid. */
async function rotateByAccount({ rotations }: RotationPlan): Promise<readonly KeyCall[]> {
  const { key } = await createManager(service)
  const { json } = await service.api.get('/api/v1/keys', { key })
  let current = { id: json.data.keys[0].id, secret: key }
  const keys = [useKey(key)]
  const caller = startCaller(keys)
  for (let n = 0; n < rotations; n += 1) {
    const answer = await post(service.api, current.secret, `/api/v1/keys/${current.id}/rotate`, { overlap_hours: 1 })
    expect(answer.status).toBe(200)
    current = { id: answer.json.data.key.id, secret: answer.json.data.secret }
    keys.push(useKey(current.secret))
    await sleep(10 * PAUSE_MS)
  }
  return caller.stop()
}

/**
 * A call is judged by the end of its time if it was refused, and by the start if it was accepted, so that a slow
 * machine cannot make the test fail.
 */
function findViolations(calls: readonly KeyCall[]): readonly string[] {
  return calls.flatMap(({ used, status, startedAtMs, endedAtMs }) => {
    if (status !== 200 && status !== 401) return [`status ${status}`]
    if (status === 401 && endedAtMs < used.validUntilMs)
      return [`401 with a valid key, ${used.validUntilMs - endedAtMs} ms before the end of the overlap`]
    if (status === 200 && startedAtMs > used.expiredFromMs + MAX_CACHED_MS)
      return [`200 with an expired key, ${startedAtMs - used.expiredFromMs} ms after the end of the overlap`]
    return []
  })
}

/** Returns the number of keys with which a call got the status. */
function countKeys(calls: readonly KeyCall[], status: number): number {
  return new Set(calls.filter((call) => call.status === status).map(({ used }) => used)).size
}

describe('Key rotation under load', () => {
  it('accepts the old and the new key during the overlap, and only the new key afterwards', {
    timeout: 600_000,
  }, async () => {
    const pool = openOwnerPool()
    const histories = await Promise.all(Array.from({ length: PLAN.accounts }, () => rotateByOperator(pool, PLAN)))
    for (const calls of histories) {
      expect(findViolations(calls)).toEqual([])
      // Each key was used while it was valid, and each rotated key also after its overlap.
      expect([countKeys(calls, 200), countKeys(calls, 401)]).toEqual([PLAN.rotations + 1, PLAN.rotations])
    }
    const all = histories.flat()
    process.stdout.write(
      `${PLAN.accounts * PLAN.rotations} rotations, ${all.length} calls, refused after the overlap: ${all.filter(({ status }) => status === 401).length}\n`,
    )
  })

  it('refuses no call while the account rotates its keys itself', { timeout: 600_000 }, async () => {
    const calls = await rotateByAccount(PLAN)
    expect(findViolations(calls)).toEqual([])
    expect([countKeys(calls, 200), countKeys(calls, 401)]).toEqual([PLAN.rotations + 1, 0])
  })
})
