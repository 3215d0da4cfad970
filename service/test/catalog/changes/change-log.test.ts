import { beforeEach, describe, expect, it } from 'vitest'
import { rebuild } from '../../../src/catalog/publish/rebuild.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRating, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const ID = 'CVE-2026-1000'
const OTHER = 'CVE-2026-1001'

interface LogRow {
  readonly id: string | null
  readonly kind: string
  readonly fields: readonly string[]
  readonly types: readonly string[]
  readonly diff: Readonly<Record<string, { old: unknown; new: unknown }>> | null
  readonly cause: string
}

/** Returns the rows written since the last call. */
async function readNewRows(): Promise<readonly LogRow[]> {
  const rows = await catalog.selectRows<LogRow & { seq: string }>(
    `select seq, catalog.cve_id(cve_key) as id, kind, fields, types, diff, cause
       from catalog.change where seq > ${position} order by seq`,
  )
  position = rows.at(-1)?.seq ?? position
  return rows
}

let position = '0'

beforeEach(async () => {
  await catalog.reset()
  position = '0'
})

async function publishCves(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await catalog.storeRecord('nvd', id, nvdRecord(id))
  await catalog.publish()
  await readNewRows()
}

describe('Change log: CVEs', () => {
  it('has a small row for an added CVE, with its own tag', async () => {
    for (const id of [ID, OTHER]) await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.publish()
    expect(await readNewRows()).toMatchObject([
      { id: ID, kind: 'added', fields: [], types: ['published'], diff: null, cause: 'data' },
      { id: OTHER, kind: 'added' },
    ])
    expect(await catalog.selectRows('select distinct tag from catalog.change')).toHaveLength(2)
  })

  it('has the old and the new values of small members of a changed CVE', async () => {
    await publishCves(ID)
    const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] }
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { metrics }))
    await catalog.storeExploit('metasploit', 'exploit/example/router', [ID], {
      kind: 'module',
      title: 'exploit/example/router',
      published: '2026-08-10',
    })
    await catalog.storeNotice('routers', [ID])
    await catalog.publish()
    const [row, ...others] = await readNewRows()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      id: ID,
      cause: 'data',
      diff: {
        severity: { old: 7.5, new: 9.8 },
        'priority.level': { old: 'P3', new: expect.stringMatching(/^P[012]$/) },
        'exploits.maturity': { old: 'none', new: 'weaponized' },
        'enrichment.exploit_flag': { old: false, new: true },
        'acsc.count': { old: 0, new: 1 },
      },
    })
    expect(row?.types).toEqual([
      'exploit_added',
      'maturity_raised',
      'notice_added',
      'priority_raised',
      'score_changed',
      'severity_band_changed',
    ])
    expect(row?.fields).toContain('cvss')
  })

  it('has no row for a CVE of which only a value changed that no answer shows and no filter reads', async () => {
    await publishCves(ID)
    await catalog.selectRows("update catalog.cve set content_hash = '', event_day = 9")
    await rebuild(catalog.context)
    expect(await readNewRows()).toEqual([])
    expect(await catalog.selectRows('select event_day = 9 as "isOld" from catalog.cve')).toEqual([{ isOld: false }])
  })

  it.each([
    ['a column', "update catalog.cve set content_hash = '', assigner = 'other'"],
    ['the words', "update catalog.cve set content_hash = '', words = words || 'other'::tsvector"],
    ['the products', "delete from catalog.cve_product; update catalog.cve set content_hash = ''"],
  ])('has a row for a CVE of which only %s changed that filters read', async (_, change) => {
    await publishCves(ID)
    await catalog.selectRows(change)
    await rebuild(catalog.context)
    expect(await readNewRows()).toMatchObject([{ id: ID, fields: ['search'], diff: null, types: ['updated'] }])
  })

  it('has a row for a removed CVE', async () => {
    await catalog.storeKev([{ cveId: ID, knownRansomware: false }])
    await catalog.publish()
    await readNewRows()
    await catalog.storeKev([])
    await catalog.publish()
    expect(await readNewRows()).toMatchObject([{ id: ID, kind: 'removed', types: ['kev_removed', 'removed'] }])
  })
})

describe('Change log: KEV', () => {
  const publishKev = async (...entries: Parameters<typeof catalog.storeKev>[0]) => {
    await catalog.storeKev(entries)
    await catalog.publish()
    return readNewRows()
  }

  it('has a row for each change to an entry, with the old and the new values and the new priority', async () => {
    const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)] }
    await catalog.storeRecord('nvd', OTHER, nvdRecord(OTHER))
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { metrics }))
    await publishKev()
    const row = { id: ID, fields: expect.arrayContaining(['kev']), cause: 'data' }
    const entry = { cveId: ID, knownRansomware: false }

    expect(await publishKev(entry), 'added').toMatchObject([
      {
        ...row,
        kind: 'changed',
        types: expect.arrayContaining(['kev_added', 'maturity_raised', 'priority_raised']),
        fields: expect.arrayContaining(['kev', 'enrichment']),
        diff: {
          'kev.dateAdded': { old: null, new: '2026-08-19' },
          'kev.dueDate': { old: null, new: '2026-09-02' },
          'kev.knownRansomware': { old: null, new: false },
        },
      },
    ])
    expect(await publishKev({ ...entry, dueDate: '2026-09-09' }), 'another due date').toMatchObject([
      { ...row, types: ['kev_updated'], diff: { 'kev.dueDate': { old: '2026-09-02', new: '2026-09-09' } } },
    ])
    const noted = { ...entry, dueDate: '2026-09-09', notes: 'See the advisory.' }
    expect(await publishKev(noted), 'other notes').toMatchObject([{ ...row, types: ['kev_updated'] }])
    expect(await publishKev({ ...noted, knownRansomware: true }), 'used by ransomware').toMatchObject([
      {
        ...row,
        types: ['kev_updated', 'maturity_raised', 'priority_raised', 'ransomware_added'],
        diff: { 'kev.knownRansomware': { old: false, new: true }, 'priority.level': { old: 'P1', new: 'P0' } },
      },
    ])
    expect(await publishKev(), 'removed').toMatchObject([
      {
        ...row,
        types: expect.arrayContaining(['kev_removed', 'priority_lowered']),
        diff: { 'kev.dateAdded': { old: '2026-08-19', new: null } },
      },
    ])
  })
})

describe('Change log: EPSS', () => {
  /** Each case: the scores on two days, and whether the CVE has a row. */
  const CASES = [
    [0.1, 0.15, true],
    [0.15, 0.1, true],
    [0.1, 0.14999, false],
    [0.00334, 0.01, false],
    [0.00333, 0.01, true],
    [0.01, 0.00333, true],
    [0.003, 0.00999, false],
    [0.9, 0.94, false],
  ] as const
  const ids = CASES.map((_, index) => `CVE-2026-${2000 + index}`)
  const scoresOf = (day: 0 | 1) => Object.fromEntries(CASES.map((pair, index) => [ids[index] ?? '', pair[day]]))

  const readMoved = () =>
    catalog.selectRows(`
      select catalog.cve_id(moved.cve_key) as id, types, moved.old, moved.new
        from catalog.epss_moved moved
        join catalog.change using (seq)
       order by moved.seq, moved.cve_key
    `)

  it('has a row for each jump, and one row for the release', async () => {
    await catalog.storeEpss('2026-08-20', scoresOf(0))
    await publishCves(...ids)
    await catalog.storeEpss('2026-08-21', scoresOf(1))
    await catalog.publish()
    const rows = (await readNewRows()).filter(({ kind }) => kind === 'epss')
    const jumps = CASES.flatMap(([old, current, isJump], index) =>
      isJump ? [{ id: ids[index], types: ['epss_jump'], diff: { 'epss.score': { old, new: current } } }] : [],
    )
    expect(rows).toMatchObject([
      ...jumps,
      { id: null, types: ['epss_released'], diff: { 'epss.date': { old: '2026-08-20', new: '2026-08-21' } } },
    ])
  })

  it('has one row and no jumps for a release from another model', async () => {
    await catalog.storeEpss('2026-08-20', scoresOf(0))
    await publishCves(...ids)
    await catalog.storeEpss('2026-08-21', scoresOf(1), 'v2026.09.01')
    await catalog.publish()
    const rows = (await readNewRows()).filter(({ kind }) => kind === 'epss')
    expect(rows).toMatchObject([
      {
        id: null,
        types: ['epss_model_changed', 'epss_released'],
        diff: { 'epss.model_version': { old: 'v2026.06.15', new: 'v2026.09.01' } },
      },
    ])
  })

  it('keeps every score that a release changed beside the row of the release, also without a jump', async () => {
    const [lost, gained, same] = ['CVE-2026-2100', 'CVE-2026-2101', 'CVE-2026-2102'] as const
    await catalog.storeEpss('2026-08-20', { ...scoresOf(0), [lost]: 0.2, [same]: 0.3 })
    await publishCves(...ids, lost, gained, same)
    expect(await readMoved()).toEqual([])
    await catalog.storeEpss('2026-08-21', { ...scoresOf(1), [gained]: 0.4, [same]: 0.3 })
    await catalog.publish()
    expect(await readMoved()).toEqual([
      ...CASES.map(([old, current], index) => ({ id: ids[index], types: ['epss_released'], old, new: current })),
      { id: lost, types: ['epss_released'], old: 0.2, new: null },
      { id: gained, types: ['epss_released'], old: null, new: 0.4 },
    ])
  })

  it('keeps the scores that a release of another model changed, too', async () => {
    await catalog.storeEpss('2026-08-20', { [ID]: 0.49 })
    await publishCves(ID)
    await catalog.storeEpss('2026-08-21', { [ID]: 0.51 }, 'v2026.09.01')
    await catalog.publish()
    expect(await readMoved()).toEqual([
      { id: ID, types: ['epss_model_changed', 'epss_released'], old: 0.49, new: 0.51 },
    ])
  })

  it('has no jump for the first score of a CVE', async () => {
    await catalog.storeEpss('2026-08-20', {})
    await publishCves(ID)
    await catalog.storeEpss('2026-08-21', { [ID]: 0.05 })
    await catalog.publish()
    expect(await readNewRows()).toMatchObject([{ types: ['epss_released'] }])
  })
})

describe('Change log: causes', () => {
  const changeRules = () => catalog.selectRows("update catalog.resolver_inputs set resolver_version = 'older'")
  const spoil = () => catalog.selectRows("update catalog.cve set content_hash = '', status = 'Received'")

  it('are the rules for a CVE published again after the rules were updated, and the update has its own row', async () => {
    await publishCves(ID)
    await changeRules()
    await spoil()
    await catalog.publish()
    expect(await readNewRows()).toMatchObject([
      { id: null, types: ['rules_changed'], diff: { 'rules.resolver_version': { old: 'older' } }, cause: 'rules' },
      { id: ID, types: ['status_changed'], cause: 'rules' },
    ])
  })

  it('are the data if a source also changed', async () => {
    await publishCves(ID)
    await changeRules()
    await spoil()
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    expect((await readNewRows()).at(-1)).toMatchObject({ id: ID, cause: 'data' })
  })

  it('are a reload after a rebuild by an operator', async () => {
    await publishCves(ID)
    await spoil()
    await rebuild(catalog.context)
    expect(await readNewRows()).toMatchObject([{ id: ID, cause: 'reload' }])
  })

  it('do not matter for a KEV entry that the rules render as before: it has no row', async () => {
    await catalog.storeKev([{ cveId: ID }])
    await publishCves(ID)
    await changeRules()
    await catalog.publish()
    expect(await readNewRows()).toMatchObject([{ id: null, types: ['rules_changed'] }])
  })
})
