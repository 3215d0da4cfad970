import { describe, expect, it } from 'vitest'
import type { Exploitation, Ssvc } from '../../../src/catalog/model/claim.ts'
import type { FixEvidence } from '../../../src/catalog/model/fix-evidence.ts'
import type { Fix, Resolved } from '../../../src/catalog/model/resolved.ts'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { collectFacts } from '../../../src/catalog/render/decision-facts.ts'
import { assessExploits } from '../../../src/catalog/render/exploitability.ts'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import {
  affected,
  attributed,
  buildFix,
  chosen,
  claim,
  euKevEntry,
  exploit,
  fixedIn,
  kev,
  published,
  rating,
  reference,
  resolved,
  sourceData,
  V2,
  V31,
} from '../records.ts'

function collect(data: Partial<SourceData>, cve: Partial<Resolved> = {}) {
  const [source, merged] = [sourceData(data), resolved(cve)]
  return collectFacts(source, merged, assessExploits(source, merged))
}

const REMOVED = { removedAt: new Date('2026-08-01T00:00:00Z') }
const report = (level: Exploitation['level'], by: string): Exploitation => ({ level, by, date: '2026-08-02' })
const assessment = (by: string, values: Partial<Ssvc>): Partial<Resolved> => ({
  ssvc: chosen({ by, date: null, exploitation: null, automatable: null, technicalImpact: null, ...values }, by),
})

describe('Decision facts: exploitation', () => {
  it("contain the CVE's entries in the KEV catalogs", () => {
    const entry = kev({ dateAdded: '2026-07-01', dueDate: '2026-07-04', knownRansomware: true })
    const facts = collect({ kev: entry, euKev: euKevEntry({ dateListed: '2026-07-03', exploitation: ['Ransomware'] }) })
    expect(facts).toMatchObject({
      kev: { since: '2026-07-01', dueDate: '2026-07-04', isUsedByRansomware: true },
      euKev: { since: '2026-07-03', isUsedByRansomware: true },
    })
  })

  it('contain no entry that a KEV catalog removed', () => {
    const facts = collect({ kev: kev(REMOVED), euKev: euKevEntry(REMOVED) })
    expect(facts).toMatchObject({ kev: null, euKev: null })
  })

  it('contain every provider that reports active exploitation', () => {
    const exploitation = {
      ...chosen(report('active', 'msrc'), 'msrc'),
      runnersUp: [attributed(report('poc', 'cisa-adp'), 'cisa-adp')],
    }
    const facts = collect({}, { exploitation, ...assessment('cisa-adp', { exploitation: 'poc' }) })
    expect(facts).toMatchObject({
      activeReports: [{ by: 'msrc', date: '2026-08-02' }],
      cisaExploitation: 'poc',
    })
  })
})

describe('Decision facts: public exploits', () => {
  it.each([
    ['weaponized', true, { exploits: [exploit('poc'), exploit('metasploit')] }, {}],
    ['functional', true, { exploits: [exploit('exploitdb')] }, {}],
    ['poc', false, { exploits: [exploit('poc')] }, {}],
    ['poc', true, { exploits: [exploit('poc')] }, { references: [reference('a', 'Exploit')] }],
    ['poc', false, { exploits: [exploit('poc')], kev: kev() }, {}],
  ] as const)('are %s and verified: %s', (maturity, isVerified, data, cve) => {
    expect(collect(data, cve)).toMatchObject({ hasPublicExploit: true, exploit: { maturity, isVerified } })
  })

  it('state their types and the number of code repositories', () => {
    const exploits = [exploit('poc', { id: 'a' }), exploit('poc', { id: 'b' }), exploit('nuclei')]
    expect(collect({ exploits })).toMatchObject({ exploit: { kinds: ['nuclei', 'repository'], repositories: 2 } })
  })

  it('do not follow from a report of exploitation, although it sets exploit_flag (decision C15)', () => {
    const facts = collect({}, { exploitation: chosen(report('active', 'cisa-adp'), 'cisa-adp') })
    expect(facts).toMatchObject({ hasPublicExploit: true, exploit: null })
  })
})

describe('Decision facts: SSVC values', () => {
  const score = chosen(rating(V31))

  it('come from CISA where available, and are otherwise derived from the vector of the score', () => {
    expect(collect({}, { score, ...assessment('cisa-adp', { automatable: 'no' }) })).toMatchObject({
      automatable: { value: 'no', source: 'cisa-adp' },
      technicalImpact: { value: 'total', source: 'derived:cvss:nvd' },
      score: { value: 9.8, version: '3.1', source: 'nvd' },
    })
  })

  it('come with the CVSS 4.0 score if it is higher than the score of the record', () => {
    const [low, high] = [4.0, 9.9].map((value) => chosen({ ...rating(V31, 'cna:maker'), score: value }, 'cna:maker'))
    const v4 = { value: 9.9, source: 'cna:maker' }
    expect(collect({}, { score, v4: high ?? null }).score).toEqual({
      value: 9.8,
      version: '3.1',
      source: 'nvd',
      higherV4: v4,
    })
    expect(collect({}, { score, v4: low ?? null }).score).toEqual({ value: 9.8, version: '3.1', source: 'nvd' })
    expect(collect({}, { score: high ?? null, v4: high ?? null }).score).not.toHaveProperty('higherV4')
  })

  it('are also derived from a CVSS 2.0 vector', () => {
    expect(collect({}, { score: chosen(rating(V2, 'cna:maker'), 'cna:maker') })).toMatchObject({
      automatable: { value: 'no', source: 'derived:cvss:cna:maker' },
      technicalImpact: { value: 'partial', source: 'derived:cvss:cna:maker' },
    })
  })

  it('are not taken from an assessment by a provider other than CISA', () => {
    const other = assessment('adp:other', { automatable: 'yes', technicalImpact: 'total' })
    expect(collect({}, other)).toMatchObject({ automatable: null, technicalImpact: null })
  })
})

describe('Search columns for the priority', () => {
  it('contain the rank with the EPSS score and the packed SSVC values', () => {
    const { search } = published({ resolved: { score: chosen(rating(V31)) }, sourceData: { epssScore: 0.2 } })
    expect(search).toMatchObject({ priority: 2473, ssvc: 8 })
  })

  it('are null for a rejected CVE', () => {
    const { search } = published({ resolved: { status: chosen('Rejected') }, sourceData: { kev: kev() } })
    expect(search).toMatchObject({ priority: null, ssvc: null })
  })
})

describe('Decision facts: the fix', () => {
  it('names the provider of the best evidence', () => {
    expect(collect({}, { fix: chosen(fixedIn('2.17.1'), 'cna:apache') })).toMatchObject({
      hasFix: true,
      fixBy: 'cna:apache',
    })
    expect(collect({}, { fix: null })).toMatchObject({ hasFix: false, fixBy: null, advisoryBy: null })
  })

  it("names the provider of a link to the vendor's advisory if no source names a fix", () => {
    const references = [{ url: 'https://example.com/advisory', by: 'nvd', tags: ['Vendor Advisory'] }]
    expect(collect({}, { fix: null, references })).toMatchObject({ advisoryBy: 'nvd' })
    expect(collect({}, { fix: chosen(fixedIn('2.17.1')), references })).toMatchObject({ advisoryBy: null })
  })

  it.each(['2.17.1', '1:2.15.8-1.el8', '2013.2.4'])(
    'names the fixed version %s if the list of fixes is empty',
    (version) => {
      expect(collect({}, { fix: chosen(fixedIn(version)) })).toMatchObject({
        fixEvidence: { kind: 'versions', versions: [{ product: '', version, branch: null }], hasMore: false },
      })
    },
  )

  it.each<[FixEvidence, DecisionFacts['fixEvidence']]>([
    [{ kind: 'patch-link', url: 'https://example.org/commit/1' }, { kind: 'patch-link' }],
    [fixedIn('9e46c70e829bddc24e04f963471e9983a11598b7'), null],
    [fixedIn('2.4 of the firmware'), null],
    [{ kind: 'range-in-words', words: 'before the version 2.4 of the firmware' }, null],
    [{ kind: 'release' }, null],
    [{ kind: 'required-update' }, null],
    [{ kind: 'patch-day', day: '2026-08-01' }, null],
    [
      { kind: 'prose', phrase: 'fixed in', version: '2.1' },
      { kind: 'text', version: '2.1', products: ['Thing'] },
    ],
    [
      { kind: 'prose', phrase: 'before', version: '5.2 Patch 11' },
      { kind: 'text', version: '5.2 Patch 11', products: ['Thing'] },
    ],
    [
      { kind: 'solution', phrase: 'upgrade to', version: '7.0.12' },
      { kind: 'solution', version: '7.0.12', products: ['Thing'] },
    ],
  ])('names the link or the version in the text %j: %j', (evidence, fixEvidence) => {
    const claims = [claim({ source: 'cve', affected: [affected({ product: 'Thing' })] })]
    expect(collect({}, { fix: chosen(evidence), claims })).toMatchObject({ fixEvidence })
  })

  it('names the platforms of a product whose fixed versions differ by platform (CVE-2026-72530)', () => {
    const named = (...fixes: readonly Resolved['fixes'][number][]) =>
      collect({}, { fix: chosen(fixedIn('1.1'), 'nvd'), fixes }).fixEvidence
    const [onWindows, onLinux] = [
      buildFix({ version: '1.1', platform: 'windows' }),
      buildFix({ version: '1.2', platform: 'linux_kernel' }),
    ]
    expect(named(onWindows, onLinux, buildFix({ version: '2.0' }))).toMatchObject({
      versions: [
        { product: 'router for Windows', version: '1.1' },
        { product: 'router for Linux', version: '1.2' },
        { product: 'router', version: '2.0' },
      ],
    })
    expect(named(onWindows, { ...onWindows, version: '1.3' })).toMatchObject({
      versions: [{ product: 'router for Windows' }, { product: 'router for Windows' }],
    })
    expect(named(buildFix({ version: '1.1', platform: 'wordpress' }))).toMatchObject({
      versions: [{ product: 'router' }],
    })
  })

  it('names the product of a KEV entry or a package if a text names a fixed version (CVE-2025-4632)', () => {
    const prose = { kind: 'prose', phrase: 'before', version: '2.4.1' } as const
    const named = (data: Partial<SourceData>, cve: Partial<Resolved> = {}) =>
      collect(data, { fix: chosen(prose, 'nvd'), ...cve }).fixEvidence
    expect(named({ kev: kev({ product: 'MagicINFO 9 Server' }) })).toMatchObject({ products: ['MagicINFO 9 Server'] })
    expect(named({ kev: kev(REMOVED) })).toMatchObject({ products: [] })
    const packaged = claim({ affected: [affected({ product: 'RHEL', packageUrl: 'pkg:rpm/redhat/freerdp' })] })
    expect(named({}, { claims: [{ ...packaged, source: 'redhat' }] })).toMatchObject({ products: ['freerdp'] })
  })

  it('contain the provider of a fix that other data doubts, if there is no other fix', () => {
    const doubtedFixes = [attributed(fixedIn('2.4'), 'ghsa')]
    expect(collect({}, { doubtedFixes })).toMatchObject({ hasFix: false, doubtedBy: 'ghsa' })
    expect(collect({}, { doubtedFixes, fix: chosen(fixedIn('2.5'), 'nvd') })).toMatchObject({ doubtedBy: null })
  })

  it('names the edition of a product, because another edition has other fixed versions (CVE-2025-11375)', () => {
    const fixes = [
      buildFix({ version: '1.22.0', edition: 'community', platform: 'go' }),
      buildFix({ version: '1.18.12', edition: 'enterprise' }),
    ]
    expect(collect({}, { fix: chosen(fixedIn('1.22.0'), 'nvd'), fixes }).fixEvidence).toMatchObject({
      versions: [
        { product: 'router community edition for go', version: '1.22.0' },
        { product: 'router enterprise edition', version: '1.18.12' },
      ],
    })
  })

  it('names no version that a source calls affected', () => {
    const fixes = [buildFix({ version: '1.1', isDoubted: true }), buildFix({ version: '1.2' })]
    expect(collect({}, { fix: chosen(fixedIn('1.2'), 'nvd'), fixes }).fixEvidence).toMatchObject({
      versions: [{ version: '1.2' }],
    })
  })

  it('names a fixed version with a build', () => {
    const version = '1.5.4 Build 260528 Rel.11462n'
    const fixes = [buildFix({ by: 'cna:maker', version })]
    expect(collect({}, { fix: chosen(fixedIn(version), 'cna:maker'), fixes }).fixEvidence).toMatchObject({
      versions: [{ product: 'router', version }],
    })
  })

  it('names the branch, the package inside a product and the release of a distribution', () => {
    const claims = [claim({ source: 'cve', affected: [affected({ product: 'Thing' })] })]
    const name = (fix: Partial<Fix>) =>
      collect({}, { fix: chosen(fixedIn('1.1'), 'nvd'), fixes: [buildFix(fix)], claims }).fixEvidence
    expect(name({ branch: '1.1' })).toMatchObject({
      versions: [{ product: 'router', version: '1.1', branch: '1.1' }],
      unfixed: null,
    })
    expect(name({ packageName: 'router-web' })).toMatchObject({ versions: [{ product: 'router-web in router' }] })
    expect(name({ vendor: 'AlmaLinux:9', rank: 'redistributed' })).toMatchObject({
      versions: [{ product: 'router in AlmaLinux 9' }],
      unfixed: ['Thing'],
    })
  })

  it('names no version of a package whose name the provider does not give', () => {
    const fixes = [buildFix({ product: '', version: '0:1.2-3.el9', by: 'redhat', rank: 'redistributed' })]
    expect(collect({}, { fix: chosen(fixedIn('0:1.2-3.el9'), 'redhat'), fixes }).fixEvidence).toBeNull()
  })

  it('names up to four fixed versions from the same provider with their products, and no commits', () => {
    const versions = ['1.1', '1.2', '1.3', '1.4', '1.5'].map((version) => buildFix({ version }))
    const others = [
      buildFix({ version: '9e46c70e829b', isCommit: true }),
      buildFix({ version: '2.0', by: 'cna:apache' }),
      buildFix({ version: '1.1', vendor: 'another' }),
      buildFix({ version: '1.0', rank: 'other' }),
    ]
    const collectFixes = (count: number) =>
      collect({}, { fix: chosen(fixedIn('1.1'), 'nvd'), fixes: [...versions.slice(0, count), ...others] }).fixEvidence
    expect(collectFixes(1)).toEqual({
      kind: 'versions',
      versions: [{ product: 'router', version: '1.1', branch: null }],
      hasMore: false,
      unfixed: null,
    })
    expect(collectFixes(5)).toMatchObject({ versions: { length: 4 }, hasMore: true })
  })

  it('names a version of each product before further versions of the first one (CVE-2024-21762)', () => {
    const of = (product: string) => ['1.1', '1.2', '1.3', '1.4', '1.5'].map((version) => buildFix({ product, version }))
    const fixes = [...of('router'), ...of('switch')]
    const { fixEvidence } = collect({}, { fix: chosen(fixedIn('1.1'), 'nvd'), fixes })
    const named = fixEvidence?.kind === 'versions' ? fixEvidence.versions : []
    expect(named.map(({ product, version }) => `${product} ${version}`)).toEqual([
      'router 1.1',
      'router 1.2',
      'switch 1.1',
      'switch 1.2',
    ])
  })
})
