import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { createClient, isVisError } from '../src/index.ts'
import { startSdkSetup } from './sdk-setup.ts'

const { given, url } = await startSdkSetup()
const key = createTestKey()
await given(account('pro').withKey(key, { scopes: ['read', 'triage'] }))
const client = createClient({ url, apiKey: key.key })

const ENTRY = { cve_id: 'CVE-2021-23337', scope: 'pkg:npm/lodash' } as const

describe('client.triage and the methods that change it', () => {
  it('set, change and remove entries, with the present entry in a conflict', async () => {
    const entry = await client.setTriage({ ...ENTRY, state: 'fixed' })
    expect(entry).toMatchObject({ ...ENTRY, state: 'fixed', revision: 1 })
    const conflict = await client.setTriage({ ...ENTRY, state: 'affected' }).catch((error: unknown) => error)
    expect(isVisError(conflict, 'CONFLICT') && conflict.details?.current).toMatchObject({ revision: 1 })
    const { results } = await client.changeTriage({ set: [{ ...ENTRY, state: 'accepted', revision: 1 }] })
    expect(results).toMatchObject([{ outcome: 'done', triage_entry: { revision: 2 } }])
    expect(await Array.fromAsync(client.triage({ state: ['accepted'] }))).toHaveLength(1)

    const { document } = await client.exportTriage()
    expect(await client.importTriage(document)).toMatchObject({ unchanged_total: 1, created_total: 0 })

    await client.removeTriage({ ...ENTRY, revision: 2 })
    const { triage_entries: entries, revisions } = await client.cveTriage(ENTRY.cve_id)
    expect([entries.length, revisions.length]).toEqual([0, 3])
  })
})
