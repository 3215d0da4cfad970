import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { startTestService } from '../../support/service.ts'
import { comparePairs } from './compare.ts'
import { replay, toDay } from './replay.ts'

const service = await startTestService({ environment: { CVE_CACHE_MB: '0' } })
const { api } = service
const catalog = await createCatalogHarness(service.database.url)
const recorded = await replay(catalog, api, { days: 9, cves: 9 })

const ID = 'CVE-2026-1000'
const asOf = (day: string, id = ID) => api.get(`/api/v1/cve/${id}/as-of/${day}`)

describe('GET /api/v1/cve/{cve-id}/as-of/{date}', () => {
  it('returns the bytes that the service returned at the end of the day', async () => {
    expect(recorded.some(({ id, record }) => id === 'CVE-2026-9000' && record === null)).toBe(true)
    expect(await comparePairs(api, recorded, 60)).toEqual([])
  })

  it('says which day it covers, and since when days are kept', async () => {
    const { cve_id, as_of, complete_since, record } = (await asOf(toDay(2))).json.data
    expect([cve_id, as_of, record.cve_id]).toEqual([ID, `${toDay(2)}T23:59:59Z`, ID])
    expect(complete_since).toBe(`${toDay(0)}T12:00:01Z`)
    const today = (await asOf('2026-08-22')).json.data
    expect([today.as_of, today.record]).toEqual(['2026-08-22T00:00:00Z', (await asOf('2026-08-21')).json.data.record])
  })

  it('answers 400 for a future day, and 404 for an unknown CVE', async () => {
    const future = await asOf('2026-08-23')
    expect([future.status, future.json.error.parameter]).toEqual([400, 'date'])
    expect((await asOf(toDay(1), 'CVE-1999-0001')).status).toBe(404)
  })
})
