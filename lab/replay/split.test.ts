import { describe, expect, it } from 'vitest'
import { type KevCatalog, replayReleases } from './kev.ts'
import { listStates, type NvdRecord } from './nvd.ts'
import { createWeeks } from './weeks.ts'

const FIRST_LOAD = '2025-10-12T14:00:00Z'

const record = (published: string, lastModified: string, more: Readonly<Record<string, unknown>> = {}): NvdRecord => ({
  id: 'CVE-2025-0001',
  published,
  lastModified,
  vulnStatus: 'Analyzed',
  descriptions: [],
  references: [],
  ...more,
})

describe('weeks of a replay', () => {
  const { place } = createWeeks(['2025-10-12', '2025-10-19'])

  it('import everything on the first day on or after its date', () => {
    expect(place('2024-01-01')).toBe(0)
    expect(place('2025-10-12T13:59:59.000')).toBe(0)
    expect(place('2025-10-12T15:00:00.000')).toBe(1)
    expect(place('2025-10-19')).toBe(1)
    expect(place('2025-10-20')).toBeUndefined()
  })
})

describe('states of an NVD record', () => {
  it('are one if it has not changed since the first load', () => {
    const old = record('2020-01-01T00:00:00.000', '2024-01-01T00:00:00.000')

    expect(listStates(old, FIRST_LOAD)).toEqual([{ at: '2024-01-01T00:00:00.000', record: old }])
  })

  it('begin, for a record that changed later, without what has a later date', () => {
    const assessed = (timestamp: string) => ({ source: 'cisa', ssvcData: { timestamp } })
    const changed = record('2025-01-01T00:00:00.000', '2026-06-17T00:00:00.000', {
      cisaExploitAdd: '2026-03-01',
      cisaVulnerabilityName: 'Example',
      metrics: { cvssMetricV31: [1], ssvcV203: [assessed('2025-02-01T00:00:00Z'), assessed('2026-02-01T00:00:00Z')] },
    })

    const [first, last, ...more] = listStates(changed, FIRST_LOAD)

    expect(first?.at).toBe('2025-01-01T00:00:00.000')
    expect(first?.record).toMatchObject({
      lastModified: '2025-01-01T00:00:00.000',
      metrics: { cvssMetricV31: [1], ssvcV203: [assessed('2025-02-01T00:00:00Z')] },
    })
    expect(first?.record).not.toHaveProperty('cisaExploitAdd')
    expect(first?.record).not.toHaveProperty('cisaVulnerabilityName')
    expect([last, more]).toEqual([{ at: '2026-06-17T00:00:00.000', record: changed }, []])
  })

  it('begin, for a record published later, without an assessment', () => {
    const recent = record('2026-01-05T00:00:00.000', '2026-02-01T00:00:00.000', { metrics: { cvssMetricV31: [1] } })

    const [received, analysed] = listStates(recent, FIRST_LOAD)

    expect(received?.record).toMatchObject({
      vulnStatus: 'Received',
      lastModified: '2026-01-05T00:00:00.000',
      metrics: {},
    })
    expect(analysed).toEqual({ at: '2026-02-01T00:00:00.000', record: recent })
  })
})

describe('releases of the KEV catalog', () => {
  it('are rebuilt from the first one and the differences', () => {
    const catalogs: KevCatalog[] = []
    const [one, two] = [{ cveID: 'CVE-2024-0001' }, { cveID: 'CVE-2024-0002' }]

    replayReleases(
      [
        { catalogVersion: '1', dateReleased: '2025-10-01T00:00:00Z', vulnerabilities: [one] },
        {
          catalogVersion: '2',
          dateReleased: '2025-10-08T00:00:00Z',
          added: [two],
          changed: [{ cveID: 'CVE-2024-0001', now: { dueDate: '2025-11-01' } }],
        },
        { catalogVersion: '3', dateReleased: '2025-10-15T00:00:00Z', removed: ['CVE-2024-0002'] },
      ],
      (catalog) => catalogs.push(catalog),
    )

    expect(catalogs.map(({ count }) => count)).toEqual([1, 2, 1])
    expect(catalogs[1]?.vulnerabilities).toEqual([{ ...one, dueDate: '2025-11-01' }, two])
    expect(catalogs[2]).toMatchObject({ catalogVersion: '3', vulnerabilities: [{ cveID: 'CVE-2024-0001' }] })
  })
})
