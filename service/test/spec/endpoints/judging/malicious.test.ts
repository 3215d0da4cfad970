import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sync } from '../../../../src/commands/sync.ts'
import { loadConfig } from '../../../../src/config.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../../catalog/source-fixtures.ts'
import { maliciousReport } from '../../../feeds/sources/repository/fixtures.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { startTestService } from '../../../support/service.ts'

const { api, clock, database, environment } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const CVE = 'CVE-2026-1000'
const [ALL, LISTED, , NAMES_CVE, KNOWN_TO_GITHUB] = [0, 1, 2, 3, 4].map((index) => `MAL-2026-${1000 + index}`)
const GHSA = 'GHSA-2222-3333-4444'
const inPackage = (name: string, versions: object) => ({
  affected: [{ package: { ecosystem: 'npm', name }, ...versions }],
})
const EVERY_VERSION = { ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] }
const reports = [
  maliciousReport(0),
  maliciousReport(1, inPackage('larkfield', { versions: ['2.1.0', '2.1.1'] })),
  maliciousReport(2, { ...inPackage('finch', EVERY_VERSION), withdrawn: '2026-05-07T00:00:00Z' }),
  maliciousReport(3, { ...inPackage('wren', { versions: ['1.0.1'] }), aliases: [CVE] }),
  maliciousReport(4, { ...inPackage('robin', EVERY_VERSION), aliases: [GHSA] }),
]
const directory = mkdtempSync(join(tmpdir(), 'vis-malicious-'))
writeFileSync(join(directory, 'malicious.ndjson'), `${reports.map((each) => JSON.stringify(each)).join('\n')}\n`)
const ROBIN = {
  advisories: [GHSA],
  title: 'Malware in robin',
  published: '2026-05-05T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: 'robin', status: 'affected', cpe: null, purl: 'pkg:npm/robin', fixed: null }],
}
await catalog.storeRecord('nvd', CVE, nvdRecord(CVE, { configurations: [] }))
await catalog.selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('${GHSA}', null, '', '2026-05-05T10:00:00Z', '${JSON.stringify(ROBIN)}')
`)
await sync(
  loadConfig(environment),
  ['malicious'],
  { from: directory },
  { clock: clock.now, screen: { write: () => true } },
)
await catalog.publish()
await catalog.selectRows(claimComplete(['nvd', 'cve', 'kev', 'eukev', 'overrides', 'ghsa'], clock.now()))

const post = (path: string, body: object) => api.send('POST', path, { body: JSON.stringify(body) })
const matchOne = async (purl: string) => {
  const { json } = await post('/api/v1/match', { components: [{ purl }] })
  return json.data.components[0]
}
const P0 = {
  priority_level: 'P0',
  ssvc_decision: null,
  priority_reason:
    'The package, or the version of it, is malicious. Remove it, and treat each machine on which it ran as compromised.',
}

describe('A malicious package', () => {
  it('is a hit of its kind with the level P0 and without a fix, in every version', async () => {
    const { verdict, matches, upgrade_to } = await matchOne('pkg:npm/larkfeild@7.0.0')
    expect(verdict).toBe('affected')
    expect(matches).toEqual([
      expect.objectContaining({
        id: ALL,
        kind: 'malicious',
        verdict: 'affected',
        confidence: 'high',
        fixed_in: [],
        severity: null,
        ...P0,
      }),
    ])
    expect(matches[0].statement).toMatchObject({
      source: 'malicious',
      text: 'OpenSSF Malicious Packages: npm larkfeild, all versions; 7.0.0 is inside.',
    })
    expect(upgrade_to).toMatchObject({ version: null, not_clean: 'none_known' })
  })

  it('is one in the listed versions only, if an attacker added them to a package', async () => {
    expect((await matchOne('pkg:npm/larkfield@2.1.1')).matches).toMatchObject([
      { id: LISTED, kind: 'malicious', ...P0 },
    ])
    expect(await matchOne('pkg:npm/larkfield@2.1.2')).toMatchObject({ verdict: 'no_known_advisory', matches: [] })
  })

  it('is none if the report was withdrawn', async () => {
    expect(await matchOne('pkg:npm/finch@1.0.0')).toMatchObject({ matches: [] })
  })

  it('has the level P0 beside a CVE, whose level follows from the policy', async () => {
    const { matches } = await matchOne('pkg:npm/wren@1.0.1')
    expect(matches).toMatchObject([
      { id: NAMES_CVE, kind: 'malicious', aliases: [{ alias: CVE, source: 'malicious' }], ...P0 },
      { id: CVE, aliases: [{ alias: NAMES_CVE, source: 'malicious' }] },
    ])
    expect(matches[1]).not.toHaveProperty('kind')
    expect(matches[1].priority_level).not.toBe('P0')
    const { json } = await api.get(`/api/v1/alias/${NAMES_CVE?.toLowerCase()}`)
    expect(json.data).toEqual({ alias: NAMES_CVE, cve_ids: [CVE], source: 'malicious' })
  })

  it("is one hit, of the same kind and level, if GitHub's database has it too", async () => {
    expect((await matchOne('pkg:npm/robin@1.0.0')).matches).toMatchObject([
      { id: GHSA, kind: 'malicious', aliases: [{ alias: KNOWN_TO_GITHUB }], ...P0 },
    ])
  })

  it('fails a gate at P0', async () => {
    const sbom = (purl: string) => ({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ type: 'library', 'bom-ref': 'it', name: 'it', purl }],
    })
    const scan = async (purl: string) => (await post('/api/v1/sbom?fail_on=P0', sbom(purl))).json.data
    const { gate, components } = await scan('pkg:npm/larkfeild@1.0.0')
    expect(gate.result).toBe('failed')
    expect(components[0].matches).toMatchObject([{ id: ALL, kind: 'malicious', ...P0 }])
    expect((await scan('pkg:npm/larkfield@2.1.2')).gate.result).toBe('passed')
  })

  it('is found by no alias without a CVE, as every advisory without one', async () => {
    const { status, json } = await api.get(`/api/v1/alias/${ALL}`)
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
