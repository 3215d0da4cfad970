// How far a member has read the change log.
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { signIn, useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, database, given } = service
const key = createTestKey()
const own = account('pro').withKey(key, { scopes: ['read', 'manage', 'watch'] })
await given(own)
for (let seq = 0; seq < 30; seq += 1)
  await readRows(database.url, "insert into catalog.change (kind, types) values ('loaded', '{}')")
const positions = (
  await readRows(
    database.url,
    "select seq || ':' || lpad(to_hex(tag), 16, '0') as position from catalog.change order by seq",
  )
).map(({ position }): string => position)
const [first = '', second = '', third = ''] = positions

let members = 0
async function join() {
  members += 1
  const id = await addMember(database.url, { accountId: own.id, email: `m${members}@example.org`, role: 'viewer' })
  const open = async () => useCookie(api, await openMemberSession(database.url, id))
  const [session, other] = [await open(), await open()]
  const mark = (position: string, by = session) =>
    by.send('POST', '/console/api/v1/members/me/seen', JSON.stringify({ position }))
  return { id, session, other, mark, read: async () => (await session.get('/console/api/v1/members/me')).json.data }
}

describe('POST /api/v1/members/me/seen', () => {
  it('moves the position of the member forward only, in all sessions of the member', async () => {
    const ada = await join()
    expect(await ada.read()).toEqual({
      seen_events: { seen_nr: 0, newest_nr: 0, unread: 0, has_more_unread: false },
      member: expect.objectContaining({ id: ada.id, role: 'viewer' }),
    })
    expect((await ada.mark(second)).json.data.seen).toMatchObject({ position: second, last_visit: null })
    expect((await ada.mark(first, ada.other)).json.data.seen).toMatchObject({ position: second })
    expect((await ada.mark(third, ada.other)).json.data.seen).toMatchObject({ position: third })
    expect((await ada.read()).seen).toMatchObject({ position: third, last_visit: null })
  })

  it('keeps members apart', async () => {
    const [ada, alan] = [await join(), await join()]
    await ada.mark(third)
    await alan.mark(first)
    expect([(await ada.read()).seen.position, (await alan.read()).seen.position]).toEqual([third, first])
  })

  it('begins a new visit after half an hour, and keeps its beginning until the next one', async () => {
    const ada = await join()
    await ada.mark(first)
    await readRows(
      database.url,
      "update accounts.member_seen set seen_at = now() - interval '31 minutes' where member_id = $1",
      [ada.id],
    )
    expect((await ada.mark(second)).json.data.seen).toMatchObject({ position: second, last_visit: first })
    expect((await ada.mark(third)).json.data.seen).toMatchObject({ position: third, last_visit: first })
  })

  it('refuses a position that the log has not reached, because it would hide changes to come', async () => {
    const ada = await join()
    const ahead = `99999999:${'0'.repeat(16)}`
    const { status, json } = await ada.mark(ahead)
    expect([status, json.error.parameter]).toEqual([400, 'position'])
    expect((await ada.mark('7')).status).toBe(400)
    expect((await ada.read()).seen).toBeUndefined()
  })

  it('refuses a key and a session that was opened with one, which have no member', async () => {
    const keySession = await signIn(api, key.key)
    const body = JSON.stringify({ position: first })
    const headers = { 'Content-Type': 'application/json' }
    for (const { status, json } of [
      await api.send('POST', '/api/v1/members/me/seen', { key: key.key, headers, body }),
      await keySession.send('POST', '/console/api/v1/members/me/seen', body),
    ])
      expect([status, json.error.details]).toEqual([403, { reason: 'member' }])
    expect((await api.get('/api/v1/members/me', { key: key.key })).json.data).toEqual({})
    expect((await keySession.get('/console/api/v1/members/me')).json.data).toEqual({})
  })

  it('keeps the highest of 30 positions sent at once', async () => {
    const ada = await join()
    await Promise.all(positions.map((position, index) => ada.mark(position, index % 2 ? ada.session : ada.other)))
    expect((await ada.read()).seen.position).toBe(positions.at(-1))
  })
})
