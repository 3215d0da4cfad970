import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sync } from '../../../../src/commands/sync.ts'
import { loadConfig } from '../../../../src/config.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { advisory } from '../../../feeds/sources/ghsa/fixtures.ts'
import { secdb } from '../../../feeds/sources/secdb/fixtures.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { osvRecord } from '../../../support/distribution-files.ts'
import { startTestService } from '../../../support/service.ts'

const LARK = 'CVE-2026-1001'
const FINCH = 'CVE-2026-1002'

const GHSA = 'GHSA-2222-3333-4444'
const UNKNOWN_GHSA = 'GHSA-5555-6666-7777'

const FILES: Readonly<Record<string, readonly object[]>> = {
  'ghsa.ndjson': [{ ...advisory(1).osv, id: GHSA, aliases: [LARK] }],
  'ubuntu.ndjson': [
    osvRecord(
      `UBUNTU-${LARK}`,
      [LARK],
      [
        { in: 'Ubuntu:22.04:LTS', name: 'lark', fixed: '1:2.0-3ubuntu0.4' },
        { in: 'Ubuntu:24.04:LTS', name: 'lark', fixed: '1:2.4-1ubuntu2.1' },
        { in: 'Ubuntu:Pro:FIPS:22.04:LTS', name: 'lark', fixed: '1:2.0-3ubuntu0.9+fips1' },
      ],
    ),
    osvRecord(
      `UBUNTU-${FINCH}`,
      [FINCH],
      [
        { in: 'Ubuntu:22.04:LTS', name: 'finch' },
        { in: 'Ubuntu:Pro:22.04:LTS', name: 'finch', fixed: '8.1-1ubuntu0.1~esm1' },
      ],
    ),
    osvRecord(
      'USN-9001-1',
      [`UBUNTU-${LARK}`, `UBUNTU-${FINCH}`],
      [{ in: 'Ubuntu:24.04:LTS', name: 'wren', fixed: '3.0-1ubuntu1' }],
    ),
  ],
  'debian-advisories.ndjson': [
    osvRecord('DSA-9001-1', [LARK, FINCH], [{ in: 'Debian:12', name: 'wren', fixed: '9.0-1' }]),
  ],
  'rocky.ndjson': [
    osvRecord('RLSA-2026:1001', [LARK], [{ in: 'Rocky Linux:9', name: 'lark', fixed: '1:2.0-7.el9_4' }]),
  ],
  'suse.ndjson': [
    osvRecord(
      'SUSE-SU-2026:1001-1',
      [LARK],
      [
        { in: 'SUSE:Linux Enterprise Module for Basesystem 15 SP6', name: 'lark', fixed: '2.0-150600.3.9.1' },
        { in: 'SUSE:Linux Enterprise Server 15 SP4-LTSS', name: 'lark', fixed: '1.8-150400.5.2.1' },
        { in: 'SUSE:Linux Enterprise Micro 5.5', name: 'lark', fixed: '1.9-150500.1.1' },
      ],
    ),
  ],
  'opensuse.ndjson': [
    osvRecord(
      'openSUSE-SU-2026:1001-1',
      [LARK],
      [
        { in: 'openSUSE:Leap 16.0', name: 'lark', fixed: '2.2-160000.2.1' },
        { in: 'openSUSE:Tumbleweed', name: 'lark', fixed: '2.4-1.1' },
      ],
    ),
  ],
}

const DOCUMENTS: Readonly<Record<string, string>> = {
  'debian-tracker.json': JSON.stringify({
    lark: {
      [LARK]: {
        description: 'A long header ends the program.',
        releases: { bookworm: { status: 'resolved', fixed_version: '2.0-1+deb12u3', urgency: 'medium' } },
      },
    },
    wren: {},
  }),
  'alpine-v3.22-main.json': secdb({ lark: { '2.0_p1-r3': [LARK], '0': [FINCH] } }, 'v3.22'),
  'alpine-v3.19-main.json': secdb({ lark: { '1.8-r0': [LARK] } }, 'v3.19'),
  'wolfi-security.json': secdb({ lark: { '2.4.1-r2': [LARK, GHSA, UNKNOWN_GHSA] } }),
  'chainguard-security.json': secdb({ wren: { '3.0-r1': [FINCH] } }),
}

const { api, clock, database, environment } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const folder = mkdtempSync(join(tmpdir(), 'vis-distributions-'))
for (const [name, records] of Object.entries(FILES))
  writeFileSync(join(folder, name), records.map((each) => `${JSON.stringify(each)}\n`).join(''))
for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(folder, name), text)
const FEEDS = ['ghsa', 'debian', 'alpine', 'wolfi', 'chainguard', 'osv-ubuntu', 'osv-rocky', 'osv-suse', 'osv-opensuse']
/** Gives ids and judges nothing, so a judgement does not wait for it. */
const NOTICES = 'osv-debian'
const screen = { write: () => true }
await sync(loadConfig(environment), [...FEEDS, NOTICES], { from: folder }, { clock: clock.now, screen })
await catalog.publish()
await catalog.selectRows(claimComplete(['cve', ...FEEDS], clock.now()))

async function match(purl: string) {
  const { json } = await api.send('POST', '/api/v1/match', { body: JSON.stringify({ components: [{ purl }] }) })
  const { verdict, coverage_gap: gap, matches } = json.data.components[0]
  return [
    verdict,
    gap,
    ...(matches ?? []).flatMap((each: Match) => [each.id, ...each.fixed_in.map((fix) => fix.version)]),
  ]
}

interface Match {
  readonly id: string
  readonly fixed_in: readonly { readonly version: string }[]
}

describe('A package of a distribution', () => {
  it.each([
    // The epoch counts: 2.0 without it is before 1:2.0.
    ['pkg:deb/ubuntu/lark@2.0-3ubuntu0.3?epoch=1&distro=ubuntu-22.04', LARK, '1:2.0-3ubuntu0.4'],
    ['pkg:deb/ubuntu/lark@2.4-1ubuntu2?epoch=1&distro=noble', LARK, '1:2.4-1ubuntu2.1'],
    [
      'pkg:deb/ubuntu/liblark2@2.4-1ubuntu2?distro=ubuntu-24.04&upstream=lark%401:2.4-1ubuntu2',
      LARK,
      '1:2.4-1ubuntu2.1',
    ],
    ['pkg:deb/ubuntu/finch@8.1-1?distro=ubuntu-22.04', FINCH, '8.1-1ubuntu0.1~esm1'],
    [
      'pkg:rpm/rocky/lark-libs@2.0-6.el9_4?epoch=1&distro=rocky-9.4&upstream=lark-2.0-6.el9_4.src.rpm',
      LARK,
      '1:2.0-7.el9_4',
    ],
    ['pkg:rpm/rocky-linux/lark@2.0-6.el9_4?epoch=1&distro=rocky-linux-9', LARK, '1:2.0-7.el9_4'],
    ['pkg:rpm/sles/lark@2.0-150600.3.6.1?distro=sles-15.6', LARK, '2.0-150600.3.9.1'],
    ['pkg:rpm/suse/lark@1.8-150400.4.1?distro=suse-15.4', LARK, '1.8-150400.5.2.1'],
    ['pkg:rpm/opensuse/lark@2.2-160000.1.1?distro=opensuse-leap-16.0', LARK, '2.2-160000.2.1'],
    ['pkg:rpm/opensuse-tumbleweed/lark@2.3-1.1?distro=opensuse-tumbleweed-20260801', LARK, '2.4-1.1'],
    ['pkg:apk/alpine/lark@2.0_p1-r2?distro=alpine-3.22.1', LARK, '2.0_p1-r3'],
    ['pkg:apk/alpine/liblark@2.0-r9?distro=alpine-3.22.0&upstream=lark', LARK, '2.0_p1-r3'],
    ['pkg:apk/chainguard/wren@3.0-r0?distro=chainguard-20230214', FINCH, '3.0-r1'],
  ])('%s is affected by %s until %s', async (purl, cveId, fixed) => {
    expect(await match(purl)).toEqual(['affected', null, cveId, fixed])
  })

  it.each([
    ['pkg:deb/ubuntu/lark@2.0-3ubuntu0.4?epoch=1&distro=ubuntu-22.04'],
    ['pkg:deb/ubuntu/finch@8.1-1ubuntu0.1~esm1?distro=ubuntu-22.04'],
    ['pkg:rpm/rocky/lark@2.0-7.el9_4?epoch=1&distro=rocky-9.4'],
    ['pkg:rpm/suse/lark@1.8-150400.5.2.1?distro=sles-15.4'],
    ['pkg:apk/alpine/lark@2.0_p1-r3?distro=alpine-3.22.1'],
    ['pkg:apk/wolfi/lark@2.4.1-r2?distro=wolfi-20230201'],
  ])('%s is not affected, because its release has the fix', async (purl) => {
    expect(await match(purl)).toEqual(['not_affected', null])
  })

  it.each([
    ['pkg:deb/ubuntu/lark@2.0-1?epoch=1&distro=ubuntu-23.10', 'unknown_release'],
    ['pkg:deb/ubuntu/nothing@1.0-1?distro=ubuntu-24.04', 'unknown_source_package'],
    ['pkg:rpm/rocky/nothing@1.0-1.el7?distro=rocky-7.9&upstream=nothing-1.0-1.el7.src.rpm', 'unknown_release'],
    ['pkg:apk/alpine/lark@1.8-r0?distro=alpine-3.19.4', 'unknown_release'],
    ['pkg:apk/alpine/nothing@1.8-r0?distro=alpine-3.22.1', 'unknown_source_package'],
    ['pkg:rpm/suse/nothing@1.0-1?distro=sles-15.1&upstream=nothing-1.0-1.src.rpm', 'unknown_release'],
    ['pkg:rpm/suse/nothing@1.0-1?distro=sle-micro-5.5&upstream=nothing-1.0-1.src.rpm', 'unknown_release'],
  ])('%s is not covered: %s', async (purl, reason) => {
    expect((await match(purl)).slice(0, 2)).toEqual(['not_covered', reason])
  })

  it('of a release without support is affected by what its database said, and otherwise not covered', async () => {
    expect(await match('pkg:apk/alpine/lark@1.7-r9?distro=alpine-3.19.4')).toEqual([
      'affected',
      'unknown_release',
      LARK,
      '1.8-r0',
    ])
  })

  it('is affected once by a vulnerability that the database lists under several ids', async () => {
    expect(await match('pkg:apk/wolfi/lark@2.4.1-r1?distro=wolfi-20230201')).toEqual([
      'affected',
      null,
      UNKNOWN_GHSA,
      '2.4.1-r2',
      LARK,
      '2.4.1-r2',
    ])
  })

  it('is not affected by a notice whose CVE records do not name it', async () => {
    expect(await match('pkg:deb/ubuntu/wren@2.0-1?distro=ubuntu-24.04&upstream=wren')).toEqual([
      'no_known_advisory',
      null,
    ])
  })

  it("of Debian is judged by the tracker, and the hit names the security team's advisory", async () => {
    const lark = 'pkg:deb/debian/lark@2.0-1?distro=debian-12'
    expect(await match(lark)).toEqual(['affected', null, LARK, '2.0-1+deb12u3'])
    const body = JSON.stringify({ components: [{ purl: lark }] })
    const { json } = await api.send('POST', '/api/v1/match', { body })
    const [component] = json.data.components
    expect(component.matches[0].aliases).toContainEqual({ alias: 'DSA-9001-1', source: 'debian' })
    expect(component.coverage.map(({ source }: { source: string }) => source)).toEqual(['cve', 'debian'])
    // The advisory also lists the package, and the tracker does not.
    expect(await match('pkg:deb/debian/wren@1.0-1?distro=debian-12&upstream=wren')).not.toContain(FINCH)
  })

  it("of Debian is covered although its security team's advisories were never loaded", async () => {
    await catalog.selectRows(`update catalog.dataset set last_success_at = null where name = '${NOTICES}'`)
    expect(await match('pkg:deb/debian/lark@2.0-1+deb12u3?distro=debian-12')).toEqual(['not_affected', null])
  })
})

describe("An advisory of Debian's security team", () => {
  it.each(['DSA-9001-1', 'dsa-9001-1'])('with the id %s leads to its CVEs', async (id) => {
    const { json } = await api.get(`/api/v1/alias/${id}`)
    expect(json.data).toMatchObject({ alias: 'DSA-9001-1', cve_ids: [LARK, FINCH], source: 'debian' })
  })

  it('adds neither text, score nor product to the record of a CVE', async () => {
    const { json } = await api.get(`/api/v1/cve/${FINCH}?include=sources,aliases`)
    expect(json.data.cve.aliases).toContainEqual({ alias: 'DSA-9001-1', source: 'debian' })
    const { description, products, fix } = json.data.cve.sources
    expect(JSON.stringify([description, products, fix])).not.toContain('debian')
  })
})
