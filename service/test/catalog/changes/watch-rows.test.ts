// What publications leave in the change log and its detail tables for a reader that tells what entered a search: the cases
// that an earlier log did not have.
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const [ID, GHSA] = ['CVE-2026-1000', 'GHSA-jfh8-c2jp-5v3q']
beforeEach(() => catalog.reset())

interface Row {
  readonly cve: string | null
  readonly types: readonly string[]
  readonly cause: string
  readonly diff: object | null
  /** Products and packages whose affected versions changed. */
  readonly touched: readonly string[]
  /** Values before the change. */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly moved: readonly object[]
}

/** All that the rows after a position say. */
const readAfter = (seq: string) =>
  catalog.selectRows<Row>(`
    select catalog.cve_id(cve_key) as cve, types, cause, diff,
           array(
             select distinct product::text
               from catalog.affected_touched touched
               join catalog.affected_name using (name_key)
              where touched.seq = change.seq and touched.subject_key = coalesce(change.cve_key, touched.subject_key)
              order by 1
           ) as touched,
           (select row from catalog.change_before where seq = change.seq) as before,
           array(
             select jsonb_build_object('cve', catalog.cve_id(cve_key), 'old', old, 'new', new)
               from catalog.epss_moved where seq = change.seq order by cve_key
           ) as moved
      from catalog.change
     where seq > ${seq}
     order by seq`)

async function readPosition(): Promise<string> {
  const [newest] = await catalog.selectRows<{ seq: string }>('select coalesce(max(seq), 0) as seq from catalog.change')
  return newest?.seq ?? '0'
}

/** Publishes what `store` stores, and returns the rows of this publication. */
async function publishAfter(store: () => Promise<unknown>): Promise<readonly Row[]> {
  const position = await readPosition()
  await store()
  // Advisories are compared after a run of their feed.
  await catalog.selectRows("update catalog.dataset set last_run_at = clock_timestamp() where name = 'ghsa'")
  await catalog.publish()
  return readAfter(position)
}

async function storeGhsa(cveId: string | null, fixed: string, changes: object = {}): Promise<void> {
  const record = JSON.stringify({
    advisories: [GHSA],
    title: 'A flaw in lark',
    published: '2026-08-01T10:00:00Z',
    withdrawn: false,
    scores: [],
    products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed }],
    ...changes,
  })
  await catalog.selectRows(`
    insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
    values ('${GHSA}', ${cveId === null ? 'null' : `'${cveId}'`}, sha256('${record}'), '2026-08-02', '${record}')
    on conflict (ghsa_id) do update set content_hash = excluded.content_hash, record = excluded.record;
    insert into source.publication_queue (cve_id, feed) select '${cveId}', 'ghsa' where ${cveId !== null}`)
}

const storeDebian = (fixed: string) =>
  catalog.selectRows(`
    insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
    values ('lark', '${ID}', 'bookworm', 'resolved', '${fixed}', sha256('${fixed}'))
    on conflict (package, cve_id, release) do update
       set fixed_version = excluded.fixed_version, content_hash = excluded.content_hash;
    insert into source.publication_queue (cve_id, feed) values ('${ID}', 'debian')`)

describe('A reader of the change log learns', () => {
  it.each([
    ['GitHub', (version: string) => storeGhsa(ID, version)],
    ['Debian', storeDebian],
  ])('that %s edited a range and nothing else, with the package', async (_source, store) => {
    await publishAfter(async () => {
      await catalog.storeRecord('nvd', ID, nvdRecord(ID))
      await store('2.4')
    })
    const [row, ...others] = await publishAfter(() => store('2.6'))
    expect(others).toEqual([])
    expect(row).toMatchObject({ cve: ID, cause: 'data', touched: ['lark'], moved: [] })
    expect(row?.types).toContain('affected_changed')
  })

  it('that an advisory without a CVE was published, changed and withdrawn', async () => {
    const rows = [
      ...(await publishAfter(() => storeGhsa(null, '2.4'))),
      ...(await publishAfter(() => storeGhsa(null, '2.6'))),
      ...(await publishAfter(() => storeGhsa(null, '2.6', { withdrawn: true }))),
    ]
    const named = (old: string | null, current: string | null) => ({ 'advisory.id': { old, new: current } })
    const shared = { cve: null, cause: 'data', touched: ['lark'], before: null, moved: [] }
    expect(rows).toEqual([
      { ...shared, types: ['advisory_published'], diff: named(null, GHSA) },
      { ...shared, types: ['advisory_changed'], diff: named(GHSA, GHSA) },
      { ...shared, types: ['advisory_withdrawn'], diff: named(GHSA, null) },
    ])
  })

  it('that ENISA listed a CVE that was known to be exploited already', async () => {
    await catalog.storeKev([{ cveId: ID }])
    await publishAfter(() => catalog.storeRecord('nvd', ID, nvdRecord(ID)))
    const [row, ...others] = await publishAfter(() => catalog.storeEuKev({ [ID]: '2026-08-18' }))
    expect(others).toEqual([])
    expect(row).toMatchObject({ cve: ID, cause: 'data', before: { cve: { in_eu_kev: false } } })
    expect(row?.types).toContain('eu_kev_added')
    expect(row?.types).not.toContain('maturity_raised')
  })

  it('that a score crossed a bound without a jump, from the row of the release', async () => {
    await catalog.storeEpss('2026-08-20', { [ID]: 0.49, 'CVE-2026-1001': 0.2 })
    await publishAfter(async () => {
      await catalog.storeRecord('nvd', ID, nvdRecord(ID))
      await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001'))
    })
    const rows = await publishAfter(() => catalog.storeEpss('2026-08-21', { [ID]: 0.51, 'CVE-2026-1001': 0.2 }))
    const releases = rows.filter(({ types }) => types.includes('epss_released'))
    expect(releases).toMatchObject([{ cve: null, cause: 'data', moved: [{ cve: ID, old: 0.49, new: 0.51 }] }])
    expect(rows.flatMap(({ types }) => types)).not.toContain('epss_jump')
  })
})
