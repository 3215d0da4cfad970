import { describe, expect, it } from 'vitest'
import { type Bom, prune } from '../../../tools/make-sbom.ts'

const component = (ref: string) => ({
  'bom-ref': ref,
  name: ref.split('@')[0] ?? '',
  version: ref.split('@')[1] ?? '',
  purl: `pkg:npm/${ref}`,
  hashes: [{ alg: 'SHA-512', content: '00' }],
})

/** Test data: the service needs package a, packages a and b need each other, and c is a development package. */
const BOM: Bom = {
  bomFormat: 'CycloneDX',
  metadata: { component: component('folder@0.0.0') },
  components: ['a@1', 'b@2', 'c@3'].map(component),
  dependencies: [
    { ref: 'a@1', dependsOn: ['b@2'] },
    { ref: 'b@2', dependsOn: ['a@1'] },
    { ref: 'c@3', dependsOn: ['b@2'] },
  ],
}
const SERVICE = { name: 'vis-service', version: '0.1.0', dependencies: { a: '1' } }

describe('SBOM generator for the service', () => {
  it('lists only direct and indirect runtime packages', () => {
    const { components, dependencies, metadata } = prune(BOM, SERVICE)
    expect(components.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(dependencies.map(({ ref }) => ref)).toEqual(['vis-service@0.1.0', 'a@1', 'b@2'])
    expect(metadata.component.name).toBe('vis-service')
  })

  it('lists a bundled development package without its own dependencies', () => {
    const shipped = { ...SERVICE, dependencies: {}, devDependencies: { c: '3' } }
    const { components, dependencies } = prune(BOM, shipped, ['c'])
    expect(components.map(({ name }) => name)).toEqual(['c'])
    expect(dependencies).toEqual([
      { ref: 'vis-service@0.1.0', dependsOn: ['c@3'] },
      { ref: 'c@3', dependsOn: [] },
    ])
  })

  it('throws for a runtime package that is not installed or has no hash', () => {
    expect(() => prune({ ...BOM, components: [component('a@1')] }, SERVICE)).toThrow('not installed: b@2')
    const unhashed = { ...component('b@2'), hashes: [] }
    expect(() => prune({ ...BOM, components: [component('a@1'), unhashed] }, SERVICE)).toThrow('pkg:npm/b@2')
  })
})
