import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sync } from '../../../../src/commands/sync.ts'
import { loadConfig } from '../../../../src/config.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../../catalog/source-fixtures.ts'
import { cycle, ended, endOfLifeList, endOfLifeProduct } from '../../../feeds/sources/endoflife/fixtures.ts'
import { osvRecord } from '../../../support/distribution-files.ts'
import { startTestService } from '../../../support/service.ts'

const { api, clock, database, environment } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const PRODUCTS = [
  endOfLifeProduct('lark-server', {
    label: 'Lark Server',
    identifiers: [{ type: 'cpe', id: 'cpe:2.3:a:examplesoft:lark' }],
    releases: [cycle('3'), ended('2', '2025-03-31'), ended('1', '2020-03-31')],
  }),
  ...['finch', 'finch-cloud'].map((name) =>
    endOfLifeProduct(name, {
      identifiers: [{ type: 'cpe', id: 'cpe:2.3:a:examplesoft:finch' }],
      releases: [ended('1', '2020-03-31')],
    }),
  ),
  endOfLifeProduct('ubuntu', {
    label: 'Ubuntu',
    identifiers: [],
    releases: [
      cycle('24.04', { eolFrom: '2029-05-31', isEoes: false, eoesFrom: '2034-04-25' }),
      ended('22.04', '2026-01-31', { isEoes: false, eoesFrom: '2028-04-01' }),
    ],
  }),
]

const directory = mkdtempSync(join(tmpdir(), 'vis-end-of-life-'))
writeFileSync(join(directory, 'endoflife.json'), endOfLifeList(PRODUCTS))
const packages = (release: string) => [
  { in: `Ubuntu:${release}:LTS`, name: 'wren' },
  { in: `Ubuntu:${release}:LTS`, name: 'robin', fixed: '2.0-1' },
]
const advisory = osvRecord('UBUNTU-CVE-2026-1003', ['CVE-2026-1003'], [...packages('22.04'), ...packages('24.04')])
writeFileSync(join(directory, 'ubuntu.ndjson'), `${JSON.stringify(advisory)}\n`)
await sync(
  loadConfig(environment),
  ['endoflife', 'osv-ubuntu'],
  { from: directory },
  {
    clock: clock.now,
    screen: { write: () => true },
  },
)

const cpe = (product: string, version = '*') => `cpe:2.3:a:examplesoft:${product}:${version}:*:*:*:*:*:*:*`
const range = (product: string, limits: object) => ({
  nodes: [{ operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, criteria: cpe(product), ...limits }] }],
})
const configurations = [
  range('lark', { versionStartIncluding: '1.0', versionEndExcluding: '1.4' }),
  range('lark', { versionStartIncluding: '2.0', versionEndExcluding: '3.1' }),
  range('finch', { versionEndIncluding: '9.0' }),
  range('wagtail', { versionEndIncluding: '9.0' }),
]
await catalog.storeRecord('nvd', 'CVE-2026-1001', nvdRecord('CVE-2026-1001', { configurations }))
await catalog.storeRecord('nvd', 'CVE-2026-1003', nvdRecord('CVE-2026-1003', {}))
await catalog.publish()

const post = (path: string, body: object) => api.send('POST', path, { body: JSON.stringify(body) })
const matchOne = async (component: object) => {
  const { json } = await post('/api/v1/match', { components: [component] })
  const [match] = json.data.components[0].matches
  expect(match).toBeDefined()
  return match
}
const ubuntu = (name: string, release: string) => ({ purl: `pkg:deb/ubuntu/${name}@1.0-1?distro=ubuntu-${release}` })

describe('The end of life of a matched component', () => {
  it('is given with its sentence if only another release has a fix', async () => {
    const { end_of_life, statement, fixed_in } = await matchOne({ cpe: cpe('lark', '2.5') })
    expect(fixed_in).toMatchObject([{ version: '3.1' }])
    expect(end_of_life).toEqual({ product: 'Lark Server', cycle: '2', since: '2025-03-31', source: 'endoflife' })
    expect(statement.text).toContain(
      'endoflife.date: the support of Lark Server 2 ended on 2025-03-31, so no fix in it is to be expected.',
    )
  })

  it('is not given if the release has a fix, or is supported', async () => {
    expect(await matchOne({ cpe: cpe('lark', '1.2') })).not.toHaveProperty('end_of_life')
    expect(await matchOne({ cpe: cpe('lark', '3.0') })).not.toHaveProperty('end_of_life')
  })

  it('is not given for a product that the list does not have, or has twice', async () => {
    expect(await matchOne({ cpe: cpe('wagtail', '1.0') })).not.toHaveProperty('end_of_life')
    expect(await matchOne({ cpe: cpe('finch', '1.0') })).not.toHaveProperty('end_of_life')
  })

  it('is that of the distribution for its packages, with extended support', async () => {
    const { end_of_life, statement } = await matchOne(ubuntu('wren', '22.04'))
    expect(end_of_life).toEqual({
      product: 'Ubuntu',
      cycle: '22.04',
      since: '2026-01-31',
      extended_support_until: '2028-04-01',
      source: 'endoflife',
    })
    expect(statement.text).toContain('ended on 2026-01-31; fixes come only with extended support, until 2028-04-01.')
    expect(await matchOne(ubuntu('robin', '22.04'))).not.toHaveProperty('end_of_life')
    expect(await matchOne(ubuntu('wren', '24.04'))).not.toHaveProperty('end_of_life')
  })

  it('is in answers about documents too', async () => {
    const document = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ type: 'application', name: 'lark', version: '2.5', cpe: cpe('lark', '2.5') }],
    }
    const { json } = await post('/api/v1/sbom', document)
    expect(json.data.components[0].matches[0].end_of_life).toMatchObject({ cycle: '2' })
  })
})
