import { beforeAll, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { configuration, cpe, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { CVE_CACHE_MB: '0' } })
const { api } = service
const catalog = await createCatalogHarness(service.database.url)

const ID = 'CVE-2024-3400'
const [NVD, CNA] = ['nvd@nist.gov', 'psirt@example.test']
const VECTOR = 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'
const EARLIER_VECTOR = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const at = (time: string) => Date.parse(time)

const CHANGES = [
  [
    'a',
    at('2024-04-12T08:15:06Z'),
    'New CVE Received',
    CNA,
    [
      ['D', 'A', null, 0],
      ['C31', 'A', null, EARLIER_VECTOR],
      ['W', 'A', null, 'CWE-77'],
      ['R', 'A', null, 'https://router.example/advisories/1'],
    ],
  ],
  [
    'b',
    at('2024-04-14T09:00:00Z'),
    'Initial Analysis',
    NVD,
    [
      ['C31', 'A', null, `NIST ${VECTOR}`],
      ['P', 'A', null, `OR\n     *${cpe('router')} versions up to (excluding) 2.4`],
    ],
  ],
  ['c', at('2024-04-20T09:00:00Z'), 'CVE Modified', CNA, [['D', 'C', 'First text.', 0]]],
] as const

const RECORD = nvdRecord(ID, {
  published: '2024-04-12T08:15:06.123',
  lastModified: '2024-04-20T09:00:00.500',
  vulnStatus: 'Modified',
  descriptions: [{ lang: 'en', value: 'Second text.' }],
  metrics: {
    cvssMetricV31: [
      nvdRating(`CVSS:3.1/${VECTOR}`, 10),
      { ...nvdRating(`CVSS:3.1/${EARLIER_VECTOR}`, 9.8), source: CNA, type: 'Secondary' },
    ],
  },
  weaknesses: [{ source: CNA, type: 'Secondary', description: [{ lang: 'en', value: 'CWE-77' }] }],
  configurations: [configuration([{ criteria: cpe('router'), versionEndExcluding: '2.4' }])],
  references: [{ url: 'https://router.example/advisories/1', source: CNA }],
})

async function storeHistory(period: { readonly oldest: string; readonly newest: string }): Promise<void> {
  await catalog.selectRows(`
    insert into source.nvd_history (cve_id, changes) values ('${ID}', $json$${JSON.stringify(CHANGES)}$json$)
    on conflict (cve_id) do update set changes = excluded.changes
  `)
  await catalog.selectRows(`
    insert into source.feed (name, cursor) values ('nvd-history', '${JSON.stringify(period)}')
    on conflict (name) do update set cursor = excluded.cursor
  `)
}

const readDay = async (day: string) => (await api.get(`/api/v1/cve/${ID}/as-of/${day}`)).json.data

beforeAll(async () => {
  await catalog.storeRecord('nvd', ID, RECORD)
  await catalog.storeKev([{ cveId: ID, dateAdded: '2024-04-12' }])
  await catalog.publish()
  await catalog.selectRows("update catalog.past_start set complete_since = '2026-08-20T12:00:00Z'")
})

describe("As-of: with NVD's change history", () => {
  it('knows nothing of NVD before the history is read, except since the last change of the record', async () => {
    expect((await readDay('2024-04-12')).unknown).toContain('description')
    const { record, reconstructed } = await readDay('2024-04-20')
    expect(record).toMatchObject({ description: 'Second text.', severity: 10 })
    expect(reconstructed).toContainEqual(
      expect.objectContaining({ from_history: 'nvd', complete_since: '2024-04-20T09:00:00Z' }),
    )
  })

  it('has what was known on the day on which the CVE was received', async () => {
    await storeHistory({ oldest: '2015-01-01T00:00:00Z', newest: '2026-08-22T00:00:00Z' })
    const { record, unknown, reconstructed } = await readDay('2024-04-12')
    expect(record).toMatchObject({
      published: '2024-04-12T08:15:06Z',
      description: 'First text.',
      severity: 9.8,
      cvss: { v3_1: { vectorString: `CVSS:3.1/${EARLIER_VECTOR}` } },
      cpe: [],
      configurations: [],
      references: [{ url: 'https://router.example/advisories/1', source: 'nvd' }],
      kev: { dateAdded: '2024-04-12' },
      enrichment: { kev_flag: true, cwe_list: ['CWE-77'], attack_vector: 'network', cpe_count: 0, reference_count: 1 },
    })
    expect(reconstructed).toContainEqual(
      expect.objectContaining({ from_history: 'nvd', complete_since: '2015-01-01T00:00:00Z' }),
    )
    expect(unknown).toEqual(expect.arrayContaining(['status', 'enrichment.cvss_source', 'references.tags', 'priority']))
    for (const member of ['description', 'severity', 'cvss', 'cpe', 'references', 'configurations'])
      expect(unknown).not.toContain(member)
  })

  it.each([
    ['2024-04-13', 'First text.', 9.8, 0, undefined],
    ['2024-04-14', 'First text.', 10, 1, 'Analyzed'],
    ['2024-04-19', 'First text.', 10, 1, 'Analyzed'],
    ['2024-04-20', 'Second text.', 10, 1, undefined],
  ])('follows the changes from day to day: %s', async (day, description, severity, products, status) => {
    await storeHistory({ oldest: '2015-01-01T00:00:00Z', newest: '2026-08-22T00:00:00Z' })
    const { record } = await readDay(day)
    expect([record.description, record.severity, record.cpe.length]).toEqual([description, severity, products])
    expect(record.status).toBe(status)
  })

  it('does not use a history that begins after the day, or ends before the last change of the record', async () => {
    for (const period of [
      { oldest: '2024-04-14T00:00:00Z', newest: '2026-08-22T00:00:00Z' },
      { oldest: '2015-01-01T00:00:00Z', newest: '2024-04-19T00:00:00Z' },
    ]) {
      await storeHistory(period)
      expect((await readDay('2024-04-12')).unknown).toContain('description')
    }
  })

  it("does not take a stored record that lacks NVD's newest changes for that of a later day", async () => {
    await storeHistory({ oldest: '2015-01-01T00:00:00Z', newest: '2026-08-22T00:00:00Z' })
    const later = ['d', at('2024-04-25T09:00:00Z'), 'CVE Modified', CNA, [['D', 'C', 'Second text.', 0]]]
    await catalog.selectRows(`
      update source.nvd_history set changes = $json$${JSON.stringify([...CHANGES, later])}$json$ where cve_id = '${ID}'
    `)
    expect((await readDay('2024-04-24')).record.description).toBe('Second text.')
    expect((await readDay('2024-04-25')).unknown).toContain('description')
  })
})
