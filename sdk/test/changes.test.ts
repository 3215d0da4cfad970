import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await publishExamples(service.database.url)
const client = await service.client()

describe('client.changes', () => {
  it('lists changes of one type with old and new values, and the position to continue with', async () => {
    const { changes, next_since } = await client.changes('start', { types: ['kev_added'] })
    expect(changes[0]).toMatchObject({ cve_id: 'CVE-2021-44228', diff: { 'kev.dateAdded': { new: '2021-12-10' } } })
    expect(await client.changes(next_since)).toMatchObject({ changes: [], next_since })
  })

  it('rejects with GONE for a position from another database', async () => {
    await expect(client.changes('1:00000000000000aa')).rejects.toMatchObject({ code: 'GONE', status: 410 })
  })
})

describe('client.changeSummary and client.changedRecords', () => {
  it('count the changes, and return the records', async () => {
    const { by_type, until } = await client.changeSummary('start')
    expect(by_type).toMatchObject({ published: 3, epss_released: 1 })
    const { records, next_since } = await client.changedRecords('start')
    expect(records.map(({ record }) => record?.cve_id)).toContain('CVE-2021-44228')
    expect(next_since).toBe(until)
  })
})

describe('client.followChanges', () => {
  it('yields each part of the log once, and then waits', async () => {
    const stop = new AbortController()
    const seen: (string | null)[] = []
    const follow = async () => {
      for await (const { changes } of client.followChanges('start', { limit: 2, signal: stop.signal })) {
        seen.push(...changes.map(({ cve_id }) => cve_id))
        if (seen.length === 4) setTimeout(() => stop.abort(new Error('stopped by the test')), 100)
      }
    }
    await expect(follow()).rejects.toThrow('stopped by the test')
    expect(new Set(seen).size).toBe(4)
  })

  it('waits after a time too, without asking again and again', async () => {
    const stop = new AbortController()
    let calls = 0
    const counting = await service.client({
      fetch: (...call: Parameters<typeof fetch>) => {
        calls += 1
        return fetch(...call)
      },
    })
    const follow = async () => {
      for await (const page of counting.followChanges('2026-08-22', { signal: stop.signal }))
        throw new Error(`There is a change: ${JSON.stringify(page)}`)
    }
    setTimeout(() => stop.abort(new Error('stopped by the test')), 1500)
    await expect(follow()).rejects.toThrow('stopped by the test')
    expect(calls).toBeLessThan(4)
  })
})
