import { expect, it } from 'vitest'
import { useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { createManager, post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, database } = service

it('keeps the keys of a removed member valid, names the member in the audit log, and lets others revoke them', async () => {
  const { key, accountId } = await createManager(service)
  const memberId = await addMember(database.url, { accountId, email: 'maker@example.org', role: 'admin' })
  const session = useCookie(api, await openMemberSession(database.url, memberId))
  const created = await session.send('POST', '/console/api/v1/keys', JSON.stringify({ name: 'mine', scopes: ['read'] }))
  const { key: made, secret } = created.json.data

  expect((await post(api, key, `/api/v1/members/${memberId}/remove`)).status).toBe(200)

  expect((await session.get('/console/api/v1/ping')).status).toBe(401)
  expect((await api.get('/api/v1/ping-lite', { key: secret })).status).toBe(200)
  const { json } = await api.get('/api/v1/audit', { key })
  expect(json.data.entries).toContainEqual(
    expect.objectContaining({ actor: `member:${memberId}`, action: 'key.issue', key_id: made.id }),
  )
  expect((await post(api, key, `/api/v1/keys/${made.id}/revoke`)).status).toBe(200)
  await expect.poll(async () => (await api.get('/api/v1/ping-lite', { key: secret })).status).toBe(401)
})
