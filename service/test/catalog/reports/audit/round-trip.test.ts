import { beforeEach, describe, expect, it } from 'vitest'
import { auditCatalog } from '../../../../src/catalog/reports/audit/audit.ts'
import { createCatalogHarness } from '../../catalog-setup.ts'
import { configuration, cpe, cveListRecord, nvdRecord } from '../../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const CVE = 'CVE-2026-1000'

const AFFECTED = [
  {
    vendor: 'Examplesoft',
    product: 'Switch',
    defaultStatus: 'unaffected',
    versions: [
      { status: 'affected', version: '1.0', lessThan: '1.9', versionType: 'custom' },
      { status: 'affected', version: '2.0 and earlier' },
    ],
  },
]

async function storeGhsa(): Promise<void> {
  const product = { vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark' }
  const record = JSON.stringify({
    advisories: ['GHSA-jfh8-c2jp-5v3q'],
    title: 'A flaw in lark',
    published: '2026-08-01T10:00:00Z',
    withdrawn: false,
    scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', base_score: 9.8 }],
    weaknesses: ['CWE-79'],
    products: [{ ...product, introduced: '2.0.0', fixed: '2.2.2', last_affected: null }],
    references: [],
  })
  await catalog.selectRows(`
    insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
    values ('GHSA-jfh8-c2jp-5v3q', '${CVE}', sha256('x'), '2026-08-02T10:00:00Z', '${record}')
  `)
}

/** Publishes one CVE with records from NVD, the CVE List and GHSA, and with entries in both KEV catalogs. */
async function publishCve(nvd: object = {}): Promise<void> {
  const configurations = [configuration([{ criteria: cpe('router'), versionEndExcluding: '2.4' }])]
  await storeGhsa()
  await catalog.storeRecord('nvd', CVE, nvdRecord(CVE, { configurations, ...nvd }))
  await catalog.storeRecord('cve', CVE, cveListRecord(CVE, { affected: AFFECTED }))
  await catalog.storeKev([{ cveId: CVE }])
  await catalog.storeEuKev({ [CVE]: '2026-08-20' })
  await catalog.publish()
}

/** Adds a row of the source `rules` beside GHSA's, which calls the version affected. */
const insertConclusion = (version: string) =>
  catalog.selectRows(`
    insert into catalog.affected
           (subject_key, nr, name_key, is_affected, is_vague, scheme, source, target, versions)
    select subject_key, (select max(nr) + 1 from catalog.affected), name_key, true, false, scheme, 'rules', '',
           array['${version}']
      from catalog.affected
     where source = 'ghsa'
  `)

async function findDifferences(): Promise<readonly string[]> {
  const { roundTrip } = await auditCatalog(catalog.context.session.db, { maxExamples: 3 })
  const found = roundTrip.differences.filter(({ reason }) => reason === undefined)
  return found.map(({ place, kind, values, count, sources }) => {
    return `${place} ${kind} ${values} ${count} ${sources.map(({ source }) => source).join()}`
  })
}

describe('Round trip: the served values and the raw records', () => {
  it('agree after a publication, and every place has compared values', async () => {
    await publishCve()

    const { roundTrip } = await auditCatalog(catalog.context.session.db, { maxExamples: 3 })

    expect(roundTrip.differences).toMatchObject([
      { place: 'affected', kind: 'words', values: 1, sources: [{ source: 'derived:cna:routers' }] },
      { place: 'detail', kind: 'words' },
    ])
    expect(roundTrip.differences.every(({ reason }) => reason !== undefined)).toBe(true)
    expect(Object.entries(roundTrip.compared).filter(([, count]) => count === 0)).toEqual([])
  })

  it('differ in each of three planted edits, which are counted by kind and source', async () => {
    await publishCve()
    await catalog.selectRows(`update catalog.affected set high = '2.2.3', fixed = '2.2.3' where source = 'ghsa'`)
    await catalog.selectRows(`
      update catalog.cve_detail
         set record = replace(record, '"version":"2.4","is_commit"', '"version":"2.5","is_commit"')
       where source = 'nvd'
    `)
    await catalog.selectRows(`update catalog.cve_document set severity = '9.1', published = '"2026-08-03T00:00:00Z"'`)

    expect(await findDifferences()).toEqual([
      'affected end 1 1 ghsa',
      'fixes fix 1 1 nvd',
      'scores score 1 1 record',
      'dates published 1 1 record',
    ])
  })

  it.each([
    ["high_in = true, fixed = null where source = 'ghsa'", 'affected end-included 1 1 ghsa'],
    ["high = null, high_in = null, fixed = null where source = 'ghsa'", 'affected end-dropped 1 1 ghsa'],
    ["low = null, low_in = null where source = 'ghsa'", 'affected start-dropped 1 1 ghsa'],
    ["low = '1.0', low_in = true where source = 'nvd'", 'affected start 1 1 nvd'],
    ["source = 'cna:other' where source = 'ghsa'", 'affected source 1 1 cna:other'],
    ["source = 'rules' where source = 'ghsa'", 'affected rules 1 1 rules'],
    ["is_affected = false where source = 'nvd'", 'affected status 1 1 nvd'],
  ])('after the update of a range: set %s', async (update, expected) => {
    await publishCve()
    await catalog.selectRows(`update catalog.affected set ${update}`)

    expect(await findDifferences()).toEqual([expected])
  })

  it('allow a conclusion of the service beside the row of the source that it contradicts', async () => {
    await publishCve()
    await insertConclusion('2.2.2')
    expect(await findDifferences()).toEqual([])

    await insertConclusion('2.2.9')
    expect(await findDifferences()).toEqual(['affected rules 1 1 rules'])
  })

  it.each([
    ['https://wordpress.org/plugins', 'lark-gallery'],
    ['https://repo.maven.apache.org/maven2', 'org.example:lark'],
    ['https://www.npmjs.com', '@example/lark'],
  ])('agree about a package of %s named %s, and differ if it gets another name', async (collectionURL, packageName) => {
    const versions = [{ status: 'affected', version: '1.0', lessThan: '2.0' }]
    const affected = [{ vendor: 'Examplesoft', product: 'Lark', collectionURL, packageName, versions }]
    await catalog.storeRecord('cve', CVE, cveListRecord(CVE, { affected }))
    await catalog.publish()
    expect(await catalog.selectRows("select 1 from catalog.affected where source = 'cna:routers'")).toHaveLength(1)
    expect(await findDifferences()).toEqual([])

    await catalog.selectRows("update catalog.affected_name set product = 'wren' where kind = 'purl'")

    expect(await findDifferences()).toEqual(['affected product 1 1 cna:routers'])
  })

  it('agree about a product of which the source does not know the status, and differ if it is served as affected', async () => {
    const versions = [{ status: 'affected', version: '1.0', lessThan: '2.0' }]
    const known = { vendor: 'Red Hat', product: 'Red Hat Enterprise Linux 9', packageName: 'lark', versions }
    const affected = [known, { ...known, packageName: 'wren', defaultStatus: 'unknown', versions: [] }]
    await catalog.storeRecord('cve', CVE, cveListRecord(CVE, { affected }))
    await catalog.publish()
    expect(await findDifferences()).toEqual([])

    await catalog.selectRows('update catalog.affected set is_vague = false where is_vague')

    expect(await findDifferences()).toEqual(['affected status 1 1 cna:routers'])
  })

  it('agree if an end is no version and the range is marked as vague, and differ if it is not marked', async () => {
    const versions = [{ status: 'affected', version: '1.0', lessThan: 'https://example.com/releases' }]
    const affected = [{ vendor: 'Examplesoft', product: 'Switch', versions }]
    await catalog.storeRecord('cve', CVE, cveListRecord(CVE, { affected }))
    await catalog.publish()
    expect(await findDifferences()).toEqual([])

    await catalog.selectRows("update catalog.affected set is_vague = false, low = '1.0', low_in = true")

    expect(await findDifferences()).toEqual(['affected open-end-from-text 1 1 derived:cna:routers'])
  })

  it.each([
    ["catalog.kev set due_date = '2026-10-01'", 'kev kev 1 1 record'],
    [`catalog.cve_document set exploits = replace(exploits, '2026-08-20', '2026-08-21')`, 'kev kev 1 1 record'],
    [`catalog.cve_document set enrichment = replace(enrichment, 'CWE-79', 'CWE-80')`, 'weaknesses weakness 1 1 record'],
    [
      `catalog.cve_document set cpe = replace(cpe, '"versionEndExcluding":"2.4"', '"versionEndIncluding":"2.4"')`,
      'cpe end-included 1 1 nvd',
    ],
    [`catalog.cve_document set cpe = replace(cpe, 'router', 'modem')`, 'cpe product 1 1 nvd'],
    [`catalog.cve_document set modified = '"2027-01-01T00:00:00Z"'`, 'dates modified 1 1 record'],
    [
      `catalog.cve_detail set record = replace(record, '"less_than":"2.2.2"', '"less_than":"2.2.3"')`,
      'detail end 1 1 ghsa',
    ],
  ])('differ after: update %s', async (update, expected) => {
    await publishCve()
    await catalog.selectRows(`update ${update}`)

    expect(await findDifferences()).toContain(expected)
  })
})
