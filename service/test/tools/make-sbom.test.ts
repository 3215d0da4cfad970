import { describe, expect, it } from 'vitest'
import { type Bom, prune } from '../../../tools/make-sbom.ts'

const component = (ref: string) => ({
  'bom-ref': ref,
  name: ref.split('@')[0] ?? '',
  version: ref.split('@')[1] ?? '',
  purl: `pkg:npm/${ref}`,
  hashes: [{ alg: 'SHA-512', content: '00' }],
})

/** The service needs a, which needs b and, in a circle, a; c is for development. */
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
const SERVICE = { name: '@vis/service', version: '0.1.0', dependencies: { a: '1' } }

describe('The SBOM', () => {
  it('lists what the service needs to run, directly or not, and nothing else', () => {
    const { components, dependencies, metadata } = prune(BOM, SERVICE)
    expect(components.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(dependencies.map(({ ref }) => ref)).toEqual(['@vis/service@0.1.0', 'a@1', 'b@2'])
    expect(metadata.component.name).toBe('@vis/service')
  })

  it('refuses to be silent about what is missing, or has no hash', () => {
    expect(() => prune({ ...BOM, components: [component('a@1')] }, SERVICE)).toThrow('not installed: b@2')
    const unhashed = { ...component('b@2'), hashes: [] }
    expect(() => prune({ ...BOM, components: [component('a@1'), unhashed] }, SERVICE)).toThrow('no hash: pkg:npm/b@2')
  })
})
