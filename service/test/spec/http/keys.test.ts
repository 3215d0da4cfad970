import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type CallerCache, createCallerCache } from '../../../src/accounts/keys/caller-cache.ts'
import type { FoundKey } from '../../../src/accounts/keys/find-caller.ts'
import { createKeyLookupLimits } from '../../../src/api/admission/limit-lookups.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, createKeyCaller, createTestKey } from '../../support/builders.ts'
import { startTestService } from '../../support/service.ts'

/** Network of all clients in tests that are not about networks. */
const ADDRESS = '192.0.2.1'

const LITE = '/api/v1/ping-lite'
const one = await startTestService()
const two = await startTestService({ environment: { DATABASE_URL: one.database.url } })
const { given } = one
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const { db } = openPool(one.database.url, 'keys-test', limits, () => {})

async function createCachedKey() {
  const [key, owner] = [createTestKey(), account('pro')]
  await given(owner.withKey(key))
  // After these requests, both nodes have the API key in their cache.
  for (const { api } of [one, two]) expect((await api.get(LITE, { key: key.key })).status).toBe(200)
  return { key: key.key, accountId: owner.id, digest: key.digest }
}

/** Calls `act`, and returns the milliseconds from its end until no node accepts the API key any longer. */
async function measureMsUntilRefused(key: string, act: () => Promise<unknown>): Promise<number> {
  await act()
  const acted = performance.now()
  let last = acted
  for (const { api } of [one, two]) {
    while ((await api.get(LITE, { key })).status === 200 && performance.now() - acted < 20_000) last = performance.now()
  }
  return last - acted
}

const revoke = (digest: Buffer) =>
  sql`update accounts.api_key set revoked_at = now() where digest = ${digest}`.execute(db)

describe('Authentication with a key cached on two nodes', () => {
  it('refuses a revoked key on every node within 2 s', async () => {
    const { key, digest } = await createCachedKey()
    const ms = await measureMsUntilRefused(key, () => revoke(digest))
    process.stdout.write(`revocation took effect after ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(2000)
    expect((await one.api.get(LITE, { key })).json.error.details.reason).toBe('revoked')
  })

  it('refuses the key of a suspended account within 2 s and accepts it after the account is resumed', async () => {
    const { key, accountId } = await createCachedKey()
    const ms = await measureMsUntilRefused(key, () =>
      sql`update accounts.account set suspended_at = now() where id = ${accountId}`.execute(db),
    )
    expect(ms).toBeLessThan(2000)
    expect((await two.api.get(LITE, { key })).json.error.details.reason).toBe('suspended')
    await sql`update accounts.account set suspended_at = null where id = ${accountId}`.execute(db)
    await expect.poll(async () => (await one.api.get(LITE, { key })).status, { timeout: 20_000 }).toBe(200)
  })

  it('refuses a revoked key within 2 s even if the database notification is lost', async () => {
    const { key, digest } = await createCachedKey()
    // With the trigger disabled, the database sends no notification to the nodes, as if a connection pooler had dropped
    // it.
    await sql`alter table accounts.api_key disable trigger tell_nodes`.execute(db)
    const ms = await measureMsUntilRefused(key, () => revoke(digest))
    await sql`alter table accounts.api_key enable trigger tell_nodes`.execute(db)
    process.stdout.write(`revocation without notification took effect after ${ms.toFixed(0)} ms\n`)
    // The cache accepts the key for at most 2 s. The remaining time allows for the last request on a busy machine.
    expect(ms).toBeLessThan(3500)
    // If the key was refused in less than 500 ms, the nodes must have received a notification despite the disabled
    // trigger.
    expect(ms).toBeGreaterThan(500)
  })

  it('refuses an expired key', async () => {
    const { key, digest } = await createCachedKey()
    await sql`update accounts.api_key set expires_at = now() + interval '1 second' where digest = ${digest}`.execute(db)
    await expect
      .poll(async () => (await one.api.get(LITE, { key })).status, { timeout: 60_000, interval: 50 })
      .toBe(401)
    expect((await one.api.get(LITE, { key })).json.error.details.reason).toBe('expired')
  })
})

describe('Caller cache', () => {
  const found = (accountId: string): FoundKey => ({
    caller: createKeyCaller(accountId),
    refusal: undefined,
    expiresInSeconds: undefined,
  })
  function createCache(
    answer: (id: string) => FoundKey | undefined,
    delayMs = 0,
  ): { callers: CallerCache; lookups: string[]; advance(ms: number): void } {
    let now = 0
    const lookups: string[] = []
    const lookUp = async (id: string) => {
      lookups.push(id)
      const state = answer(id)
      if (delayMs) await sleep(delayMs)
      return state
    }
    return {
      lookups,
      callers: createCallerCache(
        lookUp,
        createKeyLookupLimits(() => now),
        () => now,
      ),
      advance: (ms) => (now += ms),
    }
  }

  it('looks up an API key once for concurrent calls, and again after two seconds', async () => {
    const { callers, lookups, advance } = createCache(found)
    await Promise.all(Array.from({ length: 100 }, () => callers.find('a', ADDRESS)))
    expect(lookups).toHaveLength(1)
    advance(1999)
    await callers.find('a', ADDRESS)
    expect(lookups).toHaveLength(1)
    advance(2)
    await callers.find('a', ADDRESS)
    expect(lookups).toHaveLength(2)
  })

  it('looks up an API key again as soon as the key has expired, before its cache entry does', async () => {
    const { callers, lookups, advance } = createCache((id) => ({ ...found(id), expiresInSeconds: 1 }))
    await callers.find('a', ADDRESS)
    advance(999)
    await callers.find('a', ADDRESS)
    expect(lookups).toHaveLength(1)
    advance(2)
    await callers.find('a', ADDRESS)
    expect(lookups).toHaveLength(2)
  })

  it('caches up to 10,000 unknown API keys', async () => {
    const { callers, lookups } = createCache(() => undefined)
    for (let guess = 0; guess < 10_001; guess += 1) await callers.find(`g${guess}`, ADDRESS)
    await callers.find('g10000', ADDRESS)
    expect(lookups).toHaveLength(10_001)
    await callers.find('g0', ADDRESS)
    expect(lookups).toHaveLength(10_002)
  })

  it('does not cache a lookup that started before the key was evicted', async () => {
    const { callers, lookups } = createCache(found, 20)
    const reading = callers.find('a', ADDRESS)
    callers.evict('a')
    await reading
    await callers.find('a', ADDRESS)
    expect(lookups).toHaveLength(2)
  })

  it('remembers the last caller of a valid key for one minute after its lookup', async () => {
    const { callers, advance } = createCache(found)
    await callers.find('a', ADDRESS)
    advance(59_999)
    expect(callers.findLastKnown('a')?.accountId).toBe('a')
    advance(2)
    expect(callers.findLastKnown('a')).toBeUndefined()
  })

  it.each<[string, Partial<FoundKey> | undefined]>([
    ['is unknown', undefined],
    ['was revoked', { refusal: 'revoked' }],
    ['has expired since its lookup', { expiresInSeconds: 1 }],
  ])('does not remember the last caller of a key that %s', async (_state, change) => {
    const { callers, advance } = createCache((id) => change && { ...found(id), ...change })
    await callers.find('a', ADDRESS)
    advance(1001)
    expect(callers.findLastKnown('a')).toBeUndefined()
  })

  it('does not remember the last caller of a key whose account has changed', async () => {
    const { callers } = createCache(found)
    await Promise.all([callers.find('a', ADDRESS), callers.find('b', ADDRESS)])
    callers.evict('a')
    expect([callers.findLastKnown('a'), callers.findLastKnown('b')?.accountId]).toEqual([undefined, 'b'])
    callers.evictAll()
    expect(callers.findLastKnown('b')).toBeUndefined()
  })

  it('evicts all keys of an account each time, even after they were looked up again', async () => {
    const { callers, lookups, advance } = createCache((id) => found(id.slice(0, 1)))
    const findAll = () => Promise.all(['a1', 'a2', 'b1'].map((digest) => callers.find(digest, ADDRESS)))
    await findAll()
    advance(2001)
    await findAll()
    for (let turn = 0; turn < 2; turn += 1) {
      lookups.length = 0
      callers.evict('a')
      await findAll()
      expect(lookups).toEqual(['a1', 'a2'])
    }
  })

  it('evicts a key that moved to another account together with its new account', async () => {
    const owner = { id: 'a' }
    const { callers, lookups, advance } = createCache(() => found(owner.id))
    await callers.find('key', ADDRESS)
    owner.id = 'b'
    advance(2001)
    await callers.find('key', ADDRESS)
    callers.evict('a')
    await callers.find('key', ADDRESS)
    expect(lookups).toHaveLength(2)
    callers.evict('b')
    await callers.find('key', ADDRESS)
    expect(lookups).toHaveLength(3)
  })
})
