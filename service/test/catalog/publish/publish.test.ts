import { beforeEach, describe, expect, it } from 'vitest'
import { rebuild } from '../../../src/catalog/publish/rebuild.ts'
import { queueRebuildIfInputsChanged } from '../../../src/catalog/publish/rebuild-trigger.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { formatInstant } from '../../../src/domain/instant.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'

async function readDocument(cveId = ID): Promise<Record<string, unknown>> {
  const [row] = await catalog.selectRows<Record<string, string>>(
    `select * from catalog.cve_document where cve_key = catalog.cve_key('${cveId}')`,
  )
  if (!row) throw new Error(`${cveId} is not published`)
  const { cve_key: _key, enriched_at, ...fragments } = row
  return {
    ...Object.fromEntries(Object.entries(fragments).map(([name, text]) => [name, JSON.parse(text)])),
    enriched_at,
  }
}

const readChanges = () =>
  catalog.selectRows<{ id: string | null; kind: string; fields: string[] }>(
    'select catalog.cve_id(cve_key) as id, kind, fields from catalog.change order by seq',
  )
const readIds = () =>
  catalog.selectRows<{ id: string }>('select catalog.cve_id(cve_key) as id from catalog.cve order by cve_key')

describe('Publisher: records of a CVE', () => {
  it('publishes one record per CVE and empties the publication queue', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    expect(await catalog.publish()).toMatchObject({ added: 1, changed: 0, removed: 0 })
    expect(await readDocument()).toMatchObject({
      description: 'Example Router restarts when it receives a malformed packet.',
      severity: 7.5,
      status: 'Analyzed',
      source_tag: 'nvd',
      enrichment_status: 'enriched',
    })
    expect(await readChanges()).toMatchObject([{ id: ID, kind: 'added' }])
    expect(await catalog.selectRows('select from source.publication_queue')).toEqual([])
  })

  it('writes no rows when an unchanged record is published again', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const [before] = await catalog.selectRows('select xmin, * from catalog.cve')
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    expect(await catalog.publish()).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(await catalog.selectRows('select xmin, * from catalog.cve')).toEqual([before])
    expect(await readChanges()).toHaveLength(1)
  })

  it('publishes a changed record again and logs the names of the changed members', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const descriptions = [{ lang: 'en', value: 'Example Router restarts twice.' }]
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { descriptions }), '2026-08-21T00:00:00Z')
    expect(await catalog.publish()).toMatchObject({ added: 0, changed: 1 })
    const [, second] = await readChanges()
    expect(second).toMatchObject({ id: ID, kind: 'changed', fields: ['modified', 'description', 'sources', 'detail'] })
    expect(await readDocument()).toMatchObject({
      description: 'Example Router restarts twice.',
      modified: '2026-08-21T00:00:00Z',
    })
  })

  it('updates enriched_at only when the enrichment changed', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const enrichedAt = catalog.clock.now()
    catalog.clock.advance({ hours: 1 })
    await catalog.storeRecord(
      'nvd',
      ID,
      nvdRecord(ID, { descriptions: [{ lang: 'en', value: 'Another description.' }] }),
    )
    await catalog.publish()
    expect((await readDocument())['enriched_at']).toEqual(enrichedAt)
    catalog.clock.advance({ hours: 1 })
    await catalog.storeExploit('exploitdb', '42', [ID])
    await catalog.publish()
    expect((await readDocument())['enriched_at']).toEqual(catalog.clock.now())
  })
})

describe('Publisher: columns added by a new version', () => {
  it('queues every CVE once, so that the new column gets its values', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const queueFor = (...columns: string[]) =>
      withPublishLock(catalog.context, (tx) => queueRebuildIfInputsChanged(tx, columns))
    await queueFor('score')
    await catalog.publish()
    await queueFor('score', 'reference_count')
    const queue = 'select cve_id from source.publication_queue'
    expect(await catalog.selectRows(queue)).toEqual([{ cve_id: ID }])
    await queueFor('score', 'reference_count')
    expect(await catalog.selectRows(queue)).toHaveLength(1)
  })
})

describe('Publisher: a CVE that only KEV lists', () => {
  it('publishes a record with the status Received, and with the text, date and weaknesses from KEV (decision D18)', async () => {
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    expect(await readDocument()).toMatchObject({
      source_tag: 'kev',
      status: 'Received',
      enrichment_status: 'enriched',
      published: '2026-08-19T00:00:00Z',
      description: 'A malformed packet restarts the router.',
      severity: null,
      enrichment: { cwe_list: ['CWE-20'], kev_flag: true },
    })
  })

  it('removes the record and logs the removal when CISA removes the KEV entry', async () => {
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    await catalog.storeKev([])
    expect(await catalog.publish()).toMatchObject({ removed: 1 })
    expect(await readIds()).toEqual([])
    expect(await catalog.selectRows('select from catalog.epss')).toEqual([])
    expect((await readChanges()).at(-1)).toMatchObject({ id: ID, kind: 'removed' })
  })
})

describe('Publisher: a CVE that neither NVD nor the CVE List has (decision E32)', () => {
  it('is published with its EPSS score while a source describes it, and removed when none does', async () => {
    await catalog.storeEpss('2026-08-20', { [ID]: 0.5 })
    await catalog.storeExploit('poc', '1', [ID])
    expect(await catalog.publish()).toMatchObject({ added: 0, removed: 0 })
    await catalog.storeExploit('nuclei', '2', [ID])
    expect(await catalog.publish()).toMatchObject({ added: 1 })
    expect(await readDocument()).toMatchObject({ source_tag: 'nuclei', status: 'Received' })
    expect(await catalog.selectRows('select score from catalog.epss')).toEqual([{ score: 0.5 }])
    await catalog.selectRows("update source.exploit_item set removed_at = now() where feed = 'nuclei'")
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'nuclei')`)
    expect(await catalog.publish()).toMatchObject({ removed: 1 })
    expect(await readIds()).toEqual([])
  })

  it('is published by a rebuild', async () => {
    await catalog.storeExploit('exploitdb', '1', [ID])
    await catalog.selectRows('delete from source.publication_queue')
    expect(await rebuild(catalog.context)).toMatchObject({ added: 1 })
  })
})

describe('Publisher: a removed KEV entry', () => {
  it('removes the KEV entry and the KEV flags in one transaction and sets modified to the removal time', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    expect(await readDocument()).toMatchObject({ enrichment: { kev_flag: true } })
    await catalog.storeKev([])
    await catalog.publish()
    const logged = await catalog.selectRows(
      'select from catalog.change join catalog.cve on cve.xmin = change.xmin where types && $${kev_removed}$$',
    )
    expect(logged, 'the transaction that publishes the CVE writes the change').toHaveLength(1)
    expect(await readDocument()).toMatchObject({
      enrichment: { kev_flag: false },
      modified: formatInstant(catalog.clock.now()),
    })
    expect(await catalog.selectRows('select from catalog.kev')).toEqual([])
    expect(await catalog.selectRows('select in_kev from catalog.cve')).toEqual([{ in_kev: false }])
  })
})

describe('Publisher: a rejected CVE', () => {
  it('keeps the record of a rejected CVE with the status Rejected', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const rejected = { vulnStatus: 'Rejected', metrics: {}, configurations: [], weaknesses: [], references: [] }
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, rejected))
    await catalog.publish()
    expect(await readDocument()).toMatchObject({ status: 'Rejected', severity: null, cpe: [] })
  })

  it('publishes the original record again after a rejection is revoked', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const before = await readDocument()
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, { vulnStatus: 'Rejected', metrics: {} }))
    await catalog.publish()
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    expect(await readDocument()).toEqual({ ...before, enriched_at: expect.anything() })
  })
})
