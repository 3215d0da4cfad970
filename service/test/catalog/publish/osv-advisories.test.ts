import { expect, it } from 'vitest'
import { readSourceData } from '../../../src/catalog/publish/read/read-source-data.ts'
import { type CveId, parseCveId } from '../../../src/domain/cve-id.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const { context, selectRows } = await createCatalogHarness()

function cve(id: string): CveId {
  const cveId = parseCveId(id)
  if (cveId === undefined) throw new Error(`${id} is not a CVE id`)
  return cveId
}

it('publishing a CVE reads all OSV advisories that list the CVE, even one that lists several CVEs', async () => {
  await selectRows(`
    insert into source.osv_advisory (feed, id, modified, record, content_hash)
    values ('osv-go', 'GO-2024-0001', '2026-08-01T10:00:00Z', '{"database":"go"}', ''),
           ('osv-almalinux', 'ALSA-2024:0001', '2026-08-02T10:00:00Z', '{"database":"almalinux"}', ''),
           ('osv-go', 'GO-2024-0002', '2026-08-01T10:00:00Z', '{"database":"go","aliases":["none"]}', '')
  `)
  await selectRows(`
    insert into source.osv_advisory_cve (feed, advisory_id, cve_id)
    values ('osv-go', 'GO-2024-0001', 'CVE-2024-0001'),
           ('osv-almalinux', 'ALSA-2024:0001', 'CVE-2024-0001'),
           ('osv-almalinux', 'ALSA-2024:0001', 'CVE-2024-0002')
  `)

  const [first, second, third] = await readSourceData(
    context.session.db,
    ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003'].map(cve),
  )

  expect(first?.records.map(({ source, record }) => [source, record]).sort()).toEqual([
    ['osv', '{"database":"almalinux"}'],
    ['osv', '{"database":"go"}'],
  ])
  expect(second?.records).toMatchObject([{ source: 'osv', modified: new Date('2026-08-02T10:00:00Z') }])
  expect(third?.records).toEqual([])
})
