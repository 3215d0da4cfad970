import { describe, expect, it } from 'vitest'
import { configurations, cve, match, nvd, override, resolved, showFix } from '../builders.ts'

const describedAs = (value: string) => ({ descriptions: [{ lang: 'en', value }] })

/** A CNA that names version 2.4 as the first fixed version, and NVD, which lists 2.4 as the last affected version. */
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
  ])('is not a fix if the description says: %s', (description) => {
    const found = resolveByNvd(description)
    expect(found).toMatchObject({ fix: null, fixes: [] })
    expect(found.affected[0]?.ranges).toMatchObject([{ lessThan: null, lessThanOrEqual: '2.4' }])
  })

  it.each([
    'Router before 2.4 can be restarted.',
    'Router can be restarted. This issue is fixed in 2.4.',
    'Users should upgrade to versions 2.3.9, 2.4 or 3.0.',
    'Router 2.4.1 and prior can be restarted.',
    'Prior to versions 2.3.9 and 2.4, Router can be restarted. Versions 2.3.9 and 2.4 patch the issue.',
    'Router can be restarted. Versions 2.3.9 and 2.4 contain a patch.',
    'Router versions 2.0 to 2.4 can be restarted.',
    'Router can be restarted.',
  ])('stays a fix if the description says: %s', (description) => {
    expect(resolveByNvd(description).fixes).toMatchObject([{ version: '2.4', by: 'cna:apache' }])
  })

  it.each([
    ['Router 2.0 through 2.4 can be restarted. Fixed in 2.5.', 'fixed in 2.5 (prose)', []],
    ['Router 2.0 through 2.4 can be restarted.', 'lessThan 2.4', ['2.4']],
    ['Router before 2.4 can be restarted. Fixed in 2.5.', 'lessThan 2.4', ['2.4']],
  ])('is decided by the description of the only source: %s', (description, evidence, versions) => {
    const range = { version: '2.0', lessThan: '2.4', status: 'affected' }
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions: [range] }]
    const found = resolved([cve({ cna: { affected, ...describedAs(description) } })])
    expect(showFix(found)?.value).toBe(evidence)
    expect(found.fixes.map(({ version }) => version)).toEqual(versions)
  })

  it('is not a fix even if the source also lists it as unaffected (CVE-2026-62243)', () => {
    const versions = [
      { version: '2.0', lessThan: '2.4', status: 'affected' },
      { version: '2.4', status: 'unaffected' },
      { version: '1.0', lessThan: '1.9', status: 'affected' },
    ]
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions }]
    const description = 'Router 2.0 through 2.4 can be restarted. Fixed in 2.5 and 1.9.'
    const found = resolved([cve({ cna: { affected, ...describedAs(description) } })])
    expect(showFix(found)?.value).toBe('lessThan 1.9')
    expect(found.fixes.map(({ version }) => version)).toEqual(['1.9'])
  })

  it('stays a fix if the other source also names it as the fixed version of a product', () => {
    const both = configurations(
      match('router', { versionEndIncluding: '2.4' }),
      match('switch', { versionEndExcluding: '2.4' }),
    )
    const affected = [
      { vendor: 'ExampleSoft', product: 'Switch', versions: [{ version: '0', lessThan: '2.4', status: 'affected' }] },
    ]
    const records = [cve({ cna: { affected } }), nvd({ ...describedAs('Router 2.4 and prior.'), configurations: both })]
    expect(resolved(records).fix).not.toBeNull()
  })

  it('is not an NVD fix if the CNA and the description call it affected; the CPE match stays as NVD wrote it', () => {
    const versions = [{ version: '0', lessThanOrEqual: '2.4', status: 'affected' }]
    const affected = [{ vendor: 'ExampleSoft', product: 'Router', versions }]
    const wrong = configurations(match('router', { versionEndExcluding: '2.4' }))
    const analysis = nvd({ ...describedAs('Router 2.4 and prior.'), configurations: wrong })
    const found = resolved([cve({ cna: { affected } }), analysis])
    expect(found).toMatchObject({ fix: null, fixes: [], cpe: { matches: [{ versionEndExcluding: '2.4' }] } })
    const later = override(configurations(match('router', { versionEndExcluding: '2.5' })))
    expect(resolved([cve({ cna: { affected } }), analysis, later]).fixes).toMatchObject([{ version: '2.5' }])
  })
})
