import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { createKeyUse } from '../../src/accounts/keys/key-use.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { loadConfig } from '../../src/config.ts'
import { openPool } from '../../src/database/postgres.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { createLog } from '../../src/log.ts'
import { assembleNode } from '../../src/runtime/api-node.ts'
import { account, createTestKey } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createFaultyProxy } from '../support/network/faulty-proxy.ts'
import { runCommand } from '../support/run-command.ts'
import { startTestService } from '../support/service.ts'

const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const service = await startTestService()
const pool = openPool(service.database.url, 'key-use-test', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool

async function createKey() {
  const [issued, owner] = [createTestKey(), account('pro')]
  await service.given(owner.withKey(issued))
  const { rows } = await sql<{ id: string }>`select id from accounts.api_key where digest = ${issued.digest}`.execute(
    db,
  )
  return { id: rows[0]?.id ?? '', key: issued.key, accountId: owner.id }
}

/** Returns the last day and the number of the transaction that wrote it. */
async function readUse(keyId: string) {
  const { rows } = await sql<{ day: string; isToday: boolean; written: string }>`
    select last_used_on::text as day, last_used_on = (now() at time zone 'utc')::date as "isToday", xmin::text as written
      from accounts.key_use
     where key_id = ${keyId}
  `.execute(db)
  return rows[0]
}

const setDay = (keyId: string, day: string) =>
  sql`update accounts.key_use set last_used_on = ${day} where key_id = ${keyId}`.execute(db)

async function recordOnce(keyIds: readonly string[], onError: (error: unknown) => void = () => {}) {
  const keyUse = createKeyUse(db, onError)
  for (const id of keyIds) keyUse.note(id)
  await keyUse.stop()
}

describe('Last use of API keys', () => {
  it('is recorded with the date from the database clock', async () => {
    const { id } = await createKey()
    await recordOnce([id, id])

    expect(await readUse(id)).toMatchObject({ isToday: true })
  })

  it('is written once per day: further uses on that day only read the row', async () => {
    const { id } = await createKey()
    await recordOnce([id])
    const first = await readUse(id)
    await recordOnce([id])
    expect(await readUse(id)).toEqual(first)

    await setDay(id, '2020-01-01')
    await recordOnce([id])
    expect(await readUse(id)).toMatchObject({ isToday: true })
  })

  it('never moves backwards, and ignores keys that do not exist', async () => {
    const { id } = await createKey()
    await recordOnce([id, '999999999'])
    await setDay(id, '2999-01-01')
    await recordOnce([id])

    expect((await readUse(id))?.day).toBe('2999-01-01')
  })

  it('does not notify the nodes that the key changed', async () => {
    const { id } = await createKey()
    const notified: unknown[] = []
    const listener = new Client({ connectionString: service.database.url })
    await listener.connect()
    listener.on('notification', (message) => notified.push(message))
    await listener.query('listen vis_account_changed')
    await recordOnce([id])
    await listener.query('select 1')
    await listener.end()

    expect(notified).toEqual([])
  })

  it('is sent again after the database was unreachable', async () => {
    const { id } = await createKey()
    const link = await createFaultyProxy(service.database.url)
    const faulty = openPool(link.url, 'key-use-test', { ...LIMITS, acquireTimeoutMs: 200 }, () => {})
    const errors: unknown[] = []
    const keyUse = createKeyUse(faulty.db, (error) => errors.push(error))
    const release = link.holdAll()
    keyUse.note(id)
    await keyUse.stop()
    expect([errors.length, await readUse(id)]).toEqual([1, undefined])

    release()
    await keyUse.stop()
    expect(await readUse(id)).toMatchObject({ isToday: true })
    await faulty.close()
  })

  it('is recorded at intervals', async () => {
    const { id } = await createKey()
    const keyUse = createKeyUse(db, () => {}, 20)
    keyUse.start()
    keyUse.note(id)
    await expect.poll(() => readUse(id)).toMatchObject({ isToday: true })
    await keyUse.stop()
  })
})

describe('API node: last use of API keys', () => {
  it('records free calls, but not refused ones, when it stops; the commands then show the day of last use', async () => {
    const environment = { NODE_ENV: 'test', DATABASE_URL: service.database.url }
    const log = createLog('silent', { write: () => {} })
    const node = await assembleNode(loadConfig(environment), { endpoints, clock: systemClock, log })
    const call = async (key: string) =>
      (await node.app.inject({ url: '/api/v1/ping-lite', headers: { 'x-api-key': key } })).statusCode
    const [used, unused] = [await createKey(), await createKey()]
    await sql`update accounts.api_key set revoked_at = now() where id = ${unused.id}`.execute(db)
    expect([await call(used.key), await call(unused.key)]).toEqual([200, 401])
    await node.close()

    const { stdout } = await runCommand(['keys', 'list', '--account', used.accountId, '--json'], environment)
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ last_used_on: (await readUse(used.id))?.day })])
    expect((await readUse(used.id))?.isToday).toBe(true)
    expect(await readUse(unused.id)).toBeUndefined()
  })
})
