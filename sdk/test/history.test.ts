import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { startSdkSetup } from './sdk-setup.ts'

const ID = 'CVE-2021-44228'
const service = await startSdkSetup()
await publishExamples(service.database.url)
const client = await service.client()

describe('client.cveHistory', () => {
  it('lists the changes of a CVE and says how far back the history is complete', async () => {
    const { items, completeSince } = await client.cveHistory(ID, { limit: 1 }).page()
    expect(items).toMatchObject([{ cve_id: ID, types: expect.arrayContaining(['kev_added']) }])
    expect(completeSince).toMatch(/^\d{4}-/)
  })
})

describe('client.cveAsOf', () => {
  it('returns what is known about a day before the installation, and names what is not', async () => {
    const { record, unknown } = await client.cveAsOf(ID, '2021-12-10')
    expect(record.kev?.dateAdded).toBe('2021-12-10')
    expect(unknown).toContain('severity')
  })

  it('rejects with NOT_FOUND for a day before the CVE was published', async () => {
    await expect(client.cveAsOf(ID, '2020-01-01')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })
})

describe('client.kevHistory', () => {
  it('lists the entries that KEV has or had, page by page, with the filter on every page', async () => {
    const page = await client.kevHistory({ limit: 1, removed: false }).page()
    expect(page.items).toMatchObject([{ cve_id: expect.stringMatching(/^CVE-/), removed_at: null, history: [] }])
    const ids: string[] = []
    for await (const { cve_id } of client.kevHistory({ limit: 1, removed: false })) ids.push(cve_id)
    expect([ids.length, new Set(ids).size]).toEqual([page.totalEstimate, page.totalEstimate])
  })
})
