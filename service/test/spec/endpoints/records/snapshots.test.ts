import { beforeAll, describe, expect, it } from 'vitest'
import { makeSnapshot } from '../../../../src/catalog/snapshot/make.ts'
import { openSession } from '../../../../src/database/session.ts'
import { account, createTestKey } from '../../../support/builders.ts'
import { cve, epssRelease } from '../../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { startTestService } from '../../../support/service.ts'

const { api, clock, database, given } = await startTestService()
const session = openSession(database.url, 'snapshot-test')
cleanUpAfterTests(() => session.close())

const make = async () => {
  clock.advance({ seconds: 1 })
  const made = await makeSnapshot({ session, clock: clock.now, signal: new AbortController().signal })
  if (!made) throw new Error('no snapshot was made')
  return made
}

async function createPayer(credits: number) {
  const key = createTestKey()
  await given(account('enterprise').withQuota(credits).withKey(key))
  const readUsed = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
  return { key: key.key, readUsed }
}

const listSnapshots = async () => (await api.get('/api/v1/snapshots')).json.data.snapshots
const NO_SUCH_ID = '20200101T000000Z-00000000'

describe('GET /api/v1/snapshots', () => {
  it('returns an empty list while there is no snapshot, and 410 for any part', async () => {
    expect(await listSnapshots()).toEqual([])
    const { status, json } = await api.get(`/api/v1/snapshots/${NO_SUCH_ID}/parts/1`)
    expect([status, json.error.details]).toEqual([410, { snapshot: null }])
  })

  it('lists the newest 3 snapshots, newest first, free of charge', async () => {
    await given(cve('CVE-2026-1000'), cve('CVE-2026-1001'))
    const made = [await make(), await make(), await make(), await make()]
    const payer = await createPayer(0)
    const { status, json } = await api.get('/api/v1/snapshots', { key: payer.key })
    expect(status).toBe(200)
    expect(json.data.snapshots.map(({ id }: { id: string }) => id)).toEqual(
      made
        .slice(1)
        .toReversed()
        .map(({ id }) => id),
    )
    const newest = (await api.get('/api/v1/changes?since=now')).json.data.newest
    const { id, records, parts, bytes } = made[3] ?? {}
    expect(json.data.snapshots[0]).toMatchObject({
      id,
      records_total: records,
      parts,
      bytes,
      next_since: newest,
      format: 'ndjson.gz',
    })
  })
})

describe('GET /api/v1/snapshots/{snapshot-id}/parts/{part}', () => {
  let [id, path] = ['', '']

  beforeAll(async () => {
    await given(cve('CVE-2025-12345'), epssRelease('2026-08-22', { 'CVE-2026-1000': [0.3, 0.4] }))
    id = (await make()).id
    path = `/api/v1/snapshots/${id}/parts/1`
  })

  it('costs 5 credits, and nothing for a client that already has the part', async () => {
    const { key, readUsed } = await createPayer(10)
    const { headers } = await api.get(path, { key })
    expect(headers['etag']).toMatch(/^"[0-9a-f]{64}"$/)
    await expect.poll(readUsed).toBe(5)
    const known = await api.get(path, { key, headers: { 'If-None-Match': headers['etag'] } })
    expect([known.status, known.raw.length]).toEqual([304, 0])
    await expect.poll(readUsed).toBe(5)
    const head = await api.send('HEAD', path, { key })
    expect([head.status, head.raw.length, head.headers['content-length']]).toEqual([200, 0, headers['content-length']])
    await expect.poll(readUsed).toBe(10)
    expect((await api.get(path, { key })).status).toBe(429)
  })

  it('is named in the 410 for a position that the change log no longer keeps', async () => {
    const { status, json } = await api.get('/api/v1/changes/records?since=1:0123456789abcdef')
    expect([status, json.error.details.snapshot]).toEqual([410, id])
  })
})
