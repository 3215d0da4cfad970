import { beforeEach, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
const knownIds = Array.from({ length: 60 }, (_, at) => `CVE-2026-${1001 + at}`)
await service.given(...knownIds.map((id, at) => cve(id, { isEnriched: at % 3 === 0, score: at % 2 === 0 ? 9.8 : 5 })))
const unknownIds = Array.from({ length: 45 }, (_, at) => `CVE-1999-${9999 - at}`)
/** CVE ids that the service knows and ids that it does not know, alternately, each kind in descending order. */
const mixedIds = knownIds.toReversed().flatMap((id, at) => [id, unknownIds[at] ?? []].flat())
const client = await service.client()

beforeEach(() => {
  service.responses.length = 0
})

describe('client.batch', () => {
  it('sends one call for at most 50 ids', async () => {
    const { cves, count } = await client.batch(knownIds.slice(0, 50))

    expect(Object.keys(cves)).toEqual(knownIds.slice(0, 50))
    expect([count, service.responses.length]).toEqual([50, 1])
  })

  it('splits more than 50 ids into several calls and merges the responses', async () => {
    const batch = await client.batch(mixedIds)

    expect(mixedIds).toHaveLength(105)
    expect(service.responses.map(({ method, status }) => `${method} ${status}`)).toEqual(Array(3).fill('POST 200'))
    expect(Object.keys(batch.cves)).toEqual(knownIds.toReversed())
    expect(batch.not_found).toEqual(unknownIds)
    expect(batch).toMatchObject({ count: 60, total_requested: 105, credits_charged: 105, enriched_percentage: 33.33 })
    expect(batch).not.toHaveProperty('filtered_out')
  })

  it('merges filtered_out from all calls of a batch', async () => {
    const { count, filtered_out } = await client.batch(knownIds, { severity: ['critical'], fields: ['cve_id'] })

    expect([count, filtered_out]).toEqual([30, knownIds.filter((_, at) => at % 2 === 1)])
  })

  it('sends duplicate ids once, ignoring letter case', async () => {
    const batch = await client.batch([...knownIds.slice(0, 30), ...knownIds.slice(0, 30).map((id) => id.toLowerCase())])

    expect(batch).toMatchObject({ count: 30, total_requested: 60, credits_charged: 35 })
    expect(service.responses).toHaveLength(1)
  })

  it('rejects a malformed id or sort order before the first of several calls', async () => {
    await expect(client.batch([...knownIds, 'CVE-2026'])).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter: 'cve_ids',
      value: 'CVE-2026',
    })
    await expect(client.batch(knownIds, { sort: 'epss_desc' })).rejects.toMatchObject({ parameter: 'sort' })
    expect(service.responses).toEqual([])
  })

  it('returns at most 50 records in the requested sort order', async () => {
    const { cves } = await client.batch(knownIds.slice(0, 4), { sort: 'severity_asc', fields: ['severity'] })

    expect(Object.values(cves).map(({ severity }) => severity)).toEqual([5, 5, 9.8, 9.8])
  })

  it('rejects with INVALID_PARAMETER for an empty list of ids', async () => {
    await expect(client.batch([])).rejects.toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'cve_ids' })
  })

  it('rejects with the abort reason of the signal', async () => {
    const reason = new Error('cancelled')

    await expect(client.batch(knownIds, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
