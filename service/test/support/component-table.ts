// A catalog whose databases are in every state, and 40 components with the verdict that each deserves (decision E29).

import type { ComponentVerdict, CoverageGap } from '../../src/domain/match-words.ts'
import type { CatalogHarness } from '../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../catalog/source-fixtures.ts'
import { advisoryRecord, storeAdvisories, storeOsv } from './advisories.ts'

/** The time of the test clock. */
const [NOW, LONG_AGO] = ['2026-08-22T00:00:00Z', '2025-02-01T00:00:00Z']

interface SetState {
  readonly index: number | null
  readonly unheld?: number
  readonly at?: string
}

/** PyPA's database, and all others that judge components, have never been loaded. */
const STATES: Readonly<Record<string, SetState>> = {
  nvd: { index: 1000 },
  cve: { index: 1000 },
  ghsa: { index: 1000 },
  debian: { index: 1000 },
  'osv-almalinux': { index: 1000 },
  // Three records could not be read.
  'osv-go': { index: 1000, unheld: 3 },
  'osv-rustsec': { index: 1000, at: LONG_AGO },
  // A sample from a directory.
  'osv-bitnami': { index: null },
  redhat: { index: null },
  overrides: { index: 1000 },
  eukev: { index: 1000 },
  kev: { index: 1000 },
  epss: { index: 1000 },
}

const cpe = (product: string, version: string, vendor = 'examplesoft') =>
  `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`
const CRITICAL = { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] } }

async function storeNvd(catalog: CatalogHarness, id: string, match?: object): Promise<void> {
  const nodes = match && [{ operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, ...match }] }]
  await catalog.storeRecord('nvd', id, nvdRecord(id, { ...CRITICAL, configurations: nodes ? [{ nodes }] : [] }))
}

export async function publishTableCatalog(catalog: CatalogHarness): Promise<void> {
  await storeNvd(catalog, 'CVE-2026-4001', { criteria: cpe('router', '*'), versionEndExcluding: '2.4' })
  await storeNvd(catalog, 'CVE-2026-4002', { criteria: cpe('bridge', '-') })
  await storeNvd(catalog, 'CVE-2026-4003')
  await storeNvd(catalog, 'CVE-2026-4004')
  await catalog.selectRows(`
    insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
    values ('openssl', 'CVE-2026-4003', 'bookworm', 'resolved', '3.0.11-1~deb12u2', ''),
           ('wget', 'CVE-2026-4003', 'bookworm', 'undetermined', null, '')
  `)
  await catalog.storeRecord('redhat', 'CVE-2026-4004', {
    advisories: [],
    scores: [],
    products: [
      {
        vendor: 'Red Hat',
        product: 'a product',
        status: 'fixed',
        cpe: 'cpe:/a:redhat:enterprise_linux:9::appstream',
        purl: 'pkg:rpm/redhat/tls',
        fixed: '3.0.7-27.el9',
      },
    ],
  })
  await storeAdvisories(catalog, [
    ['GHSA-2222-3333-4441', 'npm', 'npm/lark', '1.2.3'],
    ['GHSA-2222-3333-4442', 'Go', 'golang/example.org/wren', '1.5.0'],
    ['GHSA-2222-3333-4443', 'crates.io', 'cargo/heron', '2.0.0'],
    ['GHSA-2222-3333-4444', 'PyPI', 'pypi/plover', '3.1'],
  ])
  await storeOsv(catalog, 'osv-bitnami', 'BIT-stork-2026-1', advisoryRecord('Bitnami', 'bitnami/stork', '4.0.0'))
  await storeOsv(
    catalog,
    'osv-almalinux',
    'ALSA-2026:0001',
    advisoryRecord('AlmaLinux:9', 'rpm/almalinux/tls', '3.0.7-27.el9'),
  )
  await catalog.publish()
  await catalog.selectRows(Object.entries(STATES).map(toUpdate).join(';'))
}

function toUpdate([name, { index, unheld = 0, at = NOW }]: readonly [string, SetState]): string {
  return `
    update catalog.dataset
       set table_count = 1000, index_count = ${index}, unheld_count = ${unheld}, as_of_basis = 'released',
           last_success_at = '${at}', upstream_at = '${at}'
     where name = '${name}'`
}

export interface TableRow {
  readonly title: string
  readonly component: { readonly purl: string } | { readonly cpe: string }
  readonly verdict: ComponentVerdict
  readonly gap: CoverageGap | null
}

const purl = (title: string, text: string, verdict: ComponentVerdict, gap: CoverageGap | null = null): TableRow => ({
  title,
  component: { purl: `pkg:${text}` },
  verdict,
  gap,
})
const product = (title: string, name: string, verdict: ComponentVerdict, gap: CoverageGap | null = null): TableRow => ({
  title,
  component: { cpe: name },
  verdict,
  gap,
})

export const TABLE: readonly TableRow[] = [
  purl('a covered package before the fix', 'npm/lark@1.2.2', 'affected'),
  purl('a covered package with the fix', 'npm/lark@1.2.3', 'not_affected'),
  purl('a covered package after the fix', 'npm/lark@2.0.0', 'not_affected'),
  purl('a covered package that no advisory names', 'npm/left-alone@1.0.0', 'no_known_advisory'),
  purl('a covered package without a version that no advisory names', 'npm/left-alone', 'no_known_advisory'),
  purl('a covered package without a version that an advisory names', 'npm/lark', 'possibly_affected'),
  purl('a covered package whose version has no order', 'npm/lark@newest', 'possibly_affected'),
  purl('a package of another scope', 'npm/%40acme/lark@1.0.0', 'no_known_advisory'),
  purl('a covered Maven package that no advisory names', 'maven/org.example/lark@1.0', 'no_known_advisory'),
  purl(
    'a package of an incomplete database before the fix',
    'golang/example.org/wren@v1.4.0',
    'affected',
    'incomplete',
  ),
  purl(
    'a package of an incomplete database with the fix',
    'golang/example.org/wren@v1.5.0',
    'not_covered',
    'incomplete',
  ),
  purl(
    'a package that an incomplete database does not name',
    'golang/example.org/egret@v1.0.0',
    'not_covered',
    'incomplete',
  ),
  purl(
    'a package of an incomplete database without a version',
    'golang/example.org/wren',
    'possibly_affected',
    'incomplete',
  ),
  purl('a package of a stale database before the fix', 'cargo/heron@1.9.0', 'affected', 'stale'),
  purl('a package of a stale database with the fix', 'cargo/heron@2.0.0', 'not_covered', 'stale'),
  purl('a package that a stale database does not name', 'cargo/egret@1.0.0', 'not_covered', 'stale'),
  purl('a package of a database that was never loaded, before the fix', 'pypi/plover@3.0', 'affected', 'no_data'),
  purl('a package of a database that was never loaded, with the fix', 'pypi/plover@3.1', 'not_covered', 'no_data'),
  purl('a package that no loaded database names', 'pypi/egret@1.0', 'not_covered', 'no_data'),
  purl('a package of a sample before the fix', 'bitnami/stork@3.9.0', 'affected', 'incomplete'),
  purl('a package of a sample with the fix', 'bitnami/stork@4.0.0', 'not_covered', 'incomplete'),
  purl('a package that a sample does not name', 'bitnami/egret@1.0.0', 'not_covered', 'incomplete'),
  purl('a package type without a database', 'conan/zlib@1.2.0', 'not_covered', 'no_source'),
  purl('a generic package', 'generic/acme-tool@1.0', 'not_covered', 'no_source'),
  purl('a package of Fedora', 'rpm/fedora/openssl@3.0.2?distro=fedora-40', 'not_covered', 'no_source'),
  purl('a package of Ubuntu', 'deb/ubuntu/openssl@3.0.2?distro=ubuntu-22.04', 'not_covered', 'no_data'),
  purl('a package of Debian before the fix', 'deb/debian/openssl@3.0.11-1~deb12u1?distro=debian-12', 'affected'),
  purl('a package of Debian with the fix', 'deb/debian/openssl@3.0.11-1~deb12u2?distro=debian-12', 'not_affected'),
  purl('a package of Debian that is being studied', 'deb/debian/wget@1.21-1?distro=debian-12', 'possibly_affected'),
  purl(
    'a release that the tracker has dropped',
    'deb/debian/openssl@1.1.1-1?distro=debian-9',
    'not_covered',
    'unknown_release',
  ),
  purl(
    'a package of Debian without a release',
    'deb/debian/openssl@3.0.11-1~deb12u2',
    'not_covered',
    'unknown_release',
  ),
  purl(
    'a binary package whose source package is not stated',
    'deb/debian/libegret1@1.0-1?distro=debian-12',
    'not_covered',
    'unknown_source_package',
  ),
  purl(
    'a binary package with its source package',
    'deb/debian/libegret1@1.0-1?distro=debian-12&upstream=egret',
    'no_known_advisory',
  ),
  purl('a package of AlmaLinux before the fix', 'rpm/almalinux/tls@3.0.7-26.el9?distro=almalinux-9.4', 'affected'),
  purl(
    'a package of AlmaLinux in a release without an erratum',
    'rpm/almalinux/tls@3.0.7-26.el8?distro=almalinux-8',
    'no_known_advisory',
  ),
  purl(
    'a package of Red Hat from a sample',
    'rpm/redhat/tls@3.0.7-27.el9?distro=rhel-9.4',
    'not_covered',
    'incomplete',
  ),
  product('a covered product before the fix', cpe('router', '2.3'), 'affected'),
  product('a covered product with the fix', cpe('router', '2.4'), 'not_affected'),
  product('a product about which a source names no version', cpe('bridge', '1.0'), 'possibly_affected'),
  product('a product of another vendor', cpe('router', '2.3', 'elsewhere'), 'not_covered', 'unknown_product'),
  product('a product that no source names', cpe('toaster', '1.0'), 'not_covered', 'unknown_product'),
  product('a product without a version', cpe('router', '*'), 'possibly_affected'),
]
