import { describe, expect, it } from 'vitest'
import { describeConclusion } from '../../../src/catalog/resolve/conclusions/describe.ts'
import { configurations, cve, match, nvd, override, resolved, showFix, vendor } from '../builders.ts'

const describedAs = (value: string) => ({ descriptions: [{ lang: 'en', value }] })

/** A CNA that names version 2.4 as the first fixed version, and NVD, which lists 2.4 as the last affected version. */
const conclude = (found: ReturnType<typeof resolved>) => found.conclusions.map(describeConclusion)

function resolveByNvd(description: string, limits = { versionEndIncluding: '2.4' }) {
  const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions: [{ version: '< 2.4', status: 'affected' }] }]
  const analysis = nvd({ ...describedAs(description), configurations: configurations(match('router', limits)) })
  return resolved([cve({ cna: { affected } }), analysis])
}

describe('Resolver: a version that one source calls fixed and another affected', () => {
  it.each([
    'Router 2.4 and prior can be restarted.',
    'Router v2.4 and all earlier versions can be restarted.',
    'Router through 2.4 can be restarted.',
    'A flaw in the plugin Router <= 2.4 versions.',
    'A flaw in Router, versions 2.2, 2.3, 2.4, allows attackers to restart it.',
    'A flaw in Router versions 2.2 and 2.4.',
    'A flaw in Router versions 2.2 - 2.4 allows a restart.',
  ])('is concluded to be affected if the description says: %s', (description) => {
    const found = resolveByNvd(description)
    expect(conclude(found)).toEqual([
      '2.4 is affected: NVD lists it as affected, and the description of NVD names it as affected. Apache calls it fixed.',
    ])
  })

  it('is concluded to be affected if NVD lists it besides ending a range with it (CVE-2021-21031)', () => {
    const listed = nvd({
      ...describedAs('Router versions 2.4.1 (and earlier) and 2.3.6 (and earlier) can be restarted.'),
      configurations: configurations(match('router', { versionEndExcluding: '2.3.6' }), {
        vulnerable: true,
        criteria: 'cpe:2.3:a:examplesoft:router:2.3.6:-:*:*:*:*:*:*',
      }),
    })
    const products = [{ vendor: 'npm', product: 'router', purl: 'pkg:npm/router', status: 'affected', fixed: '2.3.6' }]
    expect(conclude(resolved([listed, vendor('ghsa', { products, description: null })]))).toEqual([
      '2.3.6 is affected: NVD lists it as affected, and the description of NVD names it as affected. GitHub calls it fixed.',
    ])
  })

  it("leaves the source's own statement unchanged: its range, its fix and its words", () => {
    const found = resolveByNvd('Router 2.4 and prior can be restarted.')
    expect(found.affected[0]?.ranges).toMatchObject([{ lessThan: '2.4', lessThanOrEqual: null }])
    expect(found.fixes).toMatchObject([{ version: '2.4', by: 'cna:apache' }])
    expect(found.doubtedFixes).toMatchObject([{ value: { version: '2.4' }, by: 'cna:apache' }])
  })

  it.each([
    'Router before 2.4 can be restarted.',
    'Router prior to 8.6.0-2.4 can be restarted.',
    'Router 4.x prior to version 6.4-2.4, and 6.5.x prior to 6.5.4, can be restarted.',
    'Router before "12.06.2018 - 2.4" can be restarted.',
    'Router can be restarted. This issue is fixed in 2.4.',
    'Users should upgrade to versions 2.3.9, 2.4 or 3.0.',
    'Router 2.4.1 and prior can be restarted.',
    'Prior to versions 2.3.9 and 2.4, Router can be restarted. Versions 2.3.9 and 2.4 patch the issue.',
    'Router can be restarted. Versions 2.3.9 and 2.4 contain a patch.',
    'Router versions 2.0 to 2.4 can be restarted.',
    'Router can be restarted.',
    'Router can be restarted. In versions 2.3.9, 2.4 and 3.0 the handler checks its input and so resolves the problem.',
    'Router can be restarted. A fix is included in Router version 3.0 and version 2.4.',
    'Router 2.x: note that versions 2.3.9, 2.4, and 3.0 are also patched.',
    'The maintainers changed the behaviour of this method in version 2.4.',
    'Router 2.0 through 2.4 can be restarted. Update to Router versions 2.3.9 LTS, 2.4 or 3.0.',
  ])('is not concluded to be affected if the description says: %s', (description) => {
    expect(resolveByNvd(description).conclusions).toEqual([])
  })

  it("is not concluded from a list of fixed versions without another source's data (CVE-2024-37891)", () => {
    const products = [
      {
        product: 'router',
        vendor: 'pip',
        purl: 'pkg:pypi/router',
        status: 'affected',
        introduced: '2.0.0',
        fixed: '2.4',
      },
    ]
    const description = 'Router 2.3 can be restarted. Fixed in 2.3.9. Users can update to versions 2.3.9 and 2.4.'
    const found = resolved([cve({ cna: describedAs(description) }), vendor('ghsa', { products, description })])
    expect(found).toMatchObject({ conclusions: [], fix: { value: { version: '2.4' }, by: 'ghsa' } })
  })

  it.each([
    ['Router 2.0 through 2.4 can be restarted. Fixed in 2.5.', 'fixed in 2.5 (prose)', ['2.4']],
    ['Router 2.0 through 2.4 can be restarted.', 'lessThan 2.4', []],
    ['Router before 2.4 can be restarted. Fixed in 2.5.', 'lessThan 2.4', []],
  ])('is decided by the description of the only source: %s', (description, evidence, versions) => {
    const range = { version: '2.0', lessThan: '2.4', status: 'affected' }
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions: [range] }]
    const found = resolved([cve({ cna: { affected, ...describedAs(description) } })])
    expect(showFix(found)?.value).toBe(evidence)
    expect(found.conclusions).toMatchObject(versions.map((version) => ({ kind: 'affected', version })))
  })

  it('comes after another fix of the same source (CVE-2026-62243)', () => {
    const versions = [
      { version: '2.0', lessThan: '2.4', status: 'affected' },
      { version: '2.4', status: 'unaffected' },
      { version: '1.0', lessThan: '1.9', status: 'affected' },
    ]
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions }]
    const description = 'Router 2.0 through 2.4 can be restarted. Fixed in 2.5 and 1.9.'
    const found = resolved([cve({ cna: { affected, ...describedAs(description) } })])
    expect(showFix(found)?.value).toBe('lessThan 1.9')
    expect(found.doubtedFixes).toMatchObject([{ value: { version: '2.4' } }])
  })

  it('is not concluded to be affected if the other source also names it as the fixed version of a product', () => {
    const both = configurations(
      match('router', { versionEndIncluding: '2.4' }),
      match('switch', { versionEndExcluding: '2.4' }),
    )
    const affected = [
      { vendor: 'ExampleSoft', product: 'Switch', versions: [{ version: '0', lessThan: '2.4', status: 'affected' }] },
    ]
    const records = [cve({ cna: { affected } }), nvd({ ...describedAs('Router 2.4 and prior.'), configurations: both })]
    expect(resolved(records).conclusions).toEqual([])
  })

  it('is not concluded to be affected if the other source lists it for another product only (CVE-2023-22641)', () => {
    const product = (name: string, version: string) => ({
      vendor: 'ExampleSoft',
      product: name,
      versions: [{ version: '2.0', lessThanOrEqual: version, status: 'affected' }],
    })
    const fixed = configurations(match('router', { versionEndExcluding: '2.4' }))
    const analysis = nvd({ ...describedAs('Switch 2.4 and prior.'), configurations: fixed })
    const both = cve({ cna: { affected: [product('Router', '2.3'), product('Switch', '2.4')] } })
    expect(resolved([both, analysis]).conclusions).toEqual([])
    const unnamed = cve({ cna: { affected: [product('Switch', '2.4')] } })
    expect(resolved([unnamed, analysis]).conclusions).toMatchObject([{ version: '2.4', listedBy: ['cna:apache'] }])
  })

  it("is not concluded to be affected if the CNA's solution names it as a fix", () => {
    const affected = [
      { vendor: 'ExampleSoft', product: 'Router', versions: [{ version: '< 2.4', status: 'affected' }] },
    ]
    const solutions = [{ lang: 'en', value: 'Update Router to version 2.4.' }]
    const analysis = nvd({
      ...describedAs('Router 2.4 and prior can be restarted.'),
      configurations: configurations(match('router', { versionEndIncluding: '2.4' })),
    })
    expect(resolved([cve({ cna: { affected, solutions } }), analysis]).conclusions).toEqual([])
  })

  it("comes after the fix of another source, and NVD's CPE match stays as it is", () => {
    const versions = [{ version: '0', lessThanOrEqual: '2.4', status: 'affected' }]
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions }]
    const early = configurations(match('router', { versionEndExcluding: '2.4' }))
    const analysis = nvd({ ...describedAs('Router 2.4 and prior.'), configurations: early })
    const found = resolved([cve({ cna: { affected } }), analysis])
    expect(found).toMatchObject({ cpe: { matches: [{ versionEndExcluding: '2.4' }] } })
    expect(conclude(found)).toEqual([
      '2.4 is affected: Apache lists it as affected, and the description of NVD names it as affected. NVD calls it fixed.',
    ])
    const later = override(configurations(match('router', { versionEndExcluding: '2.5' })))
    expect(showFix(resolved([cve({ cna: { affected } }), analysis, later]))).toMatchObject({
      value: 'versionEndExcluding 2.5',
    })
  })
})
