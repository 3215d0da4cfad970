// A flood of guessed API keys must not keep out callers whose keys the node knows (threat T-1).
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createCallerCache } from '../../../src/accounts/keys/caller-cache.ts'
import type { FoundKey } from '../../../src/accounts/keys/find-caller.ts'
import { createKeyLookupLimits, TooManyLookupsError } from '../../../src/api/admission/limit-lookups.ts'
import { account, createKeyCaller, createTestKey } from '../../support/builders.ts'
import { createFaultyProxy } from '../../support/network/faulty-proxy.ts'
import { startTestService } from '../../support/service.ts'

/** Network of all clients in tests that are not about networks. */
const ADDRESS = '192.0.2.1'

const LITE = '/api/v1/ping-lite'
const MAX_CONCURRENT = 4
const MAX_WAITING = 1000

/** Creates a cache whose lookups end when the test answers them. Only keys that begin with "known" exist. */
function createHeldCache() {
  let now = 0
  const held = new Map<string, () => void>()
  const [deleted, revoked] = [new Set<string>(), new Set<string>()]
  const find = (digest: string) =>
    digest.startsWith('known') && !deleted.has(digest) ? createFoundKey(digest, revoked.has(digest)) : undefined
  const lookUp = (digest: string) =>
    new Promise<FoundKey | undefined>((resolve) => held.set(digest, () => resolve(find(digest))))
  const callers = createCallerCache(
    lookUp,
    createKeyLookupLimits(() => now),
    () => now,
  )
  const answer = async (digest: string) => {
    // The cache starts a lookup only after find has returned.
    await sleep(0)
    held.get(digest)?.()
    held.delete(digest)
    await sleep(0)
  }
  return { callers, held, deleted, revoked, answer, advance: (ms: number) => (now += ms) }
}

function createFoundKey(digest: string, isRevoked: boolean): FoundKey {
  const caller = createKeyCaller(digest)
  return { caller, refusal: isRevoked ? 'revoked' : undefined, expiresInSeconds: undefined }
}

type HeldCache = ReturnType<typeof createHeldCache>

async function learnKey({ callers, answer }: HeldCache, digest: string) {
  const finding = callers.find(digest, ADDRESS)
  await answer(digest)
  await finding
}

/** Starts as many lookups of guessed keys as may run and wait. */
async function floodWithGuesses({ callers }: HeldCache) {
  const guesses = Array.from({ length: MAX_CONCURRENT + MAX_WAITING }, (_, guess) =>
    callers.find(`guess${guess}`, ADDRESS).catch((error: unknown) => error),
  )
  await sleep(0)
  return { guesses }
}

describe('Caller cache: lookups of guessed keys', () => {
  it('run four at a time, and at most 1,000 wait', async () => {
    const cache = createHeldCache()
    await floodWithGuesses(cache)

    expect([...cache.held.keys()]).toEqual(['guess0', 'guess1', 'guess2', 'guess3'])
    await expect(cache.callers.find('one more', ADDRESS)).rejects.toThrow(TooManyLookupsError)
  })

  it('start when an earlier lookup has ended', async () => {
    const cache = createHeldCache()
    await floodWithGuesses(cache)
    await cache.answer('guess0')
    const finding = cache.callers.find('known later', ADDRESS)
    for (const digest of cache.held.keys()) await cache.answer(digest)

    expect((await finding)?.caller.accountId).toBe('known later')
  })

  it('are refused when they have waited longer than a second', async () => {
    const cache = createHeldCache()
    const { guesses } = await floodWithGuesses(cache)
    cache.advance(1001)
    await cache.answer('guess0')

    expect(await guesses[0]).toBeUndefined()
    expect(await guesses[MAX_CONCURRENT]).toBeInstanceOf(TooManyLookupsError)
    expect(cache.held.size).toBe(MAX_CONCURRENT - 1)
  })

  it('do not keep a known key waiting, not even after its account has changed', async () => {
    const cache = createHeldCache()
    await learnKey(cache, 'known a')
    await learnKey(cache, 'known b')
    await floodWithGuesses(cache)
    cache.callers.evict('known a')
    await learnKey(cache, 'known a')
    cache.callers.evictAll()
    await learnKey(cache, 'known b')

    expect(cache.callers.findLastKnown('known b')?.accountId).toBe('known b')
  })

  it('have the same limits for a key that was known before it was deleted', async () => {
    const cache = createHeldCache()
    await learnKey(cache, 'known a')
    cache.deleted.add('known a')
    cache.advance(2001)
    await learnKey(cache, 'known a')
    cache.advance(5001)
    await floodWithGuesses(cache)

    await expect(cache.callers.find('known a', ADDRESS)).rejects.toThrow(TooManyLookupsError)
  })
})

describe('Caller cache: lookups of a revoked key', () => {
  it.each([
    ['its entry has expired', ({ advance }: HeldCache) => void advance(2001)],
    ['its account has changed', ({ callers }: HeldCache) => callers.evict('known a')],
    ['all accounts may have changed', ({ callers }: HeldCache) => callers.evictAll()],
  ])('have the limits for guessed keys after %s', async (_event, change) => {
    const cache = createHeldCache()
    cache.revoked.add('known a')
    await learnKey(cache, 'known a')
    change(cache)
    await floodWithGuesses(cache)

    await expect(cache.callers.find('known a', ADDRESS)).rejects.toThrow(TooManyLookupsError)
  })
})

describe('Caller cache: lookups of known keys', () => {
  it('run six at a time and are queued, however many accounts call at once', async () => {
    const cache = createHeldCache()
    const digests = Array.from({ length: 300 }, (_, key) => `known ${key}`)
    for (const digest of digests) await learnKey(cache, digest)
    cache.advance(2001)

    const finding = Promise.all(digests.map((digest) => cache.callers.find(digest, ADDRESS)))
    await sleep(0)
    expect(cache.held.size).toBe(6)
    for (const digest of digests) await cache.answer(digest)
    expect((await finding).map((found) => found?.caller.accountId)).toEqual(digests)
  })
})

describe('API node: a flood of guessed keys while the accounts database is slow', () => {
  it('refuses the excess with 503 and keeps serving a known key', async () => {
    const { database, given } = await startTestService()
    const link = await createFaultyProxy(database.url)
    const { api } = await startTestService({
      environment: { DATABASE_URL: database.url, ACCOUNTS_DATABASE_URL: link.url },
    })
    const { key, ...rest } = createTestKey()
    await given(account('pro').withKey({ key, ...rest }))
    const callKnown = async () => (await api.get(LITE, { key })).status
    expect(await callKnown()).toBe(200)

    link.delayAnswers(1000)
    const flood = Promise.all(Array.from({ length: 300 }, () => api.get(LITE, { key: createTestKey().key })))
    const isOver = flood.then(() => true)
    const known: number[] = []
    while (!(await Promise.race([isOver, sleep(20)]))) known.push(await callKnown())
    const guesses = await flood

    expect(new Set(known)).toEqual(new Set([200]))
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 503]))
    const [refused] = guesses.filter(({ status }) => status === 503)
    expect(refused?.headers['retry-after']).toBe('1')
    expect(refused?.json.error.message).toBe(
      'Too many API keys that this node has not seen before are being checked right now. Nothing was charged; please retry.',
    )
    // Four lookups at a time take a second each, and a guess waits at most a second, so few of the guesses reached the
    // database, even if a slow machine needs a minute for the flood.
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(150)
  })
})
