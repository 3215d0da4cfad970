import {
  DEBIAN,
  type DebianPackage,
  type Dialect,
  encode,
  LODASH,
  LOG4J,
  RPM,
  toEpochVersion,
  toSourceVersion,
} from './packages.ts'

const document = (specVersion: string, root: object, components: readonly object[]) => ({
  bomFormat: 'CycloneDX',
  specVersion,
  serialNumber: 'urn:uuid:6a2d2c34-6b1c-4a7f-9d8e-1c61f2a0f6c2',
  version: 1,
  metadata: { component: root },
  components,
})
const property = (name: string, value: string) => ({ name, value })
const IMAGE = { 'bom-ref': 'a6f0d9b0c9d3c4f1', type: 'container', name: 'debian:12' }

/** Syft names the source package in the purl and in properties, and guesses CPE names. */
const SYFT_OS = {
  'bom-ref': 'os:debian@12',
  type: 'operating-system',
  name: 'debian',
  version: '12',
  description: 'Debian GNU/Linux 12 (bookworm)',
  cpe: 'cpe:2.3:o:debian:debian_linux:12:*:*:*:*:*:*:*',
  properties: [property('syft:distro:id', 'debian'), property('syft:distro:versionCodename', 'bookworm')],
}
const syftPackage = (each: DebianPackage, qualifiers: string) => ({
  'bom-ref': `syft-${each.name}`,
  type: 'library',
  publisher: 'Example Maintainers <maintainers@example.org>',
  name: each.name,
  version: toEpochVersion(each),
  cpe: `cpe:2.3:a:${each.name}:${each.name}:${each.upstream}:*:*:*:*:*:*:*`,
  purl: `pkg:deb/debian/${each.name}@${encode(toEpochVersion(each))}?arch=amd64${qualifiers}`,
  properties: [
    property('syft:package:type', 'deb'),
    property('syft:package:metadataType', 'dpkg-db-entry'),
    property('syft:cpe23', `cpe:2.3:a:${each.name}:${each.source}:${each.upstream}:*:*:*:*:*:*:*`),
    property('syft:metadata:source', each.source),
    ...(toEpochVersion(each) === toSourceVersion(each)
      ? []
      : [property('syft:metadata:sourceVersion', toSourceVersion(each))]),
  ],
})
const syftUpstream = (each: DebianPackage) =>
  `&distro=debian-12&upstream=${each.source}${toEpochVersion(each) === toSourceVersion(each) ? '' : `%40${toSourceVersion(each)}`}`
const SYFT_LODASH = {
  'bom-ref': 'syft-lodash',
  type: 'library',
  ...LODASH,
  cpe: 'cpe:2.3:a:lodash:lodash:4.17.20:*:*:*:*:*:*:*',
  properties: [property('syft:package:type', 'npm'), property('syft:location:0:path', '/srv/package-lock.json')],
}
const FILE = { 'bom-ref': 'c6ef5e1a6b1b3c0e', type: 'file', name: '/usr/lib/x86_64-linux-gnu/libssl.so.3' }

/** Trivy's purls have neither the source package nor the epoch in the version. */
const trivy = (name: string, value: string) => property(`aquasecurity:trivy:${name}`, value)
const TRIVY_OS = {
  'bom-ref': '4d9fbc1d-0c1a-4a0b-8a57-5d4c9e6a3b11',
  type: 'operating-system',
  name: 'debian',
  version: '12.4',
  properties: [trivy('Class', 'os-pkgs'), trivy('Type', 'debian')],
}
const trivyPackage = (each: DebianPackage) => ({
  'bom-ref': `trivy-${each.name}`,
  type: 'library',
  supplier: { name: 'Example Maintainers <maintainers@example.org>' },
  name: each.name,
  version: toEpochVersion(each),
  purl: `pkg:deb/debian/${each.name}@${encode(each.version)}?arch=amd64&distro=debian-12.4${each.epoch && `&epoch=${each.epoch}`}`,
  properties: [
    trivy('PkgID', `${each.name}@${toEpochVersion(each)}`),
    trivy('PkgType', 'debian'),
    ...(each.epoch === '' ? [] : [trivy('SrcEpoch', each.epoch)]),
    trivy('SrcName', each.source),
    trivy('SrcRelease', each.release),
    trivy('SrcVersion', each.upstream),
  ],
})
const TRIVY_LOCK_FILE = {
  'bom-ref': '8b1d2c3e-7a55-4c39-8b0a-2f1f6a7e9c22',
  type: 'application',
  name: 'srv/package-lock.json',
  properties: [trivy('Class', 'lang-pkgs'), trivy('Type', 'npm')],
}

/** cdxgen drops Trivy's properties and lists the source package as a further component. */
const cdxgenPackage = (each: DebianPackage): readonly object[] => {
  const toComponent = (name: string, version: string, more: object = {}) => ({
    group: 'debian',
    name,
    version,
    purl: `pkg:deb/debian/${name}@${encode(version)}?arch=amd64&distro=debian-12&distro_name=bookworm`,
    'bom-ref': `pkg:deb/debian/${name}@${version}?arch=amd64&distro=debian-12&distro_name=bookworm`,
    type: 'library',
    ...more,
  })
  const binary = toComponent(each.name, toEpochVersion(each))
  return each.name === each.source
    ? [binary]
    : [binary, toComponent(each.source, toSourceVersion(each), { tags: ['source'] })]
}

/** Docker Scout lists source packages, with qualifiers of its own. */
const scoutPackage = (each: DebianPackage) => ({
  type: 'library',
  name: each.source,
  version: toEpochVersion(each),
  purl: `pkg:deb/debian/${each.source}@${encode(toEpochVersion(each))}?os_distro=bookworm&os_name=debian&os_version=12`,
})

const RPM_IMAGE = { 'bom-ref': 'f1', type: 'container', name: 'ubi9' }
const { name, version, release, epoch } = RPM

export const CYCLONEDX: readonly Dialect[] = [
  {
    tool: 'Syft, CycloneDX',
    lists: 'image',
    document: document('1.6', IMAGE, [
      ...DEBIAN.map((each) => syftPackage(each, syftUpstream(each))),
      SYFT_LODASH,
      SYFT_OS,
      FILE,
    ]),
  },
  {
    tool: 'Syft, CycloneDX, after a tool that drops qualifiers of purls',
    lists: 'packages',
    document: document('1.6', IMAGE, [...DEBIAN.map((each) => syftPackage(each, '')), SYFT_OS]),
  },
  {
    tool: 'Trivy, CycloneDX',
    lists: 'image',
    document: document('1.6', IMAGE, [
      TRIVY_OS,
      TRIVY_LOCK_FILE,
      ...DEBIAN.map(trivyPackage),
      { type: 'library', ...LODASH },
    ]),
  },
  {
    tool: 'cdxgen, image',
    lists: 'packages',
    document: document('1.6', IMAGE, DEBIAN.flatMap(cdxgenPackage)),
  },
  {
    tool: 'cdxgen, project',
    lists: 'build',
    document: document('1.6', { type: 'application', name: 'shop', 'bom-ref': 'pkg:npm/shop@1.0.0' }, [
      {
        group: '',
        ...LODASH,
        type: 'library',
        scope: 'required',
        properties: [property('SrcFile', 'package-lock.json')],
      },
      { ...LOG4J, purl: `${LOG4J.purl}?type=jar`, type: 'library', properties: [property('SrcFile', 'pom.xml')] },
    ]),
  },
  {
    tool: 'Docker Scout, CycloneDX',
    lists: 'image',
    document: document('1.5', IMAGE, [...DEBIAN.map(scoutPackage), { type: 'library', ...LODASH }]),
  },
  {
    tool: 'npm sbom, CycloneDX',
    lists: 'npm',
    document: document('1.5', { type: 'library', name: 'shop', version: '1.0.0', purl: 'pkg:npm/shop@1.0.0' }, [
      { 'bom-ref': 'lodash@4.17.20', type: 'library', ...LODASH, scope: 'required' },
    ]),
  },
  {
    tool: "CycloneDX's Maven plugin",
    lists: 'maven',
    document: document('1.6', { type: 'application', group: 'com.example', name: 'shop', version: '1.0' }, [
      {
        'bom-ref': `${LOG4J.purl}?type=jar`,
        type: 'library',
        publisher: 'Apache',
        ...LOG4J,
        purl: `${LOG4J.purl}?type=jar`,
      },
    ]),
  },
  {
    tool: 'A tool that nests components',
    lists: 'build',
    document: document('1.6', { type: 'application', name: 'shop' }, [
      {
        type: 'application',
        name: 'frontend',
        purl: 'pkg:npm/frontend@1.0.0',
        components: [{ type: 'library', ...LODASH }],
      },
      { type: 'application', name: 'backend', components: [{ type: 'framework', name: 'x', components: [LOG4J] }] },
    ]),
  },
  {
    tool: 'Syft, CycloneDX, RPM',
    lists: 'rpm',
    document: document('1.6', RPM_IMAGE, [
      {
        type: 'library',
        name,
        version: `${epoch}:${version}-${release}`,
        purl: `pkg:rpm/redhat/${name}@${version}-${release}?arch=x86_64&distro=rhel-9.2&epoch=${epoch}`,
        properties: [property('syft:metadata:epoch', epoch), property('syft:metadata:sourceRpm', RPM.sourceRpm)],
      },
      {
        type: 'operating-system',
        name: 'rhel',
        version: '9.2',
        cpe: 'cpe:2.3:o:redhat:enterprise_linux:9:*:*:*:*:*:*:*',
      },
    ]),
  },
  {
    tool: 'Trivy, CycloneDX, RPM',
    lists: 'rpm',
    document: document('1.6', RPM_IMAGE, [
      { type: 'operating-system', name: 'redhat', version: '9.2', properties: [trivy('Class', 'os-pkgs')] },
      {
        type: 'library',
        name,
        version: `${epoch}:${version}-${release}`,
        purl: `pkg:rpm/redhat/${name}@${version}-${release}?arch=x86_64&epoch=${epoch}`,
        properties: [
          trivy('SrcName', RPM.source),
          trivy('SrcVersion', version),
          trivy('SrcRelease', release),
          trivy('SrcEpoch', epoch),
        ],
      },
    ]),
  },
]
