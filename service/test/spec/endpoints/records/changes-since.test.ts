import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../../../src/database/postgres.ts'
import { cve, requireCveKey } from '../../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database, given } = await startTestService()
const LIMITS = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(database.url, 'changes-since', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())

const ID = 'CVE-2026-1000'
const get = (query: string) => api.get(`/api/v1/changes?${query}`)
const read = async (query: string) => (await get(query)).json.data

describe('GET /api/v1/changes: since a time', () => {
  /** By each time, the rows up to a number were visible. */
  const storeTimes = async (times: Readonly<Record<number, string>>) => {
    await sql`truncate catalog.change_time`.execute(pool.db)
    for (const [seq, at] of Object.entries(times))
      await sql`insert into catalog.change_time (seq, at) values (${seq}, ${at})`.execute(pool.db)
  }
  const listSeqs = async (query: string) => (await read(query)).changes.map(({ seq }: { seq: number }) => seq)

  beforeEach(async () => {
    await sql`truncate catalog.change restart identity`.execute(pool.db)
    await sql`update catalog.change_floor set data_seq = 0, complete_seq = 0`.execute(pool.db)
    await sql`
      insert into catalog.change (cve_key, kind, types)
      select ${requireCveKey(ID)}, 'changed', '{updated}' from generate_series(1, 6)
    `.execute(pool.db)
    await storeTimes({ 0: '2026-08-18T12:00:00.5Z', 2: '2026-08-20T00:00:00Z', 5: '2026-08-21T09:30:00.25Z' })
  })

  it('lists what was published after a date, a time or a time with an offset, and continues by position', async () => {
    expect(await listSeqs('since=2026-08-19')).toEqual([1, 2, 3, 4, 5, 6])
    expect(await listSeqs('since=2026-08-20'), 'a date is the start of its day in UTC').toEqual([3, 4, 5, 6])
    expect(await listSeqs('since=2026-08-21T09:30:00Z')).toEqual([3, 4, 5, 6])
    expect(await listSeqs('since=2026-08-21T11:30:01%2B02:00')).toEqual([6])
    const first = await read('since=2026-08-20&limit=2')
    expect(first).toMatchObject({ has_more: true, next_since: expect.stringMatching(/^4:/) })
    expect(await listSeqs(`since=${first.next_since}`)).toEqual([5, 6])
  })

  it('shows when each change was published, which is never before the time', async () => {
    const { changes } = await read('since=2026-08-20')
    expect(changes.slice(0, 3).map(({ recorded_at }: { recorded_at: string }) => recorded_at)).toEqual(
      Array.from({ length: 3 }, () => '2026-08-21T09:30:00Z'),
    )
  })

  it('answers with the newest position if nothing was published since', async () => {
    await storeTimes({ 0: '2026-08-18T12:00:00Z', 6: '2026-08-21T00:00:00Z' })
    const data = await read('since=2026-08-22T00:00:00Z')
    expect(data).toMatchObject({ changes: [], has_more: false, next_since: data.newest })
  })

  it('is 410 before the log begins, with the earliest time, from which it can be read', async () => {
    const { status, json } = await get('since=2026-08-18')
    expect([status, json.error.parameter, json.error.details.earliest]).toEqual([410, 'since', '2026-08-18T12:00:01Z'])
    expect(await listSeqs(`since=${json.error.details.earliest}`)).toHaveLength(6)
  })

  it('is 410 for each kind of change before the oldest one that is kept', async () => {
    await sql`delete from catalog.change where seq in (1, 3)`.execute(pool.db)
    await sql`update catalog.change_floor set data_seq = 1, complete_seq = 3`.execute(pool.db)
    const earliestOf = async (query: string) => {
      const { status, json } = await get(query)
      return status === 410 ? json.error.details.earliest : status
    }
    expect(await earliestOf('since=2026-08-19')).toBe('2026-08-20T00:00:00Z')
    expect(await earliestOf('since=2026-08-20')).toBe(200)
    expect(await earliestOf('since=2026-08-20&cause=all')).toBe('2026-08-21T09:30:01Z')
    expect(await earliestOf('since=2026-08-21T09:30:01Z&cause=all')).toBe(200)
  })

  it('refuses days that do not exist', async () => {
    for (const since of ['2026-02-30', '2026-08', '2026-08-21T24:00:00Z', 'yesterday'])
      expect((await get(`since=${since}`)).status, since).toBe(400)
  })

  it('works for the records and the summary', async () => {
    await given(cve(ID))
    await sql`delete from catalog.change where seq > 6`.execute(pool.db)
    const { records } = (await api.get('/api/v1/changes/records?since=2026-08-20')).json.data
    expect(records).toMatchObject([{ cve_id: ID, gone: false }])
    expect((await api.get('/api/v1/changes/records?since=2026-08-18')).status).toBe(410)
    const summary = (await api.get('/api/v1/changes/summary?since=2026-08-20')).json.data
    expect(summary).toMatchObject({ changes_total: 4, until: expect.stringMatching(/^6:/) })
  })
})
