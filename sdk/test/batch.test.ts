import { beforeEach, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { world } from './world.ts'

const service = await world()
const known = Array.from({ length: 60 }, (_, at) => `CVE-2026-${1001 + at}`)
await service.given(...known.map((id, at) => cve(id, { isEnriched: at % 3 === 0, score: at % 2 === 0 ? 9.8 : 5 })))
const unknown = Array.from({ length: 45 }, (_, at) => `CVE-1999-${9999 - at}`)
/** Known and unknown ones by turns, in no order of theirs. */
const asked = known.toReversed().flatMap((id, at) => [id, unknown[at] ?? []].flat())
const client = await service.client()

beforeEach(() => {
  service.seen.length = 0
})

describe('batch', () => {
  it('of at most 50 is one call', async () => {
    const { cves, count } = await client.batch(known.slice(0, 50))

    expect(Object.keys(cves)).toEqual(known.slice(0, 50))
    expect([count, service.seen.length]).toEqual([50, 1])
  })

  it('splits above 50 and answers as one call would', async () => {
    const batch = await client.batch(asked)

    expect(asked).toHaveLength(105)
    expect(service.seen.map(({ method, status }) => `${method} ${status}`)).toEqual(Array(3).fill('POST 200'))
    expect(Object.keys(batch.cves)).toEqual(known.toReversed())
    expect(batch.not_found).toEqual(unknown)
    expect(batch).toMatchObject({ count: 60, total_requested: 105, credits_charged: 105, enriched_percentage: 33.33 })
    expect(batch).not.toHaveProperty('filtered_out')
  })

  it('says whom severity left out, in all parts', async () => {
    const { count, filtered_out } = await client.batch(known, { severity: ['critical'], fields: ['cve_id'] })

    expect([count, filtered_out]).toEqual([30, known.filter((_, at) => at % 2 === 1)])
  })

  it('asks once for what is named twice', async () => {
    const batch = await client.batch([...known.slice(0, 30), ...known.slice(0, 30).map((id) => id.toLowerCase())])

    expect(batch).toMatchObject({ count: 30, total_requested: 60, credits_charged: 35 })
    expect(service.seen).toHaveLength(1)
  })

  it('refuses before the first call what would fail in a later one', async () => {
    await expect(client.batch([...known, 'CVE-2026'])).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter: 'cve_ids',
      value: 'CVE-2026',
    })
    await expect(client.batch(known, { sort: 'epss_desc' })).rejects.toMatchObject({ parameter: 'sort' })
    expect(service.seen).toEqual([])
  })

  it('sorts up to 50', async () => {
    const { cves } = await client.batch(known.slice(0, 4), { sort: 'severity_asc', fields: ['severity'] })

    expect(Object.values(cves).map(({ severity }) => severity)).toEqual([5, 5, 9.8, 9.8])
  })

  it('of nothing is refused by the service', async () => {
    await expect(client.batch([])).rejects.toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'cve_ids' })
  })

  it('ends at a signal', async () => {
    const reason = new Error('never mind')

    await expect(client.batch(known, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
