import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { cve, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

await given(
  cve('CVE-2021-44228', {
    kev: {
      vendorProject: 'Apache',
      product: 'Log4j2',
      dateAdded: '2021-12-10',
      dueDate: '2021-12-24',
      knownRansomware: true,
    },
  }),
  cve('CVE-2022-0001', {
    kev: { vendorProject: 'Ab%c', product: 'x_y', dateAdded: '2026-08-01', dueDate: '2026-08-15' },
  }),
  cve('CVE-2023-10000', {
    kev: { vendorProject: 'APACHE', product: 'Struts', dateAdded: '2026-08-01', dueDate: null, notes: null },
  }),
  cve('CVE-2023-9999', {
    kev: { vendorProject: 'Back\\slash', product: 'Thing', dateAdded: '2026-08-01', dueDate: '2026-08-16' },
  }),
  cve('CVE-2026-5000', {
    kev: { vendorProject: 'Maker', product: 'Thing', dateAdded: '2026-08-20', dueDate: '2026-08-31' },
  }),
  cve('CVE-2026-6000'),
)

const NEWEST_FIRST = ['CVE-2026-5000', 'CVE-2023-10000', 'CVE-2023-9999', 'CVE-2022-0001', 'CVE-2021-44228']

const list = (query = '') => api.get(`/api/v1/kev${query}`)
const readData = async (query = '') => (await list(query)).json.data
const readIds = async (query = '') => (await readData(query)).kev_entries.map(({ cveId }: { cveId: string }) => cveId)

async function fetchAllPages(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ; ) {
    const { kev_entries: entries, pagination } = await readData(`?${query}&after=${after}`)
    ids.push(...entries.map(({ cveId }: { cveId: string }) => cveId))
    if (!pagination.hasMore) return ids
    after = pagination.nextCursor
  }
}

describe('GET /api/v1/kev', () => {
  it('returns pagination and kev_entries, newest additions first and ties ordered by id (decision D7)', async () => {
    const data = await readData()
    expect(Object.keys(data)).toEqual(['kev_entries', 'pagination'])
    expect(data.pagination).toEqual({ limit: 50, hasMore: false, totalEstimate: 5 })
    expect(await readIds()).toEqual(NEWEST_FIRST)
  })

  it('returns KEV entries in the documented format', async () => {
    const { kev_entries: entries } = await readData()
    expect(entries.at(-1)).toEqual({
      cveId: 'CVE-2021-44228',
      vendorProject: 'Apache',
      product: 'Log4j2',
      vulnerabilityName: 'A weakness of Thing',
      dateAdded: '2021-12-10',
      shortDescription: 'Thing is weak.',
      requiredAction: 'Apply updates.',
      dueDate: '2021-12-24',
      knownRansomware: true,
      notes: '',
    })
    expect(entries[1], 'empty notes are "", missing ones null (D14)').toMatchObject({ dueDate: null, notes: null })
  })

  it('does not list an entry that was removed from KEV', async () => {
    await given(cve('CVE-2026-7777', { kev: {} }))
    expect(await readIds()).toContain('CVE-2026-7777')
    await given(withdrawnCve('CVE-2026-7777'))
    expect(await readIds()).toEqual(NEWEST_FIRST)
  })
})

describe('GET /api/v1/kev: vendor and product (decision D14)', () => {
  it.each([
    ['vendor=apache', ['CVE-2023-10000', 'CVE-2021-44228']],
    ['vendor=PACH', ['CVE-2023-10000', 'CVE-2021-44228']],
    ['product=log4', ['CVE-2021-44228']],
    ['vendor=apache&product=struts', ['CVE-2023-10000']],
    ['vendor=', NEWEST_FIRST],
    ['vendor=zzz', []],
  ])('filters by %s as a case-insensitive part of the name', async (query, ids) => {
    expect(await readIds(`?${query}`)).toEqual(ids)
  })

  it.each([
    ['vendor=%25', ['CVE-2022-0001']],
    ['vendor=_', []],
    ['product=_', ['CVE-2022-0001']],
    ['vendor=%5C', ['CVE-2023-9999']],
    ['vendor=.*', []],
    ['vendor=%25%25', []],
  ])('treats wildcard characters in %s as ordinary text', async (query, ids) => {
    expect(await readIds(`?${query}`)).toEqual(ids)
  })
})

describe('GET /api/v1/kev: ransomware', () => {
  it('filters entries with and without known ransomware use', async () => {
    expect(await readIds('?ransomware=true')).toEqual(['CVE-2021-44228'])
    expect(await readIds('?ransomware=false')).toEqual(NEWEST_FIRST.slice(0, 4))
  })
})

describe('GET /api/v1/kev: due_date_after and due_date_before (decision C9)', () => {
  it.each([
    ['due_date_after=2026-08-16', ['CVE-2026-5000', 'CVE-2023-9999']],
    ['due_date_after=2026-08-17', ['CVE-2026-5000']],
    ['due_date_before=2026-08-15', ['CVE-2022-0001', 'CVE-2021-44228']],
    ['due_date_before=2026-08-14', ['CVE-2021-44228']],
    ['due_date_after=2026-08-15&due_date_before=2026-08-15', ['CVE-2022-0001']],
    ['due_date_after=0001-01-01', ['CVE-2026-5000', 'CVE-2023-9999', 'CVE-2022-0001', 'CVE-2021-44228']],
  ])('filters by %s inclusively, and omits entries without a due date', async (query, ids) => {
    expect(await readIds(`?${query}`)).toEqual(ids)
  })
})

describe('GET /api/v1/kev: pagination (decisions D8 and D9)', () => {
  it.each([1, 2, 3, 4])('returns the whole list in pages of %i entries', async (limit) => {
    expect(await fetchAllPages(`limit=${limit}`)).toEqual(NEWEST_FIRST)
  })

  it('keeps the total of the first page on later pages', async () => {
    const { pagination } = await readData('?limit=2&vendor=a')
    await given(cve('CVE-2020-1000', { kev: { vendorProject: 'Data', dateAdded: '2020-01-01' } }))
    const next = await readData(`?limit=2&vendor=a&after=${pagination.nextCursor}`)
    expect([pagination.totalEstimate, next.pagination.totalEstimate]).toEqual([5, 5])
    await given(withdrawnCve('CVE-2020-1000'))
  })

  it('accepts a cursor if the limit differs or the filters are spelled differently', async () => {
    const { pagination } = await readData('?limit=1&vendor=Apache')
    expect(await readIds(`?vendor=apache&product=&limit=9&after=${pagination.nextCursor}`)).toEqual(['CVE-2021-44228'])
  })

  it.each(['vendor=b', 'vendor=a&product=t', 'vendor=a&ransomware=false', 'product=a', ''])(
    'returns 400 with parameter "after" and charges nothing for a cursor of another query (%s)',
    async (query) => {
      const key = createTestKey()
      await given(account('pro').withCreditsLeft(0).withKey(key))
      const { nextCursor } = (await readData('?vendor=a&limit=1')).pagination
      const { status, json } = await api.get(`/api/v1/kev?${query}&after=${nextCursor}`, { key: key.key })
      expect([status, json.error.parameter, json.error.value]).toEqual([400, 'after', nextCursor.slice(0, 200)])
    },
  )
})

describe('GET /api/v1/kev: ETag (decision B13)', () => {
  it('sends the same ETag for the same page, and another one for another page or a changed entry', async () => {
    const tag = async (query = '') => (await list(query)).headers['etag']
    const before = await tag('?vendor=maker')
    expect(await tag('?vendor=maker')).toBe(before)
    expect(await tag('?vendor=maker&limit=7')).not.toBe(before)
    expect((await api.get('/api/v1/kev?vendor=maker', { headers: { 'If-None-Match': before } })).status).toBe(304)
    await given(cve('CVE-2026-5000', { kev: { vendorProject: 'Maker', dateAdded: '2026-08-20', notes: 'Changed.' } }))
    expect(await tag('?vendor=maker')).not.toBe(before)
  })
})
