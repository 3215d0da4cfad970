import { describe, expect, it } from 'vitest'
import { createNameDictionary } from '../../../src/catalog/resolve/products/product-names.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import {
  CISA,
  cisa,
  configurations,
  cpe,
  cve,
  match,
  nvd,
  override,
  resolved,
  showFix,
  sourceData,
  vendor,
} from '../builders.ts'

const cna = (...products: Readonly<Record<string, unknown>>[]) => cve({ cna: { affected: products } })
const router = (versions: unknown, more = {}) => ({ vendor: 'ExampleSoft', product: 'Router', versions, ...more })

const show = ({ fixes }: ReturnType<typeof resolved>) =>
  fixes.map(({ vendor: by, product, version, by: source }) => `${by}/${product} ${version} ${source}`)

describe('Resolver: fixes', () => {
  it('lists the fixed versions from NVD, CNAs, overrides, advisories and VEX documents with their sources', () => {
    const product = { vendor: 'npm', product: 'router', status: 'affected', purl: 'pkg:npm/router', fixed: '2.4.5' }
    const fixed = { vendor: 'Red Hat', product: 'Linux 9', status: 'fixed', fixed: '2.4-1.el9' }
    const all = [
      nvd({ configurations: configurations(match('router', { versionEndExcluding: '2.4.1' })) }),
      cna(router([{ version: '0', lessThan: '2.4.2', status: 'affected' }])),
      override(configurations(match('router', { versionEndExcluding: '2.4.3' }))),
      vendor('ghsa', { products: [product] }),
      vendor('redhat', { products: [fixed] }),
    ]
    expect(show(resolved(all))).toEqual([
      'ExampleSoft/Router 2.4.2 cna:apache',
      'npm/router 2.4.5 ghsa',
      'Red Hat/Linux 9 2.4-1.el9 redhat',
    ])
    const [own, ofPackage, redistributed] = resolved(all).fixes
    expect(own?.rivals).toMatchObject([
      { version: '2.4.1', by: 'nvd' },
      { version: '2.4.3', by: 'anchore' },
    ])
    expect(ofPackage).toMatchObject({ packageUrl: 'pkg:npm/router', isCommit: false, rank: 'own' })
    expect(redistributed).toMatchObject({ rank: 'redistributed' })
  })

  it('lists unaffected versions that follow affected ones, and none for a product that was never affected', () => {
    const versions = [
      { version: '0', lessThan: '0.9', status: 'unaffected' },
      { version: '0.9', lessThan: '1.0', status: 'unaffected' },
      { version: '1.0', status: 'affected' },
      { version: '2.4.1', lessThanOrEqual: '2.4.*', status: 'unaffected' },
    ]
    const never = router([{ version: '3.0', status: 'unaffected' }], { product: 'Switch', defaultStatus: 'unaffected' })
    expect(show(resolved([cna(router(versions), never)]))).toEqual(['ExampleSoft/Router 2.4.1 cna:apache'])
  })

  it('lists the fix for an older branch to which the flaw was backported (CVE-2024-42307)', () => {
    const versions = [
      { version: '6.9', status: 'affected' },
      { version: '0', lessThan: '6.9', status: 'unaffected' },
      { version: '6.1.103', lessThanOrEqual: '6.1.*', status: 'unaffected' },
      { version: '6.10.3', lessThanOrEqual: '6.10.*', status: 'unaffected' },
      { version: '6.11', lessThanOrEqual: '*', status: 'unaffected' },
    ]
    const fixed = (of: unknown) => resolved([cna(router(of))]).fixes.map(({ version }) => version)
    expect(fixed(versions)).toEqual(['6.1.103', '6.10.3', '6.11'])
    const wholeBranches = ['6.1', '6.1.0'].map((version) => ({
      version,
      lessThanOrEqual: '6.1.*',
      status: 'unaffected',
    }))
    expect(fixed([{ version: '6.9', status: 'affected' }, ...wholeBranches])).toEqual([])
  })

  describe('Fixed versions from CPE matches', () => {
    const ends = (...matches: readonly ReturnType<typeof match>[]) =>
      resolved([nvd({ configurations: configurations(...matches) })])
    const below = match('router', { versionEndExcluding: '2019.1' })
    const named = (name: string, more = {}) => ({ ...match('router', more), criteria: `cpe:2.3:a:examplesoft:${name}` })

    it.each([
      ['as a version (CVE-2021-44228)', named('router:2019.1:-:*:*:*:*:*:*')],
      ['as the first version of a range', match('router', { versionStartIncluding: '2019.1' })],
      ['as the last version of a range', match('router', { versionEndIncluding: '2019.1' })],
    ])('omit an end that the same product lists %s', (_, affected) => {
      expect(ends(below, affected)).toMatchObject({ fix: null, fixes: [] })
      const later = match('router', { versionStartIncluding: '2020', versionEndExcluding: '2020.2' })
      const found = ends(below, affected, later)
      expect(showFix(found)?.value).toBe('versionEndExcluding 2020.2')
      expect(show(found)).toEqual(['examplesoft/router 2020.2 nvd'])
      expect(found.cpe.matches).toHaveLength(3)
    })

    it.each([
      ['another product', named('switch:2019.1:*:*:*:*:*:*:*')],
      ['another edition', named('router:2019.1:*:*:*:lite:*:*:*')],
      ['a version before the release', named('router:2019.1:beta1:*:*:*:*:*:*')],
      ['a product that is not vulnerable', named('router:2019.1:*:*:*:*:*:*:*', { vulnerable: false })],
    ])('keep an end that is only the version of %s', (_, other) => {
      expect(show(ends(below, other))).toEqual(['examplesoft/router 2019.1 nvd'])
    })

    it('have the platform of the CPE name, unless the version is for several platforms', () => {
      const on = (platform: string, version: string) =>
        named(`router:*:*:*:*:*:${platform}:*:*`, { versionEndExcluding: version })
      const found = ends(
        on('windows', '1.1'),
        on('windows', '2.1'),
        on('linux_kernel', '1.2'),
        on('linux_kernel', '2.1'),
      )
      expect(found.fixes.map(({ version, platform }) => [version, platform])).toEqual([
        ['1.1', 'windows'],
        ['2.1', undefined],
        ['1.2', 'linux_kernel'],
      ])
    })

    it('keep an end that the description calls fixed', () => {
      const descriptions = [{ lang: 'en', value: 'Example Router before 2019.1 restarts.' }]
      const both = configurations(below, named('router:2019.1:-:*:*:*:*:*:*'))
      const found = resolved([nvd({ descriptions, configurations: both })])
      expect(showFix(found)?.value).toBe('versionEndExcluding 2019.1')
      expect(show(found)).toEqual(['examplesoft/router 2019.1 nvd'])
    })

    it('are compared with the other configurations, except those for a platform', () => {
      const listed = named('router:2019.1:*:*:*:*:*:*:*')
      const alone = [...configurations(below), ...configurations(listed)]
      expect(show(resolved([nvd({ configurations: alone })]))).toEqual([])
      const nodes = [listed, match('phone', { vulnerable: false })].map((each) => ({
        operator: 'OR',
        cpeMatch: [each],
      }))
      const onPhone = [...configurations(below), { operator: 'AND', nodes }]
      expect(show(resolved([nvd({ configurations: onPhone })]))).toEqual(['examplesoft/router 2019.1 nvd'])
    })
  })

  it('names the end of an affected range before unaffected versions (CVE-2024-5919)', () => {
    const versions = [
      { version: '11.2.0', status: 'unaffected' },
      { version: '11.0.0', lessThan: '11.0.2', status: 'affected' },
    ]
    const found = resolved([cna(router(versions))])
    expect(show(found)).toEqual(['ExampleSoft/Router 11.0.2 cna:apache', 'ExampleSoft/Router 11.2.0 cna:apache'])
    expect(showFix(found)).toMatchObject({ value: 'lessThan 11.0.2', by: 'cna:apache' })
  })

  it('lists the same version of the same product once, under the source with the highest precedence', () => {
    const all = [
      cna(router([{ version: '0', lessThan: '2.4.1', status: 'affected' }])),
      nvd({ configurations: configurations(match('router', { versionEndExcluding: '2.4.1' })) }),
    ]
    expect(show(resolved(all))).toEqual(['ExampleSoft/Router 2.4.1 cna:apache'])
    expect(resolved(all).fixes[0]?.agreeing).toMatchObject([{ by: 'nvd' }])
  })

  it('lists a version once if a CNA names the product twice, or by another name than NVD', () => {
    const versions = [{ version: '0', lessThan: '6.6.55', status: 'affected' }]
    const linux = match('linux_kernel', { versionEndExcluding: '6.6.55' })
    const byNvd = { ...linux, criteria: 'cpe:2.3:o:linux:linux_kernel:*:*:*:*:*:*:*:*' }
    const named = [nvd({ configurations: configurations(byNvd) }), cna({ vendor: 'Linux', product: 'Linux', versions })]
    expect(resolve(sourceData(named), createNameDictionary())?.fixes).toMatchObject([
      { vendor: 'Linux', product: 'Linux', version: '6.6.55', by: 'cna:apache', agreeing: [{ by: 'nvd' }] },
    ])
    const project = router(versions, { vendor: 'ExampleSoft Project' })
    const routers = [nvd({ configurations: configurations(match('router', { versionEndExcluding: '6.6.55' })) })]
    expect(show(resolved([...routers, cna(project)]))).toEqual(['ExampleSoft Project/Router 6.6.55 cna:apache'])
    const cpeApplicability = configurations(match('router_1809', { versionEndExcluding: '6.6.55' }))
    const more = [...versions, { version: '7', lessThan: '7.1', status: 'affected' }]
    const twice = cve({ cna: { cpeApplicability, affected: [router(more, { product: 'Router Version 1809' })] } })
    expect(show(resolved([twice]))).toEqual([
      'examplesoft/router_1809 6.6.55 cna:apache',
      'ExampleSoft/Router Version 1809 7.1 cna:apache',
    ])
  })

  describe('Fixed versions in an ADP container', () => {
    const adp = (versions: unknown, product = 'router') =>
      cisa({ affected: [{ vendor: 'examplesoft', product, cpes: [cpe(product)], versions }] })
    const below = (version: string) => [{ version: '0', lessThan: version, status: 'affected' }]
    const upTo = (version: string) => [{ version: '0', lessThanOrEqual: version, status: 'affected' }]
    const versionEnds = (of: ReturnType<typeof resolved>) =>
      of.cpe.matches.map(({ versionEndIncluding, versionEndExcluding }) => [versionEndIncluding, versionEndExcluding])

    it.each([
      ['as the last of a range (CVE-2024-52416)', upTo('V2.2')],
      ['as a single version (CVE-2024-6333)', [{ version: '2.2', status: 'affected' }]],
    ])('are concluded to be affected if the CNA lists the version %s', (_, versions) => {
      const found = resolved([cve({ cna: { affected: [router(versions)] }, adp: [adp(below('2.2'))] })])
      expect(found.conclusions).toMatchObject([
        { kind: 'affected', version: '2.2', against: ['cisa-adp'], listedBy: ['cna:apache'] },
      ])
      expect(found.affected.find(({ by }) => by === 'cisa-adp')?.ranges).toMatchObject([{ lessThan: '2.2' }])
      expect(found.cpe.by).toBe('cna:apache')
    })

    it('are not concluded to be affected if the end is open', () => {
      const own = [{ ...router([{ version: '*', status: 'affected' }]), cpes: [cpe('router')] }]
      expect(resolved([cve({ cna: { affected: own }, adp: [adp(below('*'))] })]).conclusions).toEqual([])
    })

    it("are concluded to be affected if NVD lists the version, and NVD's copy counts once", () => {
      const affected = [{ vendor: 'examplesoft', product: 'router', cpes: [cpe('router')], versions: below('2.2') }]
      const copy = nvd({
        configurations: configurations(match('router', { versionEndIncluding: '2.2' })),
        affected: [{ source: CISA, affectedData: affected }],
      })
      const found = resolved([copy, cve({ adp: [adp(below('2.2'))] })])
      expect(found.conclusions).toMatchObject([{ version: '2.2', against: ['cisa-adp'], listedBy: ['nvd'] }])
    })

    it("are kept for another product, for another version, and if the CNA's description agrees", () => {
      const both = [router(upTo('2.2')), router(below('2.2'), { product: 'Switch' })]
      expect(show(resolved([cve({ cna: { affected: both }, adp: [adp(below('2.2'), 'switch')] })]))).toEqual([
        'ExampleSoft/Switch 2.2 cna:apache',
      ])
      const other = resolved([cve({ cna: { affected: [router(upTo('2.1'))] }, adp: [adp(below('2.2'))] })])
      expect(show(other)).toEqual(['examplesoft/router 2.2 cisa-adp'])
      expect(versionEnds(other)).toEqual([[undefined, '2.2']])
      const descriptions = [{ lang: 'en', value: 'Example Router before 2.2 restarts.' }]
      const agreed = cve({ cna: { descriptions, affected: [router(upTo('2.2'))] }, adp: [adp(below('2.2'))] })
      expect(show(resolved([agreed]))).toEqual(['examplesoft/router 2.2 cisa-adp'])
    })

    it('are kept if the CNA names the product, and lists the version for another product only (CVE-2024-21762)', () => {
      const both = [router(upTo('2.1')), router(upTo('2.2'), { product: 'Switch' })]
      expect(resolved([cve({ cna: { affected: both }, adp: [adp(below('2.2'))] })]).conclusions).toEqual([])
      const [, other] = both
      const unnamed = resolved([cve({ cna: { affected: [other] }, adp: [adp(below('2.2'))] })])
      expect(unnamed.conclusions).toMatchObject([{ version: '2.2', listedBy: ['cna:apache'] }])
    })

    it("are kept if the CNA's solution names the version as a fix", () => {
      const solutions = [{ lang: 'en', value: 'Please upgrade to Router version 2.2 or above.' }]
      const found = resolved([cve({ cna: { affected: [router(upTo('2.2'))], solutions }, adp: [adp(below('2.2'))] })])
      expect(found.conclusions).toEqual([])
    })

    it("are kept in a supplier's container about its own products", () => {
      const supplier = { ...adp(below('2.2')), providerMetadata: { orgId: 'x', shortName: 'example-SADP' } }
      const found = resolved([cve({ cna: { affected: [router(upTo('2.2'))] }, adp: [supplier] })])
      expect(show(found)).toEqual(['examplesoft/router 2.2 adp:example-SADP'])
    })
  })

  it('lists a version without a vendor only if no source names the product with one', () => {
    const versions = [{ version: '0', lessThan: '2.4.1', status: 'affected' }]
    const unnamed = router(versions, { vendor: 'n/a' })
    expect(show(resolved([cna(unnamed, router(versions))]))).toEqual(['ExampleSoft/Router 2.4.1 cna:apache'])
    expect(show(resolved([cna(unnamed)]))).toEqual(['/Router 2.4.1 cna:apache'])
  })

  it.each(['7.5 SP2 Update 15', '5.2.1.2930 build 20241025', '9.97 CDI3B4B'])(
    'lists the version %s, which contains spaces',
    (version) => {
      const found = resolved([cna(router([{ version: '0', lessThan: version, status: 'affected' }]))])
      expect(found.fixes).toMatchObject([{ version }])
    },
  )

  it.each([
    '2024 November Security Update',
    '6.15.06 except 6.10.10',
    'Upgrade to version 24.0 or later',
    'May 7 2024',
  ])('does not list the text "%s" as a version', (text) => {
    const { fixes } = resolved([
      cna(
        router([
          { version: '1', status: 'affected', changes: [] },
          { version: text, status: 'unaffected' },
        ]),
      ),
    ])
    expect(fixes).toEqual([])
  })

  it('does not list open ends, prose or last affected versions', () => {
    const versions = [
      { version: '1', lessThan: '*', status: 'affected' },
      { version: '1', lessThan: 'the next release', status: 'affected' },
      { version: '1', lessThanOrEqual: '2.3', status: 'affected' },
    ]
    const notVulnerable = match('switch', { versionEndExcluding: '2.4.1', vulnerable: false })
    expect(show(resolved([cna(router(versions)), nvd({ configurations: configurations(notVulnerable) })]))).toEqual([])
  })

  it('lists the unaffected versions of a product that is affected by default', () => {
    const versions = [
      { version: '5.15.25', lessThanOrEqual: '5.15.*', status: 'unaffected' },
      { version: '5.17', status: 'unaffected' },
    ]
    expect(show(resolved([cna(router(versions, { defaultStatus: 'affected' }))]))).toEqual([
      'ExampleSoft/Router 5.15.25 cna:apache',
      'ExampleSoft/Router 5.17 cna:apache',
    ])
  })

  it('names the package inside a product that a fixed version belongs to', () => {
    const platform = (packageName: string) => ({
      vendor: 'ExampleSoft',
      product: 'Platform 2',
      packageName,
      cpes: ['cpe:/a:examplesoft:platform:2'],
      defaultStatus: 'affected',
      versions: [{ version: '0:2.15-1.el8', lessThan: '*', status: 'unaffected' }],
    })
    expect(resolved([cna(platform('router-core'), platform('router-web'))]).fixes).toMatchObject([
      { product: 'Platform 2', packageName: 'router-core', version: '0:2.15-1.el8' },
      { product: 'Platform 2', packageName: 'router-web', version: '0:2.15-1.el8' },
    ])
    const own = { ...platform('platform'), cpes: ['cpe:/a:examplesoft:platform:2'] }
    expect(resolved([cna(own)]).fixes[0]).not.toHaveProperty('packageName')
  })

  it('lists the version at which a range becomes unaffected, even if the range ends before it', () => {
    const changes = [{ at: '1.1.0', status: 'unaffected' }]
    const list = (end: object) => show(resolved([cna(router([{ version: '0', status: 'affected', changes, ...end }]))]))
    expect(list({ lessThanOrEqual: '1.0.0' })).toEqual(['ExampleSoft/Router 1.1.0 cna:apache'])
    expect(list({ lessThan: '1.0.5' })).toEqual(['ExampleSoft/Router 1.1.0 cna:apache'])
    expect(list({ lessThan: '2.0' })).toEqual(['ExampleSoft/Router 1.1.0 cna:apache'])
  })

  it('lists a commit that fixes a range of versions, and a commit at the end of a CPE match, as commits', () => {
    const changes = [{ at: '261133e1d33e', status: 'unaffected' }]
    const all = [
      cna(router([{ version: '1.3', lessThanOrEqual: '1.4', status: 'affected', changes }])),
      nvd({ configurations: configurations(match('router', { versionEndExcluding: '24256415d186a1b2' })) }),
    ]
    expect(resolved(all).fixes.map(({ version, isCommit, by }) => [version, isCommit, by])).toEqual([
      ['261133e1d33e', true, 'cna:apache'],
      ['24256415d186a1b2', true, 'nvd'],
    ])
  })

  it('lists a commit once if one source names it by 40 digits and another by 12', () => {
    const hash = '261133e1d33e24256415d186a1b25e6f7a8b1a2b'
    const git = { version: '1a2b3c4d5e6f', lessThan: hash, versionType: 'git', status: 'affected' }
    const short = configurations(match('router', { versionEndExcluding: hash.slice(0, 12) }))
    const all = [cna(router([git])), override(short)]
    expect(resolved(all).fixes.map(({ version }) => version)).toHaveLength(1)
  })

  it.each([
    ['the end of an affected series', { version: '21.1', lessThan: '21.1*', status: 'affected' }, null],
    [
      'an unaffected series, which names no version (CVE-2024-48838)',
      { version: '10.5.6.x', status: 'unaffected' },
      { kind: 'range-in-words', words: '10.5.6.x' },
    ],
  ])('does not take %s for a fixed version', (_, range, expected) => {
    const versions = [{ version: '10.5.5.x', status: 'affected' }, range]
    const found = resolved([cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router', versions }] } })])
    expect([found.fix?.value ?? null, found.fixes]).toEqual([expected, []])
  })

  it('does not call the end of a Linux kernel branch a fix', () => {
    const affected = { vendor: 'Linux', product: 'Linux', defaultStatus: 'unaffected' }
    const found = resolved([
      cna(
        { ...affected, versions: [{ version: '6.1.101', lessThan: '6.2', status: 'affected' }] },
        {
          ...affected,
          defaultStatus: 'affected',
          versions: [
            { version: '6.2', status: 'affected' },
            { version: '7.1.9', lessThanOrEqual: '7.1.*', status: 'unaffected' },
            { version: '7.2', lessThanOrEqual: '*', status: 'unaffected' },
          ],
        },
      ),
    ])
    expect(showFix(found)?.value).toBe('unaffected 7.1.9')
    expect(found.fixes.map(({ version }) => version)).toEqual(['7.1.9', '7.2'])
  })

  it('lists commits after versions, and at most 50 fixes', () => {
    const git = { version: '1a2b3c4d', lessThan: '5e6f7a8b', versionType: 'git', status: 'affected' }
    const versions = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ version: '0', lessThan: `2.${at}`, status: 'affected' }))
    const few = resolved([cna(router([git, ...versions(2)]))])
    expect(few.fixes.map(({ version, isCommit }) => [version, isCommit])).toEqual([
      ['2.0', false],
      ['2.1', false],
      ['5e6f7a8b', true],
    ])
    const many = resolved([cna(router([git, ...versions(80)]))])
    expect(many).toMatchObject({ fixes: { length: 50 }, omittedFixes: 31 })
  })
})
