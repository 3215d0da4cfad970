// The catalog of the gate tests: real rows that the publisher writes, one situation each.
import { type CatalogHarness, createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'
import { freshDatasets } from '../../../service/test/support/catalog/example-catalog.ts'
import type { TestService } from '../../../service/test/support/service.ts'

const CRITICAL = nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)

const configure = (match: object) => ({
  nodes: [{ operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, ...match }] }],
})
export const routerCpe = (version: string) => `cpe:2.3:a:examplesoft:router:${version}:*:*:*:*:*:*:*`
const storeNvd = (catalog: CatalogHarness, id: string, match: object) =>
  catalog.storeRecord(
    'nvd',
    id,
    nvdRecord(id, { metrics: { cvssMetricV31: [CRITICAL] }, configurations: [configure(match)] }),
  )

/** A CVE of router before 2.4 that is exploited (P0), an old one (P3 or P4), and one without a version. */
export const [EXPLOITED, MILD, VAGUE, LETTERS] = ['CVE-2026-2001', 'CVE-2026-2002', 'CVE-2026-2003', 'CVE-2026-2004']
export const ADVISORY = 'GHSA-2222-3333-4444'

export async function publishGateCatalog({ database, given }: TestService): Promise<CatalogHarness> {
  const catalog = await createCatalogHarness(database.url)
  await given(...freshDatasets)
  await storeNvd(catalog, EXPLOITED, { criteria: routerCpe('*'), versionEndExcluding: '2.4' })
  await storeNvd(catalog, MILD, { criteria: routerCpe('*').replace('router', 'switch'), versionEndExcluding: '2.4' })
  await storeNvd(catalog, VAGUE, { criteria: routerCpe('-').replace('router', 'bridge') })
  await storeNvd(catalog, LETTERS, { criteria: routerCpe('*').replace('router', 'modem'), versionEndExcluding: '2.4' })
  await catalog.storeKev([EXPLOITED, VAGUE].map((cveId) => ({ cveId, dateAdded: '2026-08-10', dueDate: '2026-08-31' })))
  await storeAdvisory(catalog)
  await storeMalicious(catalog)
  await storeDebian(catalog)
  await catalog.publish()
  return catalog
}

async function storeAdvisory(catalog: CatalogHarness): Promise<void> {
  const record = {
    advisories: [ADVISORY],
    title: 'A flaw in lark',
    published: '2026-08-01T10:00:00Z',
    withdrawn: false,
    scores: [],
    products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed: '1.2.3' }],
  }
  await catalog.selectRows(`
    insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
    values ('${ADVISORY}', null, '', '2026-08-02T10:00:00Z', '${JSON.stringify(record)}')
  `)
}

export const MALICIOUS = 'MAL-2026-1000'

async function storeMalicious(catalog: CatalogHarness): Promise<void> {
  const record = {
    database: 'malicious',
    cve_ids: [],
    aliases: [],
    advisories: [MALICIOUS],
    title: 'Malicious code in larkfeild (npm)',
    withdrawn: false,
    scores: [],
    products: [{ vendor: 'npm', product: 'larkfeild', status: 'affected', cpe: null, purl: 'pkg:npm/larkfeild' }],
  }
  await catalog.selectRows(`
    insert into source.osv_advisory (feed, id, modified, record, content_hash)
    values ('malicious', '${MALICIOUS}', '2026-08-02T10:00:00Z', '${JSON.stringify(record)}', '')
  `)
}

/** The source package openssl of Debian 12, fixed in a later version, from which libssl3 is built. */
export const OPENSSL = 'CVE-2026-2005'

async function storeDebian(catalog: CatalogHarness): Promise<void> {
  await catalog.storeRecord(
    'nvd',
    OPENSSL,
    nvdRecord(OPENSSL, { metrics: { cvssMetricV31: [CRITICAL] }, configurations: [] }),
  )
  await catalog.selectRows(`
    insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
    values ('openssl', '${OPENSSL}', 'bookworm', 'resolved', '3.0.11-1~deb12u2', '')
  `)
  await catalog.storeKev([EXPLOITED, VAGUE, OPENSSL].map((cveId) => ({ cveId, dateAdded: '2026-08-10' })))
}
