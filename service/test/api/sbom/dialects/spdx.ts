import { DEBIAN, type Dialect, encode, LODASH, LOG4J, toEpochVersion, toSourceVersion } from './packages.ts'

const reference = (type: string, locator: string, category = 'PACKAGE-MANAGER') => ({
  referenceCategory: category,
  referenceType: type,
  referenceLocator: locator,
})
const describes = (id: string) => ({
  spdxElementId: 'SPDXRef-DOCUMENT',
  relationshipType: 'DESCRIBES',
  relatedSpdxElement: id,
})
const document = (root: { readonly SPDXID: string }, packages: readonly object[]) => ({
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'debian:12',
  documentNamespace: 'https://example.org/debian-12-2b0e1c83',
  packages: [...packages, { downloadLocation: 'NOASSERTION', filesAnalyzed: false, ...root }],
  relationships: [describes(root.SPDXID)],
})
const entry = (id: string, name: string, versionInfo: string, more: object) => ({
  SPDXID: `SPDXRef-Package-${id}`,
  name,
  versionInfo,
  downloadLocation: 'NOASSERTION',
  filesAnalyzed: false,
  ...more,
})
const IMAGE = { SPDXID: 'SPDXRef-DocumentRoot-Image-debian', name: 'debian', primaryPackagePurpose: 'CONTAINER' }
const lodash = (...more: readonly object[]) =>
  entry('lodash', LODASH.name, LODASH.version, { externalRefs: [...more, reference('purl', LODASH.purl)] })

const SYFT = document(IMAGE, [
  ...DEBIAN.map((each) => {
    const [version, source] = [toEpochVersion(each), toSourceVersion(each)]
    const upstream = version === source ? each.source : `${each.source}%40${source}`
    return entry(each.name, each.name, version, {
      sourceInfo: 'acquired package info from DPKG DB: /var/lib/dpkg/status',
      externalRefs: [
        reference('cpe23Type', `cpe:2.3:a:${each.name}:${each.name}:${each.upstream}:*:*:*:*:*:*:*`, 'SECURITY'),
        reference('cpe23Type', `cpe:2.3:a:${each.name}:${each.source}:${each.upstream}:*:*:*:*:*:*:*`, 'SECURITY'),
        reference(
          'purl',
          `pkg:deb/debian/${each.name}@${encode(version)}?arch=amd64&distro=debian-12&upstream=${upstream}`,
        ),
      ],
    })
  }),
  lodash(reference('cpe23Type', 'cpe:2.3:a:lodash:lodash:4.17.20:*:*:*:*:*:*:*', 'SECURITY')),
])

/** Since 2024 Trivy writes annotations; earlier it wrote attribution texts. */
const toAnnotations = (comments: readonly string[]) => ({
  annotations: comments.map((comment) => ({
    annotationDate: '2026-08-20T08:00:00Z',
    annotationType: 'OTHER',
    annotator: 'Tool: trivy-0.66.0',
    comment,
  })),
})
const toAttributions = (attributionTexts: readonly string[]) => ({ attributionTexts })
const trivy = (describe: (comments: readonly string[]) => object) =>
  document({ ...IMAGE, SPDXID: 'SPDXRef-ContainerImage-2b0e1c83' }, [
    entry('os', 'debian', '12.4', {
      ...describe(['Class: os-pkgs', 'Type: debian']),
      primaryPackagePurpose: 'OPERATING-SYSTEM',
    }),
    entry('lock', 'srv/package-lock.json', 'NOASSERTION', {
      ...describe(['Class: lang-pkgs', 'Type: npm']),
      primaryPackagePurpose: 'APPLICATION',
    }),
    ...DEBIAN.map((each) =>
      entry(each.name, each.name, toEpochVersion(each), {
        sourceInfo: `built package from: ${each.source} ${toSourceVersion(each)}`,
        primaryPackagePurpose: 'LIBRARY',
        externalRefs: [
          reference(
            'purl',
            `pkg:deb/debian/${each.name}@${encode(each.version)}?arch=amd64${each.epoch && `&epoch=${each.epoch}`}`,
          ),
        ],
      }),
    ),
    lodash(),
  ])

export const SPDX: readonly Dialect[] = [
  { tool: 'Syft, SPDX', lists: 'image', document: SYFT },
  {
    tool: 'BuildKit, an attestation with the SPDX document of Syft',
    lists: 'image',
    document: {
      _type: 'https://in-toto.io/Statement/v0.1',
      predicateType: 'https://spdx.dev/Document',
      subject: [{ name: 'pkg:docker/debian@12', digest: { sha256: 'ac353db4' } }],
      predicate: SYFT,
    },
  },
  { tool: 'Trivy, SPDX', lists: 'image', document: trivy(toAnnotations) },
  { tool: 'Trivy, SPDX, until 2024', lists: 'image', document: trivy(toAttributions) },
  {
    tool: 'npm sbom, SPDX',
    lists: 'npm',
    document: {
      spdxVersion: 'SPDX-2.3',
      SPDXID: 'SPDXRef-DOCUMENT',
      documentNamespace: 'http://spdx.org/spdxdocs/shop-1.0.0-2b0e1c83',
      documentDescribes: ['SPDXRef-Package-shop-1.0.0'],
      packages: [entry('shop-1.0.0', 'shop', '1.0.0', { primaryPackagePurpose: 'LIBRARY' }), lodash()],
    },
  },
  {
    tool: "Microsoft's sbom-tool",
    lists: 'build',
    document: {
      spdxVersion: 'SPDX-2.2',
      SPDXID: 'SPDXRef-DOCUMENT',
      documentNamespace: 'https://sbom.example.com/shop/1.0.0/2b0e1c83',
      creationInfo: {
        created: '2026-08-20T08:00:00Z',
        creators: ['Organization: Example', 'Tool: Microsoft.SBOMTool-4.0.0'],
      },
      documentDescribes: ['SPDXRef-RootPackage'],
      files: [{ SPDXID: 'SPDXRef-File-main', fileName: './main.js' }],
      packages: [
        {
          SPDXID: 'SPDXRef-RootPackage',
          name: 'shop',
          versionInfo: '1.0.0',
          supplier: 'Organization: Example',
          hasFiles: [],
        },
        lodash(),
        entry('log4j', `${LOG4J.group}.${LOG4J.name}`, LOG4J.version, {
          supplier: 'Organization: Apache',
          externalRefs: [reference('purl', LOG4J.purl, 'PACKAGE_MANAGER')],
        }),
      ],
    },
  },
  {
    tool: 'SPDX 3.0',
    lists: 'packages',
    document: {
      '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
      '@graph': [
        { type: 'SpdxDocument', spdxId: 'urn:doc', rootElement: ['urn:image'] },
        { type: 'software_Package', spdxId: 'urn:image', name: 'debian:12' },
        {
          type: 'software_Package',
          spdxId: 'urn:os',
          name: 'debian',
          software_packageVersion: '12',
          software_primaryPurpose: 'operatingSystem',
        },
        ...DEBIAN.map((each) => ({
          type: 'software_Package',
          spdxId: `urn:${each.name}`,
          name: each.name,
          software_packageVersion: toEpochVersion(each),
          software_sourceInfo: `built package from: ${each.source} ${toSourceVersion(each)}`,
          software_packageUrl: `pkg:deb/debian/${each.name}@${encode(toEpochVersion(each))}?arch=amd64`,
        })),
      ],
    },
  },
]
