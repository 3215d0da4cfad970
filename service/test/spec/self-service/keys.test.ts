import { describe, expect, it } from 'vitest'
import { createManager, post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api } = service

describe('POST /api/v1/keys', () => {
  it('creates a key that works, shows it once and never again', async () => {
    const { key } = await createManager(service)

    const created = await post(api, key, '/api/v1/keys', { name: 'ci', scopes: ['read'], expires_in_days: 30 })

    expect(created.status).toBe(200)
    const { secret, key: row } = created.json.data
    expect(row).toMatchObject({ name: 'ci', scopes: ['read'], allowed_ips: [], state: 'active', replaced_by: null })
    expect(secret.endsWith(row.last_four)).toBe(true)
    expect(Date.parse(row.expires_at) - Date.parse(row.created_at)).toBe(30 * 86_400_000)
    expect((await api.get('/api/v1/usage', { key: secret })).status).toBe(200)
    const list = await api.get('/api/v1/keys', { key })
    expect(list.json.data.keys.map(({ id }: { id: string }) => id)).toContain(row.id)
    expect(list.text).not.toContain(secret)
  })

  it('refuses more than 20 active keys, until one is revoked', async () => {
    const { key } = await createManager(service)
    const create = () => post(api, key, '/api/v1/keys', { name: 'one of many', scopes: ['read'] })
    const ids: string[] = []
    for (let count = 1; count < 20; count += 1) ids.push((await create()).json.data.key.id)

    const refused = await create()
    expect(refused.status).toBe(409)
    expect(refused.json.error).toMatchObject({ code: 'CONFLICT', details: { limit: 20 } })
    expect((await post(api, key, `/api/v1/keys/${ids[0]}/revoke`)).status).toBe(200)
    expect((await create()).status).toBe(200)
  })
})
