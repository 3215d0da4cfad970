import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Callers, createCallerCache } from '../../../src/accounts/caller-cache.ts'
import type { FoundKey } from '../../../src/accounts/find-caller.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, aKey } from '../../support/builders.ts'
import { testService } from '../../support/service.ts'

const LITE = '/api/v1/ping-lite'
const one = await testService()
const two = await testService({ environment: { DATABASE_URL: one.database.url } })
const { given } = one
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const { db } = openPool(one.database.url, 'keys-test', limits, () => {})

async function knownKey() {
  const [key, owner] = [aKey(), account('pro')]
  await given(owner.withKey(key))
  // Both nodes have it in their memory now.
  for (const { api } of [one, two]) expect((await api.get(LITE, { key: key.key })).status).toBe(200)
  return { key: key.key, accountId: owner.id, digest: key.digest }
}

/** How long after `act` the last node still let the key pass, in milliseconds. */
async function msUntilRefused(key: string, act: () => Promise<unknown>): Promise<number> {
  await act()
  const acted = performance.now()
  let last = acted
  for (const { api } of [one, two]) {
    while ((await api.get(LITE, { key })).status === 200 && performance.now() - acted < 8000) last = performance.now()
  }
  return last - acted
}

const revoke = (digest: Buffer) =>
  sql`update accounts.api_key set revoked_at = now() where digest = ${digest}`.execute(db)

describe('A key that both nodes know', () => {
  it('revoked: refused by every node within 2 s', async () => {
    const { key, digest } = await knownKey()
    const ms = await msUntilRefused(key, () => revoke(digest))
    process.stdout.write(`revocation took effect after ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(2000)
    expect((await one.api.get(LITE, { key })).json.error.details.reason).toBe('revoked')
  })

  it('suspended with its account: refused within 2 s, and welcome again when it is resumed', async () => {
    const { key, accountId } = await knownKey()
    const ms = await msUntilRefused(key, () =>
      sql`update accounts.account set suspended_at = now() where id = ${accountId}`.execute(db),
    )
    expect(ms).toBeLessThan(2000)
    expect((await two.api.get(LITE, { key })).json.error.details.reason).toBe('suspended')
    await sql`update accounts.account set suspended_at = null where id = ${accountId}`.execute(db)
    await expect.poll(async () => (await one.api.get(LITE, { key })).status, { timeout: 2000 }).toBe(200)
  })

  it('revoked while the channel of notifications is cut: refused within 5 s', async () => {
    const { key, digest } = await knownKey()
    // No node hears anything: the trigger itself is silenced, as by a pooler that does not pass notifications on.
    await sql`alter table accounts.api_key disable trigger tell_nodes`.execute(db)
    const ms = await msUntilRefused(key, () => revoke(digest))
    await sql`alter table accounts.api_key enable trigger tell_nodes`.execute(db)
    process.stdout.write(`revocation without notification took effect after ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(5000)
    // Had it been at once, the hint would not have been cut.
    expect(ms).toBeGreaterThan(500)
  })

  it('that expires is refused when it does, not when the memory of it ends', async () => {
    const { key, digest } = await knownKey()
    await sql`update accounts.api_key set expires_at = now() + interval '1 second' where digest = ${digest}`.execute(db)
    await expect.poll(async () => (await one.api.get(LITE, { key })).status, { timeout: 2500, interval: 50 }).toBe(401)
    expect((await one.api.get(LITE, { key })).json.error.details.reason).toBe('expired')
  })
})

describe('The memory of keys', () => {
  const found = (accountId: string): FoundKey => ({
    caller: { accountId, keyId: '1', plan: 'pro', origins: [] },
    refusal: undefined,
    expiresInSeconds: undefined,
  })
  function remembering(
    answer: (id: string) => FoundKey | undefined,
    delayMs = 0,
  ): { callers: Callers; asked: string[]; advance(ms: number): void } {
    let now = 0
    const asked: string[] = []
    const lookUp = async (id: string) => {
      asked.push(id)
      const state = answer(id)
      if (delayMs) await sleep(delayMs)
      return state
    }
    return { asked, callers: createCallerCache(lookUp, () => now), advance: (ms) => (now += ms) }
  }

  it('asks once for many calls at the same time, and again when it is four seconds old', async () => {
    const { callers, asked, advance } = remembering(found)
    await Promise.all(Array.from({ length: 100 }, () => callers.find('a')))
    expect(asked).toHaveLength(1)
    advance(4001)
    await callers.find('a')
    expect(asked).toHaveLength(2)
  })

  it('remembers unknown keys too, ten thousand of them', async () => {
    const { callers, asked } = remembering(() => undefined)
    for (let guess = 0; guess < 10_001; guess += 1) await callers.find(`g${guess}`)
    await callers.find('g10000')
    expect(asked).toHaveLength(10_001)
    await callers.find('g0')
    expect(asked).toHaveLength(10_002)
  })

  it('does not keep what was read before a change that it heard of meanwhile', async () => {
    const { callers, asked } = remembering(found, 20)
    const reading = callers.find('a')
    callers.forget('a')
    await reading
    await callers.find('a')
    expect(asked).toHaveLength(2)
  })

  it('lets no flood of unknown keys delay a key that it has met', async () => {
    const { callers, asked, advance } = remembering((id) => (id.startsWith('g') ? undefined : found(id)), 50)
    await callers.find('a')
    advance(4001)
    const flood = Promise.all(Array.from({ length: 40 }, (_, guess) => callers.find(`g${guess}`)))
    const started = performance.now()
    await callers.find('a')
    // Four at a time, forty guesses take half a second; the known key does not stand in that line.
    expect(performance.now() - started).toBeLessThan(300)
    expect(asked.length).toBeLessThan(20)
    await flood
  })

  it('forgets an account alone', async () => {
    const { callers, asked } = remembering(found)
    await callers.find('a')
    await callers.find('b')
    callers.forget('a')
    await callers.find('a')
    await callers.find('b')
    expect(asked).toEqual(['a', 'b', 'a'])
  })
})
