import { expect, it } from 'vitest'
import { rebuild } from '../../../src/catalog/publish/rebuild.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()

it('the publisher writes several chunks of CVEs, each with its own texts, counts and errors, and completes an interrupted rebuild', async () => {
  const template = JSON.stringify({ ...nvdRecord('CVE-0'), descriptions: [{ lang: 'en', value: 'Text of CVE-0.' }] })
  // A rebuild processes 2,000 CVEs per transaction, in chunks of 500. The date of one CVE cannot be stored.
  await catalog.selectRows(`
    with stored as (
      insert into source.source_record (source, cve_id, content_hash, modified, record)
      select 'nvd', 'CVE-2026-' || number, '', case when number = 3050 then '12000-01-01' else '2026-08-20' end::timestamptz,
             replace('${template}', 'CVE-0', 'CVE-2026-' || number)
        from generate_series(1001, 3100) number
      returning cve_id
    )
    insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from stored
  `)
  expect(await catalog.publish()).toMatchObject({ added: 2099, changed: 0, removed: 0, setAside: 1 })
  expect(await catalog.selectRows('select cve_id from catalog.publication_fault')).toEqual([
    { cve_id: 'CVE-2026-3050' },
  ])
  expect(
    await catalog.selectRows(`
      select count(*)::integer as published,
             count(*) filter (where description = '"Text of ' || catalog.cve_id(cve_key) || '."')::integer as right
        from catalog.cve
        join catalog.cve_document using (cve_key)
    `),
  ).toEqual([{ published: 2099, right: 2099 }])
  expect(await catalog.selectRows('select product, cve_count as count from catalog.product')).toEqual([
    { product: 'router', count: 2099 },
  ])

  await catalog.selectRows(
    "insert into source.weakness values ('CWE-20', 'weakness', 'Improper Input Validation', 'Class', 'Stable', false, 'Input is not checked.', '', null)",
  )
  const stop = new AbortController()
  const first = await rebuild({ ...catalog.context, signal: stop.signal, onProgress: () => stop.abort() })
  expect(first.changed).toBe(2000)
  expect(await catalog.publish()).toMatchObject({ changed: 99 })
})
