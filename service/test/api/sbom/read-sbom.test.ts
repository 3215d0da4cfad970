import { describe, expect, it } from 'vitest'
import { readSbom } from '../../../src/matching/sbom/document/read-sbom.ts'

const cycloneDx = (components: unknown, more: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  components,
  ...more,
})
const spdx2 = (packages: unknown, more: object = {}) => ({ spdxVersion: 'SPDX-2.3', packages, ...more })
const spdx3 = (...elements: readonly unknown[]) => ({
  '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
  '@graph': elements,
})
/** Returns the components as [position, ref, type of name, product, version], and the skipped positions. */
const read = (document: unknown) => {
  const { components, skipped } = readSbom(document, '')
  return {
    components: components.map(({ index, ref, component: { by, product, version } }) => {
      return [index, ref, by, product, version?.text]
    }),
    skipped: skipped.map(({ index }) => index),
  }
}
const CPE = 'cpe:2.3:a:example:lark:1.0:*:*:*:*:*:*:*'

describe('CycloneDX documents', () => {
  it('lists nested components after the component that contains them, those of the root first', () => {
    const document = cycloneDx(
      [
        { name: 'outer', version: '1', components: [{ name: 'inner', version: '2' }] },
        { name: 'last', version: '3' },
      ],
      { metadata: { component: { name: 'root', version: '9', components: [{ name: 'part', version: '4' }] } } },
    )
    expect(read(document).components.map(([, , , name]) => name)).toEqual(['part', 'outer', 'inner', 'last'])
  })

  it.each([
    ['a purl before a cpe', { purl: 'pkg:npm/lark@1.0', cpe: CPE, name: 'x' }, 'purl'],
    ['a cpe before a generic purl', { purl: 'pkg:generic/lark@1.0', cpe: CPE, name: 'x' }, 'cpe'],
    ['a cpe instead of a malformed purl', { purl: 'npm/lark', cpe: CPE, name: 'x' }, 'cpe'],
    ['the name if nothing else can be read', { purl: 7, cpe: 'a:b', name: 'lark', version: '1.0' }, 'product'],
  ])('compares by %s', (_, component, by) => {
    expect(read(cycloneDx([component])).components).toEqual([[0, undefined, by, 'lark', '1.0']])
  })

  it('skips files and entries without a name, with texts that are too long or of another type, and keeps positions', () => {
    const entries = [
      { type: 'file', name: 'LICENSE' },
      {},
      null,
      'text',
      { name: 'x'.repeat(129) },
      { name: 'a\u0000b' },
      { name: 'lark', version: 'v'.repeat(129) },
      { name: { toString: 1 } },
      { name: 'lark', version: ['1.0'], 'bom-ref': 12 },
    ]
    expect(read(cycloneDx(entries))).toEqual({
      components: [[8, undefined, 'product', 'lark', undefined]],
      skipped: [0, 1, 2, 3, 4, 5, 6, 7],
    })
  })

  it('reads no members from the object prototype', () => {
    const document = JSON.parse(
      '{"__proto__":{"specVersion":"1.6"},"bomFormat":"CycloneDX","specVersion":"1.4","components":[{"__proto__":{"name":"lark"}},{"constructor":{"prototype":{"name":"x"}},"name":"lark"}]}',
    )
    expect(read(document)).toEqual({ components: [[1, undefined, 'product', 'lark', undefined]], skipped: [0] })
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false)
  })

  it('refuses components that are nested more than 100 levels deep', () => {
    const nest = (levels: number): object =>
      levels === 1 ? { name: 'a' } : { name: 'a', components: [nest(levels - 1)] }
    expect(read(cycloneDx([nest(100)])).components).toHaveLength(100)
    expect(() => read(cycloneDx([nest(101)]))).toThrow('nested more than 100 levels deep')
  })
})

describe('SPDX 2.3 documents', () => {
  it('reads names, versions and external references, and ignores NOASSERTION', () => {
    const references = (type: string, locator: string) => [{ referenceType: type, referenceLocator: locator }]
    const packages = [
      { SPDXID: 'SPDXRef-a', name: 'lark', versionInfo: '1.0', externalRefs: references('purl', 'pkg:npm/lark@1.0') },
      { SPDXID: 'SPDXRef-b', name: 'lark', externalRefs: references('cpe23Type', CPE) },
      { name: 'lark', versionInfo: 'NOASSERTION', supplier: 'Organization: Example (info@example.com)' },
      { name: 'NOASSERTION', versionInfo: '1.0' },
    ]
    expect(read(spdx2(packages))).toEqual({
      components: [
        [0, 'SPDXRef-a', 'purl', 'lark', '1.0'],
        [1, 'SPDXRef-b', 'cpe', 'lark', '1.0'],
        [2, undefined, 'product', 'lark', undefined],
      ],
      skipped: [3],
    })
    expect(readSbom(spdx2(packages), '').components[2]?.component.vendor).toBe('example')
  })

  it('skips the package that the document describes, unless it describes several or has no others', () => {
    const packages = [
      { SPDXID: 'SPDXRef-root', name: 'shop' },
      { SPDXID: 'SPDXRef-a', name: 'lark' },
    ]
    const describes = (id: string) => ({
      spdxElementId: 'SPDXRef-DOCUMENT',
      relationshipType: 'DESCRIBES',
      relatedSpdxElement: id,
    })
    expect(read(spdx2(packages, { relationships: [describes('SPDXRef-root')] })).skipped).toEqual([0])
    expect(read(spdx2(packages, { documentDescribes: ['SPDXRef-root', 'SPDXRef-a'] })).skipped).toEqual([])
    expect(read(spdx2(packages.slice(0, 1), { documentDescribes: ['SPDXRef-root'] })).skipped).toEqual([])
  })
})

describe('SPDX 3.0 documents', () => {
  it('reads packages in the graph, their suppliers and identifiers, and skips the root element', () => {
    const document = spdx3(
      { type: 'SpdxDocument', spdxId: 'urn:doc', rootElement: ['urn:sbom'] },
      { type: 'software_Sbom', spdxId: 'urn:sbom', rootElement: ['urn:root'] },
      { type: 'Organization', spdxId: 'urn:org', name: 'Example' },
      { type: 'software_Package', spdxId: 'urn:root', name: 'shop' },
      { type: 'software_Package', spdxId: 'urn:a', name: 'x', software_packageUrl: 'pkg:npm/lark@1.0' },
      {
        type: 'software_Package',
        spdxId: 'urn:b',
        name: 'lark',
        software_packageVersion: '1.0',
        suppliedBy: 'urn:org',
      },
      {
        type: 'software_Package',
        name: 'x',
        externalIdentifier: [{ externalIdentifierType: 'cpe23', identifier: CPE }],
      },
      7,
    )
    expect(read(document)).toEqual({
      components: [
        [1, 'urn:a', 'purl', 'lark', '1.0'],
        [2, 'urn:b', 'product', 'lark', '1.0'],
        [3, undefined, 'cpe', 'lark', '1.0'],
      ],
      skipped: [0, 4],
    })
    const { serial, specVersion, components } = readSbom(document, '')
    expect([serial, specVersion, components[1]?.component.vendor]).toEqual(['urn:doc', '3.0.1', 'example'])
  })

  it('rejects another context and names the allowed ones', () => {
    const document = { ...spdx3(), '@context': ['https://spdx.org/rdf/3.1.0/spdx-context.jsonld'] }
    expect(() => readSbom(document, 'document.')).toThrow(/^document\.@context must be one of .*3\.0\.1/)
  })
})

describe('Packages of distributions', () => {
  const readPackages = (...components: readonly object[]) =>
    readSbom(cycloneDx(components), '').components.map(({ component: { vendor, product, version, target } }) => {
      return [vendor, product, version?.text, target]
    })
  const system = (name: string, version?: string, more: object = {}) => ({
    type: 'operating-system',
    name,
    version,
    ...more,
  })
  const withProperties = (purl: string, ...properties: readonly (readonly [string, string])[]) => ({
    purl,
    properties: properties.map(([name, value]) => ({ name, value })),
  })

  it('have the release of the operating system if their purl has none', () => {
    const bash = { purl: 'pkg:deb/debian/bash@5.2.15-2' }
    const read = (...systems: readonly object[]) => readPackages(bash, ...systems)[0]?.[3]
    expect(read(system('debian', '12.4'))).toBe('bookworm')
    expect(
      read(system('debian', undefined, { properties: [{ name: 'syft:distro:versionCodename', value: 'sid' }] })),
    ).toBe('sid')
    expect(read(system('debian'))).toBeNull()
    expect(read(system('ubuntu', '12.4'))).toBeNull()
    expect(read(system('debian', '12'), system('debian', '11'))).toBeNull()
    expect(readPackages({ purl: `${bash.purl}?distro=debian-11` }, system('debian', '12'))[0]?.[3]).toBe('bullseye')
    expect(readPackages({ purl: 'pkg:npm/bash@1.0.0' }, system('debian', '12'))[0]?.[3]).toBeNull()
  })

  it('have the names of distributions that Trivy and others spell differently', () => {
    expect(
      readPackages(
        { purl: 'pkg:rpm/alma/bash@5.1.8-6.el9?distro=alma-9.4' },
        { purl: 'pkg:rpm/rhel/bash@5.1.8-6.el9' },
        { purl: 'pkg:rpm/bash@5.1.8-6.el9' },
        system('alma', '9.4'),
      ),
    ).toEqual([
      ['rpm/almalinux', 'bash', '5.1.8-6.el9', '9.4'],
      ['rpm/redhat', 'bash', '5.1.8-6.el9', null],
      ['rpm/almalinux', 'bash', '5.1.8-6.el9', '9.4'],
    ])
  })

  it('have the source package that properties name, unless the purl names one', () => {
    const debian = 'pkg:deb/debian/libcurl4@7.88.1-10?distro=debian-12'
    const trivy = (name: string, value: string) => [`aquasecurity:trivy:${name}`, value] as const
    expect(
      readPackages(
        withProperties(debian, ['syft:metadata:source', 'curl'], ['syft:metadata:sourceVersion', '7.88.1-9']),
        withProperties(debian, trivy('SrcName', 'curl'), trivy('SrcVersion', '7.88.1'), trivy('SrcRelease', '9')),
        withProperties(debian, trivy('SrcName', 'curl'), trivy('SrcVersion', '8'), trivy('SrcEpoch', '1')),
        withProperties(`${debian}&upstream=curl%407.1`, ['syft:metadata:source', 'other']),
        withProperties('pkg:rpm/redhat/libcurl@7.76.1-29.el9', [
          'syft:metadata:sourceRpm',
          'curl-7.76.1-29.el9.src.rpm',
        ]),
        withProperties(debian),
      ).map(([, product, version]) => [product, version]),
    ).toEqual([
      ['curl', '7.88.1-9'],
      ['curl', '7.88.1-9'],
      ['curl', '1:8'],
      ['curl', '7.1'],
      ['curl', '7.76.1-29.el9'],
      ['libcurl4', '7.88.1-10'],
    ])
  })

  it('are their own source package if Syft read no other one from the package database of Debian', () => {
    const named = { name: 'bash', ...withProperties('pkg:deb/debian/bash@5.2.15-2?distro=debian-12') }
    const [known, unknown] = [
      { ...named, properties: [{ name: 'syft:package:metadataType', value: 'dpkg-db-entry' }] },
      named,
    ].map((component) => readSbom(cycloneDx([component]), '').components[0]?.component)
    expect(known).toMatchObject({ product: 'bash', version: { text: '5.2.15-2' }, hasSourcePackage: true })
    expect(unknown?.hasSourcePackage).toBeUndefined()
  })

  it('stand for their operating system, which is compared only if the document lists none of them', () => {
    const name = 'cpe:2.3:o:redhat:enterprise_linux:9.2:*:*:*:*:*:*:*'
    const rhel = system('rhel', '9.2', { cpe: name })
    const count = (...components: readonly object[]) => readSbom(cycloneDx(components), '').components.length
    expect(count({ purl: 'pkg:rpm/redhat/bash@5.1.8-6.el9' }, rhel)).toBe(1)
    expect(count({ purl: 'pkg:deb/debian/bash@5.2.15-2' }, rhel)).toBe(2)
    expect(count(rhel)).toBe(1)
    expect(count(system('rhel', '9.2'))).toBe(1)
  })
})

describe('Components with several names', () => {
  it('are compared by the purl whose packages a source names, and by a generic purl last', () => {
    const references = ['pkg:generic/lark@1.0', 'pkg:oci/lark@1.0', 'pkg:npm/lark@1.0'].map((referenceLocator) => ({
      referenceType: 'purl',
      referenceLocator,
    }))
    const [component] = readSbom(spdx2([{ name: 'lark', externalRefs: references }]), '').components
    expect(component?.label.purl).toBe('pkg:npm/lark@1.0')
    expect(component?.others.map(({ label }) => label.purl)).toEqual(['pkg:oci/lark@1.0', 'pkg:generic/lark@1.0'])
  })
})

describe('Attestations', () => {
  it('are read if their predicate is an SBOM, and errors name the predicate', () => {
    const statement = (predicateType: string, predicate: unknown) => ({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType,
      predicate,
    })
    expect(read(statement('https://cyclonedx.org/bom', cycloneDx([{ name: 'lark' }]))).components).toHaveLength(1)
    expect(() => read(statement('https://spdx.dev/Document', { spdxVersion: 'SPDX-2.1' }))).toThrow(
      /^predicate\.spdxVersion must be one of SPDX-2\.2, SPDX-2\.3/,
    )
    expect(() => read(statement('https://slsa.dev/provenance/v1', {}))).toThrow('is neither a CycloneDX nor an SPDX')
  })
})
