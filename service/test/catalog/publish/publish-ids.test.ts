import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()

describe('Publisher: several chunks of CVEs', () => {
  it('publishes the CVEs of every chunk with their own texts, and records errors of any chunk', async () => {
    const template = JSON.stringify({ ...nvdRecord('CVE-0'), descriptions: [{ lang: 'en', value: 'Text of CVE-0.' }] })
    await catalog.selectRows(`
      with stored as (
        insert into source.source_record (source, cve_id, content_hash, modified, record)
        select 'nvd', 'CVE-2026-' || number, '', case when number = 1700 then '12000-01-01' else '2026-08-20' end::timestamptz,
               replace('${template}', 'CVE-0', 'CVE-2026-' || number)
          from generate_series(1001, 2201) number
        returning cve_id
      )
      insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from stored
    `)
    expect(await catalog.publish()).toMatchObject({ added: 1200, changed: 0, removed: 0, setAside: 1 })
    expect(await catalog.selectRows('select cve_id from catalog.publication_fault')).toEqual([
      { cve_id: 'CVE-2026-1700' },
    ])
    expect(
      await catalog.selectRows(`
        select count(*)::integer as published,
               count(*) filter (where description = '"Text of ' || catalog.cve_id(cve_key) || '."')::integer as right
          from catalog.cve
          join catalog.cve_document using (cve_key)
      `),
    ).toEqual([{ published: 1200, right: 1200 }])
  }, 30_000)
})
