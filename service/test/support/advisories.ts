// Advisories for tests of matching: one package, fixed in one version, without a CVE.
import type { CatalogHarness } from '../catalog/catalog-setup.ts'

/** `purl`: without the scheme `pkg:`. */
export const advisoryRecord = (vendor: string, purl: string, fixed: string) => ({
  title: `A flaw in ${purl}`,
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [
    { vendor, product: purl.split('/').slice(1).join('/'), status: 'affected', cpe: null, purl: `pkg:${purl}`, fixed },
  ],
})

export async function storeAdvisories(
  catalog: CatalogHarness,
  advisories: readonly (readonly [id: string, vendor: string, purl: string, fixed: string])[],
): Promise<void> {
  for (const [id, vendor, purl, fixed] of advisories) {
    const record = JSON.stringify({ advisories: [id], ...advisoryRecord(vendor, purl, fixed) })
    await catalog.selectRows(`
      insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
      values ('${id}', null, '', '2026-08-02T10:00:00Z', '${record}')
    `)
  }
}

export async function storeOsv(catalog: CatalogHarness, feed: string, id: string, record: object): Promise<void> {
  const text = JSON.stringify({ database: feed.replace('osv-', ''), advisories: [id], ...record })
  await catalog.selectRows(`
    insert into source.osv_advisory (feed, id, modified, record, content_hash)
    values ('${feed}', '${id}', '2026-08-02T10:00:00Z', '${text}', sha256('${id}'))
  `)
}
