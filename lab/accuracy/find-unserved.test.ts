import { expect, it } from 'vitest'
import { createCatalogHarness } from '../../service/test/catalog/catalog-setup.ts'
import { findUnserved } from './find-unserved.ts'

it('finds CVEs that a source describes and that are not published, by source and year', async () => {
  const catalog = await createCatalogHarness()
  await catalog.storeExploit('nuclei', '1', ['CVE-2026-1000', 'CVE-2026-1001'])
  await catalog.storeExploit('poc', '2', ['CVE-2026-1002'])
  await catalog.storeRecord('redhat', 'CVE-2025-1000', { withdrawn: true })
  await catalog.storeRecord('redhat', 'CVE-2025-1001', { description: 'A flaw.' })
  expect(await findUnserved(catalog.context.session)).toEqual([
    { source: 'nuclei', year: '2026', count: 2, example: 'CVE-2026-1000' },
    { source: 'redhat', year: '2025', count: 1, example: 'CVE-2025-1001' },
  ])
  await catalog.publish()
  expect(await findUnserved(catalog.context.session)).toEqual([])
})
