import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sync } from '../../../../src/commands/sync.ts'
import { loadConfig } from '../../../../src/config.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { advisory } from '../../../feeds/sources/ghsa/fixtures.ts'
import { osvAdvisory } from '../../../feeds/sources/osv/fixtures.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { startTestService } from '../../../support/service.ts'

interface Package {
  readonly ecosystem: string
  readonly name: string
  readonly fixed: string
}

const describeAffected = ({ ecosystem, name, fixed }: Package) => [
  { package: { ecosystem, name }, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }] },
]

/** Registries that GitHub's advisories cover as a whole. */
const PACKAGES: readonly (Package & { readonly cve: string })[] = [
  { cve: 'CVE-2025-30066', ecosystem: 'GitHub Actions', name: 'tj-actions/changed-files', fixed: '46.0.1' },
  { cve: 'CVE-2021-21328', ecosystem: 'SwiftURL', name: 'github.com/vapor/vapor', fixed: '4.40.1' },
  { cve: 'CVE-2021-31402', ecosystem: 'Pub', name: 'dio', fixed: '5.0.0' },
  { cve: 'CVE-2017-1000052', ecosystem: 'Hex', name: 'plug', fixed: '1.0.4' },
]
const ERLANG = 'CVE-2026-1001'

const FILES: Readonly<Record<string, readonly object[]>> = {
  'ghsa.ndjson': PACKAGES.map((each, index) => ({
    ...advisory(index, { cve: each.cve }).osv,
    affected: describeAffected(each),
  })),
  'eef.osv.ndjson': [
    osvAdvisory(`EEF-${ERLANG}`, {
      aliases: [ERLANG],
      affected: describeAffected({ ecosystem: 'Hex', name: 'lark', fixed: '1.2.0' }),
    }),
  ],
}

const { api, clock, database, environment } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const folder = mkdtempSync(join(tmpdir(), 'vis-registries-'))
for (const [name, records] of Object.entries(FILES))
  writeFileSync(join(folder, name), records.map((each) => `${JSON.stringify(each)}\n`).join(''))
const screen = { write: () => true }
await sync(loadConfig(environment), ['ghsa', 'osv-eef'], { from: folder }, { clock: clock.now, screen })
await catalog.publish()
// The feed osv-eef only adds to ghsa, so no judgement waits for it.
await catalog.selectRows(claimComplete(['cve', 'ghsa'], clock.now()))
await catalog.selectRows(`update catalog.dataset set last_success_at = null where name = 'osv-eef'`)

async function match(purl: string) {
  const { json } = await api.send('POST', '/api/v1/match', { body: JSON.stringify({ components: [{ purl }] }) })
  const { verdict, coverage_gap: gap, matches } = json.data.components[0]
  return [verdict, gap, ...matches.flatMap((each: Match) => [each.id, ...each.fixed_in.map(({ version }) => version)])]
}

interface Match {
  readonly id: string
  readonly fixed_in: readonly { readonly version: string }[]
}

describe("A package of a registry that GitHub's advisories cover", () => {
  it.each([
    ['pkg:githubactions/tj-actions/changed-files@45.0.7', 'CVE-2025-30066', '46.0.1'],
    ['pkg:githubactions/tj-actions/changed-files@v45.0.7', 'CVE-2025-30066', '46.0.1'],
    ['pkg:swift/github.com/vapor/vapor@4.1.0', 'CVE-2021-21328', '4.40.1'],
    ['pkg:pub/dio@4.0.0', 'CVE-2021-31402', '5.0.0'],
    ['pkg:hex/plug@1.0.0', 'CVE-2017-1000052', '1.0.4'],
    ['pkg:hex/lark@1.1.0', ERLANG, '1.2.0'],
  ])('%s is affected by %s until %s', async (purl, cveId, fixed) => {
    expect(await match(purl)).toEqual(['affected', null, cveId, fixed])
  })

  it.each([
    'pkg:githubactions/tj-actions/changed-files@46.0.1',
    'pkg:swift/github.com/vapor/vapor@4.40.1',
    'pkg:pub/dio@5.0.0',
    'pkg:hex/plug@1.0.4',
  ])('%s is not affected, because it has the fix', async (purl) => {
    expect(await match(purl)).toEqual(['not_affected', null])
  })

  it.each([
    'pkg:githubactions/lark/http@1.0.0',
    'pkg:swift/github.com/lark/http@1.0.0',
    'pkg:pub/finch@1.0.0',
    'pkg:hex/finch@1.0.0',
    // Only the source that adds to GitHub's advisories names this one.
    'pkg:hex/lark@1.2.0',
  ])("%s is covered although none of GitHub's advisories names it", async (purl) => {
    expect(await match(purl)).toEqual(['no_known_advisory', null])
  })

  it('has a fix that the advisory names, not only the end of a range', async () => {
    const body = JSON.stringify({ components: [{ purl: 'pkg:hex/lark@1.1.0' }] })
    const { data } = (await api.send('POST', '/api/v1/match', { body })).json
    expect(data.components[0].upgrade_to).toMatchObject({ version: '1.2.0', seen_in: 'fixed_version' })
    expect(data.fix_plan).toMatchObject([{ to_version: '1.2.0', seen_in: 'fixed_version' }])
  })

  it('is possibly affected if its version is a commit, which has no order', async () => {
    const commit = '0e58ed8671d6b60d0890c21b07f8835ace038e67'
    expect(await match(`pkg:githubactions/tj-actions/changed-files@${commit}`)).toEqual(['possibly_affected', null])
  })

  it("has the id that the registry's own foundation gave to the CVE", async () => {
    const { json } = await api.get(`/api/v1/alias/eef-${ERLANG.toLowerCase()}`)
    expect(json.data).toMatchObject({ cve_ids: [ERLANG], source: 'eef' })
  })
})
