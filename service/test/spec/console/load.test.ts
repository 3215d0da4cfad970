// Console requests must not keep out calls with an API key.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { createToken } from '../../../src/accounts/keys/token.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { postKey, SESSION_PATH, signIn, useCookie } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const CONCURRENT_CALLS = 12
const { api, given, database } = await startTestService({
  environment: {
    CONSOLE_KEY_SIGN_IN: 'on',
    CONCURRENT_CALLS_PER_ACCOUNT: String(CONCURRENT_CALLS),
  },
})

async function createKey() {
  const key = createTestKey()
  await given(account('pro').withKey(key))
  return key
}

/** Runs `work` while a transaction on another connection, which has run the statement, is open. */
async function during<T>(statement: string, values: readonly unknown[], work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement, [...values])
    return await work()
  } finally {
    await client.end()
  }
}

const PING = '/console/api/v1/ping'
const LOCK_SESSIONS = 'lock table accounts.session in access exclusive mode'

describe('Sign-ins that wait for the database', () => {
  it('are limited by account and leave connections for API key lookups', async () => {
    const other = await createKey()
    const keys = Array.from({ length: CONCURRENT_CALLS + 4 }, () => createTestKey())
    await given(keys.reduce((owner, key) => owner.withKey(key), account('pro')))
    let waiting: Promise<number[]> = Promise.resolve([])
    const status = await during(LOCK_SESSIONS, [], async () => {
      waiting = Promise.all(keys.map(async ({ key }) => (await postKey(api, key)).status))
      await sleep(500)
      return (await api.get('/api/v1/ping', { key: other.key })).status
    })

    expect(status).toBe(200)
    const statuses = await waiting
    expect(statuses.filter((each) => each === 503).length).toBeGreaterThanOrEqual(4)
    expect(statuses.filter((each) => ![201, 503].includes(each))).toEqual([])
  })

  it('wait for another sign-in with the same key, and then succeed', async () => {
    const key = await createKey()
    const lock =
      "select pg_advisory_xact_lock(hashtextextended('vis create_session', id)) from accounts.api_key where digest = $1"
    let waiting: Promise<{ readonly status: number }> | undefined

    const first = await during(lock, [key.digest], async () => {
      waiting = postKey(api, key.key)
      return Promise.race([waiting, sleep(500).then(() => 'still waiting')])
    })

    expect(first).toBe('still waiting')
    expect((await waiting)?.status).toBe(201)
  })
})

describe('A session lookup', () => {
  it('does not wait for a transaction that has locked the session', async () => {
    const key = await createKey()
    const session = await signIn(api, key.key)
    const lock = `update accounts.session set last_used_at = last_used_at
                   where key_id = (select id from accounts.api_key where digest = $1)`
    await readRows(database.url, lock.replace('= last_used_at', "= now() - interval '11 hours'"), [key.digest])

    const { status } = await during(lock, [key.digest], async () => {
      const late = sleep(5000).then(() => ({ status: 'late' }))
      return Promise.race([session.get(PING), late])
    })

    expect(status).toBe(200)
  })
})

describe('Session lookups that wait for the database', () => {
  it('do not delay API key lookups', async () => {
    const key = await createKey()
    let waiting: Promise<number[]> = Promise.resolve([])
    const status = await during(LOCK_SESSIONS, [], async () => {
      const cookies = Array.from({ length: 30 }, () => `vis=${createToken()}`)
      waiting = Promise.all(cookies.map(async (cookie) => (await useCookie(api, cookie).get(PING)).status))
      await sleep(500)
      return (await api.get('/api/v1/ping', { key: key.key })).status
    })

    expect(status).toBe(200)
    expect((await waiting).filter((each) => ![401, 503].includes(each))).toEqual([])
  })
})

describe('Requests for the session', () => {
  it('are limited by account while they wait for the database', async () => {
    const session = await signIn(api, (await createKey()).key)
    let waiting: Promise<number[]> = Promise.resolve([])
    // The node has the session in its cache, so only its description waits.
    await session.get(SESSION_PATH)
    await during('lock table accounts.console_window in access exclusive mode', [], async () => {
      const sent = Array.from({ length: CONCURRENT_CALLS + 8 }, () => session.get(SESSION_PATH))
      waiting = Promise.all(sent.map(async (answer) => (await answer).status))
      await sleep(500)
    })

    expect((await waiting).filter((each) => each === 503).length).toBeGreaterThanOrEqual(8)
  })
})
