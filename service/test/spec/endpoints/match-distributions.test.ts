// POST /match for packages of distributions: their releases, their source packages, and gaps of the data.
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { startTestService } from '../../support/service.ts'

const { api, database } = await startTestService()
const catalog = await createCatalogHarness(database.url)

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
await catalog.publish()

const current = (...names: readonly string[]) =>
  catalog.selectRows(`
    update catalog.dataset
       set last_success_at = case when name in (${names.map((name) => `'${name}'`).join()}) then '2026-08-22T00:00:00Z'::timestamptz end,
           upstream_at = null
  `)
const match = async (component: object) => {
  const body = JSON.stringify({ components: [component], confidence_min: 'high' })
  return (await api.send('POST', '/api/v1/match', { body })).json.data
}
const judge = async (purl: string) => (await match({ purl })).components[0].verdict

describe('POST /api/v1/match: packages of distributions', () => {
  it.each([
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-26.el9?distro=rhel-9.4'],
    ['not_affected', 'pkg:rpm/redhat/tls-library@3.0.7-27.el9?distro=rhel-9.4'],
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-17.el9_2?distro=rhel-9.2'],
    ['not_affected', 'pkg:rpm/redhat/tls-library@3.0.7-18.el9_2?distro=rhel-9.2'],
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-26.el9?distro=rhel-9'],
    ['unknown_version', 'pkg:rpm/redhat/tls-library@3.0.7-26.el8?distro=rhel-8'],
    ['unknown_version', 'pkg:rpm/redhat/ruby-gem@1.0-1.el6?distro=rhel-6'],
    ['possibly_affected', 'pkg:rpm/redhat/ruby-gem@1.0-1.el6'],
    ['possibly_affected', 'pkg:rpm/redhat/kernel@5.14-1.el9?distro=rhel-9'],
    ['possibly_affected', 'pkg:deb/debian/wget@1.0-1?distro=debian-12'],
  ])('are %s: %s', async (verdict, purl) => {
    expect(await judge(purl)).toBe(verdict)
  })

  it('are found by the source package of Red Hat', async () => {
    const named = 'pkg:rpm/redhat/tls-library-libs@3.0.7-26.el9?distro=rhel-9.4'
    expect(await judge(named)).toBe('unknown_product')
    expect(await judge(`${named}&upstream=tls-library-3.0.7-26.el9.src.rpm`)).toBe('affected')
  })

  it.each([
    ['pkg:rpm/redhat/kernel@1-1', 0],
    ['pkg:rpm/rocky/kernel@1-1', 1],
    ['pkg:rpm/almalinux/kernel@1-1', 1],
    ['pkg:deb/debian/wget@1-1', 0],
    ['pkg:deb/ubuntu/wget@1-1', 1],
    ['pkg:npm/wren@1.0.0', 1],
  ])('have a gap of the data if no current source knows their distribution: %s', async (purl, gaps) => {
    await current('redhat', 'debian')
    expect((await match({ purl })).summary.data_gaps).toBe(gaps)
  })

  it('is a gap for a product if NVD or the CVE List is not current', async () => {
    const countGaps = async () => (await match({ product: 'router', version: '1.0' })).summary.data_gaps
    await current('nvd')
    expect(await countGaps()).toBe(1)
    await current('nvd', 'cve')
    expect(await countGaps()).toBe(0)
  })
})
