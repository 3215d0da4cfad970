// The catalog and the calls of the tests of POST /api/v1/match.
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../../../catalog/source-fixtures.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { startTestService } from '../../../support/service.ts'

const service = await startTestService()
export const { api } = service
const catalog = await createCatalogHarness(service.database.url)

export const name = (product: string, version = '*', update = '*', target = '*') =>
  `cpe:2.3:a:examplesoft:${product}:${version}:${update}:*:*:*:${target}:*:*`
const match = (criteria: string, limits: object = {}) => ({ vulnerable: true, criteria, ...limits })
const or = (...cpeMatch: readonly object[]) => ({ nodes: [{ operator: 'OR', negate: false, cpeMatch }] })
const CRITICAL = { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] } }

const store = (id: string, ...configurations: readonly object[]) =>
  catalog.storeRecord('nvd', id, nvdRecord(id, { configurations }))
const storeCna = (id: string, affected: readonly object[]) =>
  catalog.storeRecord('cve', id, cveListRecord(id, { affected }))

const [RANGE, LISTED, VAGUE, WINDOWS, UPDATES, PLUGIN, DENIED, LATER] = Array.from(
  { length: 8 },
  (_, index) => `CVE-2026-100${index}`,
) as [string, string, string, string, string, string, string, string]

export { DENIED, LISTED, RANGE, VAGUE, WINDOWS }

const WINDOWS_NODE = {
  operator: 'OR',
  negate: false,
  cpeMatch: [{ vulnerable: false, criteria: 'cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*' }],
}
await catalog.storeRecord(
  'nvd',
  RANGE,
  nvdRecord(RANGE, {
    ...CRITICAL,
    configurations: [or(match(name('router'), { versionStartIncluding: '2.0', versionEndExcluding: '2.4' }))],
  }),
)
await store(LATER, or(match(name('router'), { versionStartIncluding: '2.4', versionEndExcluding: '2.4.2' })))
await store(LISTED, or(match(name('switch', '1.2')), match(name('switch', '1.3'))))
await store(VAGUE, or(match(name('router', '-'))))
await store(WINDOWS, {
  operator: 'AND',
  nodes: [...or(match(name('agent'), { versionEndIncluding: '5.0' })).nodes, WINDOWS_NODE],
})
await store(UPDATES, or(match(name('gateway', '11.1.2', '-')), match(name('gateway', '11.1.2', 'h1'))))
await store(PLUGIN, or(match(name('plugin', '*', '*', 'wordpress'), { versionEndExcluding: '3.0' })))
await store(DENIED, or(match(name('proxy'), { versionEndExcluding: '9.0' })))
await storeCna(DENIED, [
  {
    vendor: 'examplesoft',
    product: 'proxy',
    defaultStatus: 'unaffected',
    cpes: [name('proxy')],
    versions: [{ version: '1.0', lessThan: '2.0', status: 'affected', versionType: 'custom' }],
  },
])
await store('CVE-2026-1020', or(match(name('scanner', '2008', 'sp1'))))
await store(
  'CVE-2026-1021',
  or(
    match(name('firewall'), { versionStartIncluding: '9.0', versionEndExcluding: '9.1.5' }),
    match(name('firewall'), { versionStartIncluding: '10.2.0', versionEndExcluding: '10.2.4-h3' }),
  ),
)
export const [CONCLUDED, UNREADABLE] = ['CVE-2026-1030', 'CVE-2026-1031']
await catalog.storeRecord(
  'nvd',
  CONCLUDED,
  nvdRecord(CONCLUDED, {
    descriptions: [{ lang: 'en', value: 'Heron 2.4.0 and prior can be restarted.' }],
    configurations: [or(match(name('heron'), { versionEndIncluding: '2.4.0' }))],
  }),
)
const HERON = {
  advisories: ['GHSA-2222-3333-5555'],
  cve_id: CONCLUDED,
  title: 'A flaw in heron',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: 'heron', status: 'affected', cpe: null, purl: 'pkg:npm/heron', fixed: '2.4.0' }],
}
await catalog.selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('GHSA-2222-3333-5555', '${CONCLUDED}', '', '2026-08-02T10:00:00Z', '${JSON.stringify(HERON)}')
`)
await storeCna(UNREADABLE, [
  {
    vendor: 'examplesoft',
    product: 'office',
    cpes: [name('office')],
    versions: [{ version: '19.0.0', lessThan: 'https://www.example.com/releases', status: 'affected' }],
  },
])
export const [DEBIAN, ADVISORY] = ['CVE-2026-1010', 'GHSA-2222-3333-4444']
await store(DEBIAN, or(match(name('tls-library'), { versionEndExcluding: '3.0.15' })))
await catalog.selectRows(`
  insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
  values ('tls-library', '${DEBIAN}', 'bookworm', 'resolved', '3.0.14-1~deb12u2', ''),
         ('tls-library', '${DEBIAN}', 'bullseye', 'open', null, '')
`)
const LARK = {
  advisories: [ADVISORY],
  title: 'A flaw in lark',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', base_score: null }],
  products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed: '1.2.3' }],
}
await catalog.selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('${ADVISORY}', null, '', '2026-08-02T10:00:00Z', '${JSON.stringify(LARK)}')
`)
const [RHEL, SATELLITE, STUDIED, UNDETERMINED] = Array.from({ length: 4 }, (_, index) => `CVE-2026-300${index}`) as [
  string,
  string,
  string,
  string,
]
const inProduct = (cpe: string, name: string, status: string, fixed: string | null = null) => ({
  vendor: 'Red Hat',
  product: 'a product',
  status,
  cpe,
  purl: `pkg:rpm/redhat/${name}`,
  fixed,
})
const storeRedHat = async (id: string, ...products: readonly object[]) => {
  await catalog.storeRecord('nvd', id, nvdRecord(id, { configurations: [] }))
  await catalog.storeRecord('redhat', id, { advisories: [], scores: [], products })
}
await storeRedHat(
  RHEL,
  inProduct('cpe:/a:redhat:enterprise_linux:9::appstream', 'tls-library', 'fixed', '3.0.7-27.el9'),
  inProduct('cpe:/a:redhat:rhel_eus:9.2::appstream', 'tls-library', 'fixed', '3.0.7-18.el9_2'),
)
await storeRedHat(SATELLITE, inProduct('cpe:/a:redhat:satellite:6', 'ruby-gem', 'affected'))
await storeRedHat(STUDIED, inProduct('cpe:/o:redhat:enterprise_linux:9', 'kernel', 'under_investigation'))
await catalog.storeRecord('nvd', UNDETERMINED, nvdRecord(UNDETERMINED, { configurations: [] }))
await catalog.selectRows(`
  insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
  values ('wget', '${UNDETERMINED}', 'bookworm', 'undetermined', null, '')
`)
export const IN_KEV_ALONE = 'CVE-2026-3010'
await catalog.storeKev([{ cveId: IN_KEV_ALONE, product: 'Lonely Manager (LM)' }])
await catalog.publish()
await catalog.selectRows(
  claimComplete(['nvd', 'cve', 'kev', 'eukev', 'overrides', 'ghsa', 'debian', 'redhat'], service.clock.now()),
)

const post = (body: object) => api.send('POST', '/api/v1/match', { body: JSON.stringify(body) })
export const matchAll = async (components: readonly object[], more: object = {}) =>
  (await post({ components, ...more })).json.data
export const matchOne = async (component: object, more: object = {}) =>
  (await matchAll([component], more)).components[0]
export const product = (named: string, version?: string) => ({
  vendor: 'ExampleSoft',
  product: named,
  ...(version && { version }),
})
