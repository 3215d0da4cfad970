import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { publishEpss } from '../../../src/catalog/publish/steps/publish-epss.ts'
import { publishIds } from '../../../src/catalog/publish/steps/publish-ids.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { type CveId, parseCanonicalCveId } from '../../../src/domain/cve-id.ts'
import { findLevelOfRank } from '../../../src/domain/priority/policy.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'

function toCveId(text: string): CveId {
  const id = parseCanonicalCveId(text)
  if (!id) throw new Error(`${text} is not a canonical CVE id`)
  return id
}

const readChanges = () =>
  catalog.selectRows<{ id: string | null; kind: string; fields: string[] }>(
    'select catalog.cve_id(cve_key) as id, kind, fields from catalog.change order by seq',
  )
const readIds = () =>
  catalog.selectRows<{ id: string }>('select catalog.cve_id(cve_key) as id from catalog.cve order by cve_key')
const readDetails = () =>
  catalog.selectRows<{ source: string }>('select source, record from catalog.cve_detail order by source')

describe('Publisher: an EPSS score that crosses 0.1', () => {
  it('adds detail records at an EPSS score of 0.1 and removes them below 0.1', async () => {
    const low = [nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)]
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { metrics: { cvssMetricV31: low } }))
    await catalog.storeEpss('2026-08-20', { [ID]: 0.09 })
    await catalog.publish()
    expect(await readDetails()).toEqual([])
    await catalog.storeEpss('2026-08-21', { [ID]: 0.1 })
    await catalog.publish()
    expect(await readDetails()).toMatchObject([{ source: 'nvd' }])
    await catalog.storeEpss('2026-08-22', { [ID]: 0.0999 })
    await catalog.publish()
    expect(await readDetails()).toEqual([])
  })
})

describe('Publisher: CVEs that an EPSS release changes', () => {
  const listQueued = async () => {
    await withPublishLock(catalog.context, (tx) => publishEpss(catalog.context.session, tx))
    const rows = await catalog.selectRows<{ id: string }>(
      'select cve_id as id from source.publication_queue order by 1',
    )
    return rows.map(({ id }) => id)
  }

  it('are queued if their score crosses 0.1 (decision D12), 0.2 or 0.7 (priority policy)', async () => {
    const scores = {
      // Each entry has the scores on two days and whether the CVE must be queued.
      'CVE-2026-0001': [0.09999, 0.1, true],
      'CVE-2026-0002': [0.1, 0.19999, false],
      'CVE-2026-0003': [0.19999, 0.2, true],
      'CVE-2026-0004': [0.2, 0.69999, false],
      'CVE-2026-0005': [0.69999, 0.7, true],
      'CVE-2026-0006': [0.7, 1, false],
      'CVE-2026-0007': [0.9, 0.05, true],
      'CVE-2026-0008': [0.05, 0.09, false],
    } as const
    const pick = (day: 0 | 1) => Object.fromEntries(Object.entries(scores).map(([id, pair]) => [id, pair[day]]))
    for (const id of Object.keys(scores)) await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.storeEpss('2026-08-20', pick(0), 'v2025.03.14')
    await catalog.publish()
    await catalog.storeEpss('2026-08-21', pick(1), 'v2025.03.14')
    expect(await listQueued()).toEqual(Object.entries(scores).flatMap(([id, [, , isQueued]]) => (isQueued ? [id] : [])))
  })

  it('are queued if they have a public exploit and get their first score', async () => {
    for (const id of [ID, 'CVE-2026-1001']) await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.storeExploit('exploitdb', '50001', [ID])
    await catalog.storeEpss('2026-08-20', {})
    await catalog.publish()
    await catalog.storeEpss('2026-08-21', { [ID]: 0.01, 'CVE-2026-1001': 0.01 })
    expect(await listQueued()).toEqual([ID])
  })

  it('are queued if nothing but their first score rates them', async () => {
    await catalog.storeRecord('cve', ID, cveListRecord(ID))
    await catalog.storeEpss('2026-08-20', {})
    await catalog.publish()
    await catalog.storeEpss('2026-08-21', { [ID]: 0.01 })
    expect(await listQueued()).toEqual([ID])
  })

  it('do not include CVEs missing from the catalog', async () => {
    await catalog.storeEpss('2026-08-20', { 'CVE-2026-9999': 0.9 })
    expect(await listQueued()).toEqual([])
  })
})

describe('Publisher: EPSS thresholds that a CVE holds', () => {
  const readHolds = () =>
    catalog.selectRows<{ held: string[] | null }>(
      'select held_since::text[] as held from catalog.epss order by cve_key',
    )
  const publishDay = async (day: string, score: number, model = 'v2025.03.14') => {
    await catalog.storeEpss(day, { [ID]: score }, model)
    await catalog.publish()
  }

  it('are kept until the score is below 65 % of the threshold', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await publishDay('2026-08-20', 0.2)
    await publishDay('2026-08-21', 0.13)
    expect(await readHolds()).toEqual([{ held: ['2026-08-20', '2026-08-20'] }])
    await publishDay('2026-08-22', 0.12999)
    expect(await readHolds()).toEqual([{ held: ['2026-08-20'] }])
    await publishDay('2026-08-23', 0.06)
    expect(await readHolds()).toEqual([{ held: null }])
  })

  it('are the same for a CVE that is published after the scores', async () => {
    await publishDay('2026-08-20', 0.2)
    await publishDay('2026-08-21', 0.13)
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    expect(await readHolds()).toEqual([{ held: ['2026-08-20', '2026-08-20'] }])
    expect(await catalog.selectRows('select priority from catalog.cve')).toMatchObject([
      { priority: expect.toSatisfy((rank) => findLevelOfRank(rank) === 'P2') },
    ])
  })

  it('are computed again if the scores of a stored day change', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await publishDay('2026-08-20', 0.2)
    await publishDay('2026-08-21', 0.2)
    await publishDay('2026-08-21', 0.13)
    expect(await readHolds()).toEqual([{ held: ['2026-08-20', '2026-08-20'] }])
  })

  it('change with the cause epss_model in the first week of a new model', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await publishDay('2026-06-14', 0.3, 'v2025.03.14')
    await publishDay('2026-06-15', 0.05, 'v2026.06.15')
    const readCauses = () =>
      catalog.selectRows<{ cause: string }>(
        `select cause from catalog.change where kind = 'changed' and 'priority' = any (fields) order by seq`,
      )
    expect(await readCauses()).toEqual([{ cause: 'epss_model' }])
    await publishDay('2026-06-23', 0.3, 'v2026.06.15')
    expect(await readCauses()).toEqual([{ cause: 'epss_model' }, { cause: 'data' }])
  })
})

describe('Publisher: a new EPSS release', () => {
  it('writes no documents and one change-log row for a new EPSS release', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001'))
    await catalog.storeEpss('2026-08-20', { [ID]: 0.2, 'CVE-2026-9999': 0.3 })
    await catalog.publish()
    const before = await catalog.selectRows('select xmin, cve_key from catalog.cve_document')
    await catalog.storeEpss('2026-08-21', { [ID]: 0.25, 'CVE-2026-1001': 0.01 })
    expect(await catalog.publish()).toMatchObject({ epss: 2, added: 0, changed: 0 })
    expect(await catalog.selectRows('select xmin, cve_key from catalog.cve_document')).toEqual(before)
    expect(
      await catalog.selectRows('select catalog.cve_id(cve_key) as id, score from catalog.epss order by 1'),
    ).toEqual([
      { id: ID, score: 0.25 },
      { id: 'CVE-2026-1001', score: 0.01 },
    ])
    expect((await readChanges()).slice(-1)).toEqual([{ id: null, kind: 'epss', fields: ['epss'] }])
  })

  it('publishes a new CVE without an EPSS score until its EPSS release is published', async () => {
    await catalog.storeEpss('2026-08-20', { [ID]: 0.2 })
    await catalog.publish()
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeEpss('2026-08-21', { [ID]: 0.3 })
    await withPublishLock(catalog.context, (tx) => publishIds(catalog.context, tx, [toCveId(ID)]))
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: null }])
    await catalog.publish()
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: 0.3 }])
    expect(await catalog.selectRows(`select scored_at::date::text as day from catalog.epss_release`)).toEqual([
      { day: '2026-08-21' },
    ])
  })
})

describe('Publisher: a reissued EPSS release', () => {
  it('publishes an EPSS release again when it is reissued for the same day', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeEpss('2026-08-20', { [ID]: 0.2 })
    await catalog.publish()
    await catalog.storeEpss('2026-08-20', { [ID]: 0.21 })
    expect(await catalog.publish()).toMatchObject({ epss: 1 })
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: 0.21 }])
  })

  it('blocks the EPSS feed from storing a release while the previous release is being published', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeEpss('2026-08-20', { [ID]: 0.2 })
    await catalog.publish()
    await catalog.storeEpss('2026-08-21', { [ID]: 0.3 })
    let isStored = false
    let storing: Promise<void> | undefined
    await withPublishLock(catalog.context, async (tx) => {
      await publishEpss(catalog.context.session, tx)
      storing = catalog.storeEpss('2026-08-22', { [ID]: 0.4 }).finally(() => {
        isStored = true
      })
      await sleep(300)
      expect(isStored).toBe(false)
    })
    await storing
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: 0.3 }])
    await catalog.publish()
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: 0.4 }])
  })
})

describe('Publisher: a record that cannot be stored', () => {
  it('stores the reason for the failure until the record is corrected, and publishes all other CVEs', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001'), '12000-01-01T00:00:00Z')
    expect(await catalog.publish()).toMatchObject({ added: 1, setAside: 1 })
    expect(await readIds()).toEqual([{ id: ID }])
    expect(await catalog.selectRows('select cve_id, reason from catalog.publication_fault')).toEqual([
      { cve_id: 'CVE-2026-1001', reason: expect.stringContaining('cannot be stored') },
    ])
    await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001'))
    expect(await catalog.publish()).toMatchObject({ added: 1, setAside: 0 })
    expect(await catalog.selectRows('select from catalog.publication_fault')).toEqual([])
  })
})

describe('Publisher: changed weaknesses and techniques', () => {
  it('resolves every CVE again after a CWE weakness was added', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    await catalog.selectRows(
      "insert into source.weakness values ('CWE-20', 'weakness', 'Improper Input Validation', 'Class', 'Stable', false, 'Input is not checked.', '', null)",
    )
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    await catalog.selectRows('delete from source.weakness')
  })
})

describe('Publisher: statistics', () => {
  it('counts EPSS scores and ACSC notices only for CVEs with a publication date (decision C20)', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeKev([{ cveId: ID }])
    await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001', { published: null }))
    await catalog.storeRecord('cve', 'CVE-2026-1002', cveListRecord('CVE-2026-1002'))
    await catalog.storeNotice('routers', [ID, 'CVE-2026-1001'])
    await catalog.storeEpss('2026-08-20', {
      [ID]: 0.2,
      'CVE-2026-1001': 0.7,
      'CVE-2026-1002': 0.1,
      'CVE-2026-9999': 0.9,
    })
    await catalog.publish()
    const [counted] = await catalog.selectRows('select * from catalog.statistic')
    expect(counted).toMatchObject({ total_cves: '3', total_kev: '1', total_with_epss: '2', total_with_acsc: '1' })
    expect(counted).toHaveProperty('average_epss', expect.closeTo(0.15, 10))
  })
})
