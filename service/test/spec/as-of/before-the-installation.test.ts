import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { epssHistory } from '../../support/catalog/epss-history.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { CVE_CACHE_MB: '0' } })
const { api } = service
const catalog = await createCatalogHarness(service.database.url)

const [LISTED, PLAIN, RETURNED] = ['CVE-2024-3400', 'CVE-2024-0002', 'CVE-2024-0003']

const asOf = (day: string, id: string = LISTED) => api.get(`/api/v1/cve/${id}/as-of/${day}`)

async function setStart(times: { readonly kept: string; readonly kev: string }): Promise<void> {
  await catalog.selectRows(`
    update catalog.past_start set complete_since = '${times.kept}', kev_since = '${times.kev}'
  `)
}

beforeAll(async () => {
  for (const id of [LISTED, PLAIN, RETURNED])
    await catalog.storeRecord('nvd', id, nvdRecord(id, { published: '2024-04-12T08:15:06.123' }))
  await catalog.storeKev([
    { cveId: LISTED, dateAdded: '2024-04-12', dueDate: '2024-04-19' },
    { cveId: RETURNED, dateAdded: '2024-05-01', dueDate: '2024-06-01' },
  ])
  await catalog.publish()
  await catalog.selectRows(`
    insert into catalog.kev_change (cve_key, at, type, diff)
    values (catalog.cve_key('${RETURNED}'), '2024-07-01T15:00:00Z', 'removed', '{}'),
           (catalog.cve_key('${RETURNED}'), '2024-08-01T15:00:00Z', 'returned', '{"dueDate": {"old": "2024-05-22", "new": "2024-06-01"}}')
  `)
  await epssHistory({
    '2024-04-15': { [LISTED]: [0.00043, 0.08], [PLAIN]: [0.2, null] },
    '2024-04-22': { [LISTED]: [0.95, 0.999] },
  }).store(catalog.context.session.db)
})

beforeEach(() => setStart({ kept: '2026-08-20T12:00:00Z', kev: '2026-08-20T12:00:00Z' }))

describe('As-of: a day before the installation', () => {
  it('knows that a CVE was published and was in KEV, and says that the rest is not known for that day', async () => {
    const { status, json } = await asOf('2024-04-12')
    expect(status).toBe(200)
    const { as_of, complete_since, reconstructed, unknown, record } = json.data
    expect([as_of, complete_since]).toEqual(['2024-04-12T23:59:59Z', '2026-08-20T12:00:00Z'])
    expect(record).toEqual({
      cve_id: LISTED,
      published: '2024-04-12T08:15:06Z',
      kev: { dateAdded: '2024-04-12' },
      enrichment: { kev_flag: true },
    })
    expect(reconstructed).toEqual([
      { from_history: 'cve', record_members: ['published'], complete_since: null },
      {
        from_history: 'kev',
        record_members: ['kev.dateAdded', 'enrichment.kev_flag'],
        complete_since: '2026-08-20T12:00:00Z',
      },
    ])
    for (const member of ['description', 'severity', 'epss', 'priority', 'kev.dueDate', 'enrichment.exploit_flag'])
      expect(unknown).toContain(member)
    expect(Object.keys(record).filter((member) => unknown.includes(member))).toEqual([])
  })

  it('does not claim that a CVE was not in KEV on a day whose catalog is not known', async () => {
    const { record, unknown } = (await asOf('2024-05-01', PLAIN)).json.data
    expect(record).toEqual({ cve_id: PLAIN, published: '2024-04-12T08:15:06Z' })
    expect(unknown).toEqual(expect.arrayContaining(['kev', 'enrichment']))
  })

  it('knows every entry, and that there was none, since the changes of the catalog are known', async () => {
    await setStart({ kept: '2026-08-20T12:00:00Z', kev: '2021-11-04T00:00:00Z' })
    const { record } = (await asOf('2024-04-12')).json.data
    expect(record.kev).toMatchObject({ dateAdded: '2024-04-12', dueDate: '2024-04-19', knownRansomware: true })
    const plain = (await asOf('2024-05-01', PLAIN)).json.data
    expect([plain.record.kev, plain.record.enrichment]).toEqual([undefined, { kev_flag: false }])
    expect(plain.unknown).not.toContain('kev')
  })

  it.each([
    ['2024-04-30', false, undefined],
    ['2024-05-01', true, '2024-05-22'],
    ['2024-06-30', true, '2024-05-22'],
    ['2024-07-01', false, undefined],
    ['2024-08-01', true, '2024-06-01'],
  ])('follows removals and returns: on %s the entry was listed: %s', async (day, isListed, dueDate) => {
    await setStart({ kept: '2026-08-20T12:00:00Z', kev: '2021-11-04T00:00:00Z' })
    const { record } = (await asOf(day, RETURNED)).json.data
    expect([record.enrichment.kev_flag, record.kev?.dueDate]).toEqual([isListed, dueDate])
  })

  it.each([
    ['2024-04-14', undefined],
    ['2024-04-15', { score: 0.00043, percentile: 0.08, date: '2024-04-15' }],
    ['2024-04-21', { score: 0.00043, percentile: 0.08, date: '2024-04-15' }],
    ['2024-04-22', { score: 0.95, percentile: 0.999, date: '2024-04-22' }],
    ['2024-04-28', { score: 0.95, percentile: 0.999, date: '2024-04-22' }],
    ['2024-04-29', undefined],
  ])('gives the EPSS score of the last release within a week: %s', async (day, epss) => {
    const { record, unknown } = (await asOf(day)).json.data
    expect([record.epss, unknown.includes('epss')]).toEqual([epss, epss === undefined])
  })

  it('knows that a release had no score for a CVE, and which releases had no percentiles', async () => {
    const absent = (await asOf('2024-04-22', RETURNED)).json.data
    expect([absent.record.epss, absent.unknown.includes('epss')]).toEqual([undefined, false])
    const { record, unknown } = (await asOf('2024-04-15', PLAIN)).json.data
    expect([record.epss, unknown.includes('epss.percentile')]).toEqual([{ score: 0.2, date: '2024-04-15' }, true])
  })

  it('answers 404 with the day of publication for a day before it, also for a removed entry', async () => {
    const { status, json } = await asOf('2024-04-11', PLAIN)
    expect([status, json.error.code, json.error.details]).toEqual([
      404,
      'NOT_FOUND',
      { published: '2024-04-12T08:15:06Z' },
    ])
    expect(json.error.message).toContain('was not published on 2024-04-11, but later, on 2024-04-12')
    expect((await asOf('2024-04-11', 'CVE-1999-0001')).status).toBe(404)
  })

  it('answers 410 only if nothing is known about the day', async () => {
    await catalog.selectRows(
      `update catalog.cve_document set published = 'null' where cve_key = catalog.cve_key('${PLAIN}')`,
    )
    const { status, json } = await asOf('2023-01-01', PLAIN)
    expect([status, json.error.code]).toEqual([410, 'GONE'])
    await catalog.selectRows(`
      update catalog.cve_document set published = '"2024-04-12T08:15:06Z"' where cve_key = catalog.cve_key('${PLAIN}')
    `)
  })
})

describe('As-of: a clock that was set back', () => {
  it("answers with today's record although the newest changes are later than today", async () => {
    await setStart({ kept: '2027-01-01T00:00:00Z', kev: '2026-08-20T12:00:00Z' })
    await catalog.selectRows("update catalog.change set at = '2027-01-01T00:00:00Z'")
    const today = (await asOf('2026-08-22')).json.data
    expect([today.as_of, today.unknown, today.reconstructed]).toEqual(['2026-08-22T00:00:00Z', [], []])
    const { cve } = (await api.get(`/api/v1/cve/${LISTED}`)).json.data
    expect(today.record).toMatchObject(cve)
    expect((await asOf('2026-08-21')).json.data.reconstructed).not.toEqual([])
  })
})
