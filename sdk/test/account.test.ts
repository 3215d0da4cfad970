import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { createClient } from '../src/index.ts'
import { startSdkSetup } from './sdk-setup.ts'

const { client: createOther, given, responses, url } = await startSdkSetup()
const manager = createTestKey()
await given(account('pro').withKey(manager, { scopes: ['read', 'manage'] }))
const client = createClient({ url, apiKey: manager.key })

describe('client.keys, createKey, rotateKey and revokeKey', () => {
  it("manage the account's keys", async () => {
    const { key, secret } = await client.createKey({ name: 'ci', scopes: ['read'] })
    expect((await createClient({ url, apiKey: secret }).usage()).plan).toBe('pro')

    const rotated = await client.rotateKey(key.id, { overlap_hours: 0 })
    expect(rotated.replaced).toMatchObject({ id: key.id, state: 'expired', replaced_by: rotated.key.id })
    await expect(client.rotateKey(key.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { replaced_by: rotated.key.id },
    })
    expect((await client.revokeKey(rotated.key.id)).state).toBe('revoked')
    expect((await client.keys()).map(({ id }) => id)).toEqual(expect.arrayContaining([key.id, rotated.key.id]))
  })

  it('reject with FORBIDDEN and the missing scope for a read-only key', async () => {
    const other = await createOther()
    await expect(other.keys()).rejects.toMatchObject({ code: 'FORBIDDEN', details: { required_scope: 'manage' } })
  })

  it('are not repeated after a 503, because the change may have been made', async () => {
    const sent: string[] = []
    const fetch = (async (_url: unknown, init: RequestInit) => {
      sent.push(String(init.method))
      return Response.json({ error: { code: 'SERVICE_UNAVAILABLE', message: 'busy' } }, { status: 503 })
    }) as typeof globalThis.fetch
    const failing = createClient({ url, apiKey: manager.key, fetch })
    await expect(failing.createKey({ name: 'ci', scopes: ['read'] })).rejects.toMatchObject({ status: 503 })
    expect(sent).toEqual(['POST'])
  })
})

describe('client.members, inviteMember, changeMemberRole and removeMember', () => {
  it('manage the people who may use the console', async () => {
    const { member, link } = await client.inviteMember({ email: 'ada@example.org', role: 'viewer' })
    expect(member).toMatchObject({ email: 'ada@example.org', state: 'invited' })
    expect(link).toMatch(/\/console\/enter#/)
    expect(await client.changeMemberRole(member.id, 'admin')).toMatchObject({ id: member.id, role: 'admin' })
    expect(await client.members()).toMatchObject([{ id: member.id, role: 'admin' }])
    expect((await client.removeMember(member.id)).id).toBe(member.id)
    expect(await client.members()).toEqual([])
  })
})

describe('client.origins, usageBreakdown and audit', () => {
  it('change the browser origins and list the changes', async () => {
    await client.addOrigin('https://app.example')
    expect((await client.origins()).map(({ origin }) => origin)).toEqual(['https://app.example'])
    expect(await client.removeOrigin('https://app.example')).toEqual([])
    const { items, hasMore } = await client.audit({ limit: 1 }).page()
    expect(items[0]).toMatchObject({ action: 'account.origins', details: { removed: ['https://app.example'] } })
    expect(hasMore).toBe(true)
  })

  it("return this month's credits by endpoint", async () => {
    const other = await createOther()
    await other.stats()
    const { by, rows, totals } = await other.usageBreakdown({ by: ['endpoint'] })
    expect({ by, rows, totals }).toEqual({
      by: ['endpoint'],
      rows: [{ endpoint: 'get-stats', calls: 1, credits: 0.5 }],
      totals: { calls: 1, credits: 0.5 },
    })
    expect(responses.at(-1)?.path).toBe('/api/v1/usage/breakdown?by=endpoint')
  })
})
