import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { verify } from '../../../src/catalog/publish/verify.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { cveListRecord, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const [ID, OTHER, IN_KEV] = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']

beforeEach(async () => {
  await catalog.reset()
  await catalog.storeRecord('nvd', ID, nvdRecord(ID))
  await catalog.selectRows(`
    insert into source.osv_advisory (feed, id, modified, record, content_hash)
    values ('osv-go', 'GO-2024-0001', '2026-08-01T10:00:00Z', '{"database":"go","advisories":["GO-2024-0001"]}', '')
  `)
  await catalog.selectRows(`
    insert into source.osv_advisory_cve (feed, advisory_id, cve_id) values ('osv-go', 'GO-2024-0001', '${ID}')
  `)
  await catalog.storeRecord('cve', OTHER, cveListRecord(OTHER))
  await catalog.storeKev([{ cveId: IN_KEV }])
  await catalog.publish()
})

const report = () => verify(catalog.context, { repair: false })
const repair = () => verify(catalog.context, { repair: true })
const key = (id: string) => `catalog.cve_key('${id}')`
/** Contents of all catalog tables that a repair may write, without times and hashes of earlier states. */
const readCatalog = () =>
  catalog.selectRows<{ cve: object }>(`
    select to_jsonb(cve) - 'words' as cve, cve.words::text, to_jsonb(document) - 'enriched_at' as document, to_jsonb(kev) as kev,
           (select jsonb_agg(to_jsonb(detail) - 'updated_at' order by source)
              from catalog.cve_detail detail where detail.cve_key = cve.cve_key) as details,
           (select jsonb_agg(to_jsonb(named) order by vendor, product)
              from catalog.cve_product_name named where named.cve_key = cve.cve_key) as products,
           (select jsonb_agg(to_jsonb(alias) order by alias)
              from catalog.alias where alias.cve_key = cve.cve_key) as aliases,
           (select jsonb_agg(to_jsonb(affected) order by nr)
              from catalog.affected where affected.subject_key = cve.cve_key) as affected
      from catalog.cve
      left join catalog.cve_document document using (cve_key)
      left join catalog.kev using (cve_key)
     order by cve_key
  `)

const NO_DIFFERENCE = {
  compared: 3,
  queued: 0,
  failed: 0,
  differing: 0,
  repaired: 0,
  wrongNameCounts: 0,
  examples: [],
}

describe('Catalog verification', () => {
  it('reports no difference after a publication', async () => {
    expect(await report()).toEqual(NO_DIFFERENCE)
  })

  const ofId = `where cve_key = ${key(ID)}`
  it.each<[string, number, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    [
      'changed values',
      3,
      {
        [ID]: ['acsc', 'affected', 'aliases', 'cpe', 'cwes', 'detail:nvd', 'score', 'words'],
        [OTHER]: ['products'],
        [IN_KEV]: ['kev.summary'],
      },
      [
        `update catalog.cve set score = 1.1, words = 'a:1', cwes = '{}' ${ofId}`,
        `update catalog.cve_document set cpe = '[]', acsc = '[ ]' ${ofId}`,
        `update catalog.alias set source = 'ghsa' ${ofId}`,
        `update catalog.affected set high = '9' where subject_key = ${key(ID)}`,
        `update catalog.cve_detail set record = '{}' ${ofId}`,
        `insert into catalog.cve_product select product_key, ${key(OTHER)} from catalog.cve_product ${ofId}`,
        `update catalog.kev set summary = '{}' where cve_key = ${key(IN_KEV)}`,
      ],
    ],
    [
      'missing rows',
      2,
      { [ID]: ['affected', 'detail:nvd', 'products'], [OTHER]: ['missing'] },
      [
        `delete from catalog.cve_product ${ofId}`,
        `delete from catalog.affected where subject_key = ${key(ID)}`,
        `delete from catalog.cve_detail ${ofId}`,
        `delete from catalog.cve_document where cve_key = ${key(OTHER)}`,
      ],
    ],
    [
      'a surplus range',
      0,
      { [ID]: ['affected'] },
      [
        `insert into catalog.affected (subject_key, nr, name_key, is_affected, is_vague, scheme, source, target)
         select subject_key, 2, name_key, true, true, 'generic', 'nvd', ''
           from catalog.affected
          where subject_key = ${key(ID)}`,
      ],
    ],
  ])('finds and repairs manual edits: %s', async (_, wrongNameCounts, columns, statements) => {
    const before = await readCatalog()
    for (const statement of statements) await catalog.selectRows(statement)
    const edited = await readCatalog()
    const { examples, ...counts } = await report()
    const differing = Object.keys(columns).length
    expect(counts).toEqual({ ...NO_DIFFERENCE, differing, wrongNameCounts, examples: undefined })
    expect(Object.fromEntries(examples.map((each) => [each.cveId, each.columns.toSorted()]))).toEqual(columns)
    expect(await readCatalog(), 'a report writes nothing').toEqual(edited)

    expect(await repair()).toMatchObject({ differing, repaired: differing })
    expect(await readCatalog()).toEqual(before)
  })

  it('finds and repairs wrong CVE counts for names', async () => {
    await catalog.selectRows('update catalog.product set cve_count = 7')
    await catalog.selectRows("delete from catalog.name_count where kind = 'vendor'")
    await catalog.selectRows("insert into catalog.name_count (kind, name, cve_count) values ('cwe', 'CWE-1', 2)")
    expect(await report()).toEqual({ ...NO_DIFFERENCE, wrongNameCounts: 5 })
    await repair()
    expect(await report()).toEqual(NO_DIFFERENCE)
    expect(await catalog.selectRows('select cve_count from catalog.product')).toEqual([
      { cve_count: 1 },
      { cve_count: 1 },
    ])
  })

  it('leaves a CVE unchanged if it can no longer be rendered when it is repaired', async () => {
    await catalog.selectRows(`update catalog.cve_document set cpe = '[]' where cve_key = ${key(ID)}`)
    const edited = await readCatalog()
    const other = new Client({ connectionString: catalog.url })
    await other.connect()
    cleanUpAfterTests(() => other.end())
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtextextended('vis: publish the catalog', 0))`)
    const repairing = repair()
    // The comparison does not need the lock. Once the repair waits for the lock, the comparison is finished.
    const readWaiters = async () =>
      (
        await other.query(`select from pg_locks where not granted and locktype = 'advisory'
                             and database = (select oid from pg_database where datname = current_database())`)
      ).rowCount
    await expect.poll(readWaiters, { timeout: 30_000 }).toBe(1)
    await other.query(`update source.source_record set modified = '12000-01-01' where cve_id = '${ID}'`)
    await other.query('commit')
    expect(await repairing).toMatchObject({ differing: 1, repaired: 0 })
    expect(await readCatalog()).toEqual(edited)
  })

  it('lists differing detail records in the order of their sources', async () => {
    await catalog.storeRecord('cve', ID, cveListRecord(ID))
    await catalog.publish()
    await catalog.selectRows(`update catalog.cve_detail set record = '{}' where cve_key = ${key(ID)}`)
    expect(await report()).toMatchObject({ examples: [{ cveId: ID, columns: ['detail:cve', 'detail:nvd'] }] })
  })

  it('logs a repair as a change, so that nodes drop their cached record', async () => {
    await catalog.selectRows(`update catalog.cve_document set cpe = '[]' where cve_key = ${key(ID)}`)
    await catalog.selectRows('delete from catalog.change')
    await repair()
    expect(await catalog.selectRows('select catalog.cve_id(cve_key) as id, kind from catalog.change')).toEqual([
      { id: ID, kind: 'changed' },
    ])
  })

  it('finds and removes a published CVE that no source lists', async () => {
    await catalog.selectRows(`delete from source.source_record where cve_id = '${OTHER}'`)
    expect(await report()).toMatchObject({ differing: 1, examples: [{ cveId: OTHER, columns: ['surplus'] }] })
    await repair()
    expect(await report()).toEqual({ ...NO_DIFFERENCE, compared: 2 })
  })

  it('finds a CVE that is not published', async () => {
    for (const table of ['cve', 'cve_document', 'cve_detail', 'epss'])
      await catalog.selectRows(`delete from catalog.${table} where cve_key = ${key(ID)}`)
    expect(await report()).toMatchObject({
      differing: 1,
      examples: [{ cveId: ID, columns: ['missing', 'detail:nvd'] }],
    })
    await repair()
    expect(await report()).toEqual(NO_DIFFERENCE)
  })

  it('skips CVEs that are queued for publication', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { vulnStatus: 'Modified' }), '2026-08-21T00:00:00Z')
    expect(await report()).toEqual({ ...NO_DIFFERENCE, compared: 2, queued: 1 })
  })

  it('lists at most 20 differing CVEs but counts all of them', async () => {
    for (let number = 2000; number < 2025; number += 1)
      await catalog.storeRecord('nvd', `CVE-2026-${number}`, nvdRecord(`CVE-2026-${number}`))
    await catalog.publish()
    await catalog.selectRows('update catalog.cve_document set status = \'"Edited"\'')
    const { differing, examples } = await report()
    expect([differing, examples.length]).toEqual([28, 20])
  })
})
