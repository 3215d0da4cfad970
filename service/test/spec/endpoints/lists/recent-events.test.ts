import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../../catalog/source-fixtures.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { event } from '../../../support/catalog/event-builder.ts'
import { listCveIds, readAllPages } from '../../../support/catalog/page-through.ts'
import { startTestService } from '../../../support/service.ts'

// The test clock starts at 2026-08-22T00:00:00Z.
const { api, given, clock, database } = await startTestService()

const OLD = '2020-01-01T00:00:00Z'
const LONG_AGO = { published: OLD, modified: OLD }

await given(
  cve('CVE-2026-0001', { published: '2026-08-21T00:00:00Z', modified: '2026-08-21T12:00:00Z' }),
  cve('CVE-2026-0002', LONG_AGO),
  event('CVE-2026-0002', {
    kind: 'kev_added',
    upstreamAt: '2026-08-20T00:00:00Z',
    firstSeen: '2026-08-21T23:30:00Z',
    unseenUntil: '2026-08-21T23:35:00Z',
  }),
  cve('CVE-2026-0003', { ...LONG_AGO, modified: '2026-08-21T22:00:00Z', notices: ['Notice'] }),
  event('CVE-2026-0003', { kind: 'acsc_notice', upstreamAt: '2026-08-21T22:00:00Z', notice: 'a' }),
  event('CVE-2026-0003', { kind: 'acsc_notice', upstreamAt: '2026-08-11T22:00:00Z', notice: 'b' }),
  event('CVE-2026-0003', {
    kind: 'kev_removed',
    upstreamAt: '2026-08-21T20:00:00Z',
    firstSeen: '2026-08-21T21:00:00Z',
  }),
  cve('CVE-2026-0004', LONG_AGO),
  event('CVE-2026-0004', { kind: 'eu_kev_added', upstreamAt: '2026-08-16T00:00:00Z' }),
  // A publisher committed the event a moment ago and has not settled it yet.
  cve('CVE-2026-0005', LONG_AGO),
  event('CVE-2026-0005', {
    kind: 'acsc_notice',
    upstreamAt: '2026-08-12T00:00:00Z',
    firstSeen: '2026-08-21T22:59:30Z',
    unseenUntil: 'infinity',
  }),
)

const readData = async (query: string) => (await api.get(`/api/v1/cves/recent?${query}`)).json.data
const found = async (query: string) => listCveIds(await readData(query)).map((id) => Number(id.slice(9)))

describe('GET /api/v1/cves/recent: KEV catalogs and ACSC notices (decision D10)', () => {
  it('counts an event at its own date or the time of its first publication, whichever is later', async () => {
    expect(await found('')).toEqual([2, 5, 3, 1])
    expect(await found('hours=1')).toEqual([2, 5])
    expect(await found('days=7')).toEqual([2, 5, 3, 1, 4])
    expect((await readData('days=7')).total_found).toBe(5)
  })

  it('counts an event as a modification and never as a publication', async () => {
    expect(await found('type=modified')).toEqual([2, 5, 3, 1])
    expect(await found('type=published')).toEqual([1])
  })

  it('lists the type and time of events within the period, newest first, if include names events', async () => {
    const readEvents = async (query: string) => {
      const { cves } = await readData(`${query}&include=events&fields=cve_id,events`)
      return Object.fromEntries(
        cves.map(({ cve_id, events }: { cve_id: string; events: readonly { kind: string; time: string }[] }) => [
          Number(cve_id.slice(9)),
          events.map(({ kind, time }) => `${kind} ${time}`),
        ]),
      )
    }
    expect(await readEvents('')).toEqual({
      1: ['modified 2026-08-21T12:00:00Z', 'published 2026-08-21T00:00:00Z'],
      2: ['kev_added 2026-08-21T23:30:00Z'],
      3: ['acsc_notice 2026-08-21T22:00:00Z', 'modified 2026-08-21T22:00:00Z', 'kev_removed 2026-08-21T21:00:00Z'],
      5: ['acsc_notice 2026-08-21T22:59:30Z'],
    })
    expect(await readEvents('type=published')).toEqual({ 1: ['published 2026-08-21T00:00:00Z'] })
    expect((await readEvents('days=30'))['3']).toHaveLength(4)
    expect(await readEvents('days=7&has_acsc=false')).toMatchObject({ 4: ['eu_kev_added 2026-08-16T00:00:00Z'] })
  })

  it('returns every event once in pages of any size, and the same ETag while the clock advances', async () => {
    for (const limit of [1, 2, 3]) {
      const { ids } = await readAllPages(api, '/api/v1/cves/recent', `days=7&limit=${limit}`)
      expect(ids.map((id) => Number(id.slice(9)))).toEqual([2, 5, 3, 1, 4])
    }
    const etag = async () => (await api.get('/api/v1/cves/recent?days=7&limit=2&include=events')).headers['etag']
    const before = await etag()
    clock.advance({ seconds: 1 })
    expect(await etag()).toBe(before)
  })
})

describe('GET /api/v1/cves/recent: late publication', () => {
  it('returns a KEV addition to a caller that polls with hours=1 although the publisher ran hours after the feed', async () => {
    const catalog = await createCatalogHarness(database.url)
    const [known, added] = ['CVE-2025-0001', 'CVE-2025-0002']
    const poll = async () => listCveIds(await readData('hours=1')).filter((id) => id === added)
    for (const id of [known, added])
      await catalog.storeRecord('nvd', id, nvdRecord(id, { published: OLD, lastModified: OLD }), OLD)
    await catalog.storeKev([{ cveId: known, dateAdded: '2026-08-01' }])
    await catalog.publish()
    expect(await poll(), 'before the addition').toEqual([])

    await catalog.storeKev([
      { cveId: known, dateAdded: '2026-08-01' },
      { cveId: added, dateAdded: '2026-08-22' },
    ])
    for (const advanced of [catalog.clock, clock]) advanced.advance({ hours: 9 })
    expect(await poll(), 'before the publication').toEqual([])

    catalog.clock.advance({ seconds: 1800 })
    await catalog.publish()
    clock.advance({ hours: 1 })
    expect(await poll(), 'in the first poll after the publication').toEqual([added])
    expect(listCveIds(await readData('hours=1&type=published'))).toEqual([])

    clock.advance({ hours: 1 })
    expect(await poll(), 'one poll later').toEqual([])
  })
})
