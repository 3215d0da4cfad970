// Small documents in the dialects of common tools. Field names and forms are those that the tools write.

/** Output of `npm sbom --sbom-format cyclonedx` for a project with a workspace. */
export const NPM_CYCLONEDX = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:0f1f9c1e-1d1e-4f0c-8b1e-0d8f5a9c2b11',
  version: 1,
  metadata: {
    tools: [{ vendor: 'npm', name: 'cli', version: '11.6.1' }],
    component: {
      'bom-ref': 'shop@1.0.0',
      type: 'library',
      name: 'shop',
      version: '1.0.0',
      scope: 'required',
      purl: 'pkg:npm/shop@1.0.0',
      properties: [{ name: 'cdx:npm:package:private', value: 'true' }],
    },
  },
  components: [
    {
      'bom-ref': 'shop-core@1.0.0',
      type: 'library',
      name: 'core',
      version: '1.0.0',
      scope: 'required',
      purl: 'pkg:npm/shop-core@1.0.0',
      properties: [{ name: 'cdx:npm:package:private', value: 'true' }],
    },
    {
      'bom-ref': '@fastify/ajv-compiler@4.0.2',
      type: 'library',
      name: 'ajv-compiler',
      version: '4.0.2',
      purl: 'pkg:npm/%40fastify/ajv-compiler@4.0.2',
      properties: [{ name: 'cdx:npm:package:path', value: 'node_modules/@fastify/ajv-compiler' }],
    },
  ],
  dependencies: [{ ref: 'shop@1.0.0', dependsOn: ['shop-core@1.0.0'] }],
}

const purlReference = (purl: string) => ({
  referenceCategory: 'PACKAGE-MANAGER',
  referenceType: 'purl',
  referenceLocator: purl,
})
const describes = (id: string) => ({
  spdxElementId: 'SPDXRef-DOCUMENT',
  relatedSpdxElement: id,
  relationshipType: 'DESCRIBES',
})

/** SBOM of the image debian:12 as Syft writes it, in CycloneDX. */
export const SYFT_CYCLONEDX = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:6a2d2c34-6b1c-4a7f-9d8e-1c61f2a0f6c2',
  version: 1,
  metadata: {
    timestamp: '2026-08-20T08:00:00Z',
    tools: { components: [{ type: 'application', author: 'anchore', name: 'syft', version: '1.32.0' }] },
    component: { 'bom-ref': 'a6f0d9b0c9d3c4f1', type: 'container', name: 'debian', version: '12' },
    properties: [{ name: 'syft:image:labels:maintainer', value: 'Debian' }],
  },
  components: [
    {
      'bom-ref': 'pkg:deb/debian/libssl3@3.0.11-1~deb12u2?arch=amd64&distro=debian-12&package-id=1f&upstream=openssl',
      type: 'library',
      publisher: 'Debian OpenSSL Team <pkg-openssl-devel@alioth-lists.debian.net>',
      name: 'libssl3',
      version: '3.0.11-1~deb12u2',
      cpe: 'cpe:2.3:a:libssl3:libssl3:3.0.11-1\\~deb12u2:*:*:*:*:*:*:*',
      purl: 'pkg:deb/debian/libssl3@3.0.11-1~deb12u2?arch=amd64&distro=debian-12&upstream=openssl',
      properties: [
        { name: 'syft:package:foundBy', value: 'dpkg-db-cataloger' },
        { name: 'syft:package:type', value: 'deb' },
        { name: 'syft:package:metadataType', value: 'dpkg-db-entry' },
        { name: 'syft:location:0:path', value: '/var/lib/dpkg/status' },
        { name: 'syft:metadata:source', value: 'openssl' },
      ],
    },
    {
      'bom-ref': 'pkg:deb/debian/adduser@3.134?arch=all&distro=debian-12&package-id=2a',
      type: 'library',
      name: 'adduser',
      version: '3.134',
      cpe: 'cpe:2.3:a:adduser:adduser:3.134:*:*:*:*:*:*:*',
      purl: 'pkg:deb/debian/adduser@3.134?arch=all&distro=debian-12',
      properties: [
        { name: 'syft:package:type', value: 'deb' },
        { name: 'syft:package:metadataType', value: 'dpkg-db-entry' },
      ],
    },
    {
      'bom-ref': 'os:debian@12',
      type: 'operating-system',
      name: 'debian',
      version: '12',
      description: 'Debian GNU/Linux 12 (bookworm)',
      swid: { tagId: 'debian', name: 'debian', version: '12' },
      externalReferences: [{ url: 'https://bugs.debian.org/', type: 'issue-tracker' }],
      properties: [
        { name: 'syft:distro:id', value: 'debian' },
        { name: 'syft:distro:prettyName', value: 'Debian GNU/Linux 12 (bookworm)' },
        { name: 'syft:distro:versionCodename', value: 'bookworm' },
      ],
    },
    {
      'bom-ref': 'c6ef5e1a6b1b3c0e',
      type: 'file',
      name: '/usr/lib/x86_64-linux-gnu/libssl.so.3',
      hashes: [{ alg: 'SHA-1', content: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
    },
  ],
}

const trivy = (name: string, value: string) => ({ name: `aquasecurity:trivy:${name}`, value })

/** A package of an image, as Trivy writes it: the purl names the binary package, and properties name the source package. */
export const trivyPackage = (version: string, release: string) => ({
  'bom-ref': `pkg:deb/debian/libssl3@${version}-${release}?arch=amd64&distro=debian-12.4`,
  type: 'library',
  supplier: { name: 'Debian OpenSSL Team <pkg-openssl-devel@alioth-lists.debian.net>' },
  name: 'libssl3',
  version: `${version}-${release}`,
  licenses: [{ license: { name: 'Apache-2.0' } }],
  purl: `pkg:deb/debian/libssl3@${version}-${release}?arch=amd64&distro=debian-12.4`,
  properties: [
    trivy('LayerDiffID', 'sha256:7292cf786aa89399bf4cd0a5f2e4b5d8b0fcb0b3b1c5b2bb6f3e3a4b1d0b6e0a'),
    trivy('PkgID', `libssl3@${version}-${release}`),
    trivy('PkgType', 'debian'),
    trivy('SrcName', 'openssl'),
    trivy('SrcRelease', release),
    trivy('SrcVersion', version),
  ],
})

export const trivyCycloneDx = (...packages: readonly object[]) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3b7e9e3e-1f7e-4dd4-9bb6-94d7b1f7a9a7',
  version: 1,
  metadata: {
    timestamp: '2026-08-20T08:00:00+00:00',
    tools: { components: [{ type: 'application', group: 'aquasecurity', name: 'trivy', version: '0.66.0' }] },
    component: {
      'bom-ref': 'pkg:oci/debian@sha256%3Abac353db4cc04bc672b14029964e686cd7bad56fe34b51f432c1a1304b9928da?arch=amd64',
      type: 'container',
      name: 'debian:12',
      purl: 'pkg:oci/debian@sha256%3Abac353db4cc04bc672b14029964e686cd7bad56fe34b51f432c1a1304b9928da?arch=amd64',
      properties: [trivy('SchemaVersion', '2'), trivy('RepoTag', 'debian:12')],
    },
  },
  components: [
    {
      'bom-ref': '4d9fbc1d-0c1a-4a0b-8a57-5d4c9e6a3b11',
      type: 'operating-system',
      name: 'debian',
      version: '12.4',
      properties: [trivy('Class', 'os-pkgs'), trivy('Type', 'debian')],
    },
    {
      'bom-ref': '8b1d2c3e-7a55-4c39-8b0a-2f1f6a7e9c22',
      type: 'application',
      name: 'srv/app/package-lock.json',
      properties: [trivy('Class', 'lang-pkgs'), trivy('Type', 'npm')],
    },
    ...packages,
  ],
})

/** The same as Trivy writes it in SPDX. */
export const trivySpdx = (version: string) => ({
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'debian:12',
  documentNamespace: 'http://trivy.dev/container_image/debian:12-2b0e1c83',
  creationInfo: { creators: ['Organization: aquasecurity', 'Tool: trivy-0.66.0'], created: '2026-08-20T08:00:00Z' },
  packages: [
    {
      name: 'debian:12',
      SPDXID: 'SPDXRef-ContainerImage-2b0e1c83',
      downloadLocation: 'NONE',
      filesAnalyzed: false,
      externalRefs: [purlReference('pkg:oci/debian@sha256%3Abac353db?arch=amd64')],
      primaryPackagePurpose: 'CONTAINER',
    },
    {
      name: 'debian',
      SPDXID: 'SPDXRef-OperatingSystem-96ec7a3a',
      versionInfo: '12.4',
      downloadLocation: 'NONE',
      filesAnalyzed: false,
      attributionTexts: ['Class: os-pkgs', 'Type: debian'],
      primaryPackagePurpose: 'OPERATING-SYSTEM',
    },
    {
      name: 'srv/app/package-lock.json',
      SPDXID: 'SPDXRef-Application-3c8f9a11',
      downloadLocation: 'NONE',
      filesAnalyzed: false,
      attributionTexts: ['Class: lang-pkgs', 'Type: npm'],
      primaryPackagePurpose: 'APPLICATION',
    },
    {
      name: 'libssl3',
      SPDXID: 'SPDXRef-Package-5a1bb4e0',
      versionInfo: version,
      supplier: 'Organization: Debian OpenSSL Team',
      downloadLocation: 'NONE',
      filesAnalyzed: false,
      sourceInfo: `built package from: openssl ${version}`,
      externalRefs: [purlReference(`pkg:deb/debian/libssl3@${version}?arch=amd64&distro=debian-12.4`)],
      primaryPackagePurpose: 'LIBRARY',
    },
  ],
  relationships: [describes('SPDXRef-ContainerImage-2b0e1c83')],
})

/** A project with files, as build tools write it in SPDX 2.3. */
export const SPDX_WITH_FILES = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'shop',
  documentNamespace: 'https://example.org/shop-1.0',
  packages: [
    { SPDXID: 'SPDXRef-Root', name: 'shop', versionInfo: '1.0', downloadLocation: 'NOASSERTION', filesAnalyzed: true },
    {
      SPDXID: 'SPDXRef-Archive',
      name: 'logo.png',
      downloadLocation: 'NOASSERTION',
      primaryPackagePurpose: 'FILE',
    },
    {
      SPDXID: 'SPDXRef-Package-requests',
      name: 'requests',
      versionInfo: '2.32.0',
      downloadLocation: 'NOASSERTION',
      externalRefs: [purlReference('pkg:pypi/requests@2.32.0')],
    },
  ],
  files: [
    {
      SPDXID: 'SPDXRef-File-main',
      fileName: './main.py',
      checksums: [{ algorithm: 'SHA1', checksumValue: 'da39a3ee' }],
    },
  ],
  relationships: [
    describes('SPDXRef-Root'),
    { spdxElementId: 'SPDXRef-Root', relatedSpdxElement: 'SPDXRef-File-main', relationshipType: 'CONTAINS' },
  ],
}

/** SBOM of a project with a module as the Maven plugin of CycloneDX writes it. */
export const MAVEN_CYCLONEDX = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:b6d2a4e5-7c1a-4a8e-9f6d-0a1b2c3d4e5f',
  version: 1,
  metadata: {
    tools: {
      components: [{ type: 'library', author: 'OWASP Foundation', name: 'CycloneDX Maven plugin', version: '2.9.1' }],
    },
    component: {
      type: 'application',
      'bom-ref': 'pkg:maven/com.example/shop@1.0-SNAPSHOT?type=pom',
      group: 'com.example',
      name: 'shop',
      version: '1.0-SNAPSHOT',
      purl: 'pkg:maven/com.example/shop@1.0-SNAPSHOT?type=pom',
    },
  },
  components: [
    {
      type: 'library',
      'bom-ref': 'pkg:maven/com.example/shop-core@1.0-SNAPSHOT?type=jar',
      group: 'com.example',
      name: 'shop-core',
      version: '1.0-SNAPSHOT',
      purl: 'pkg:maven/com.example/shop-core@1.0-SNAPSHOT?type=jar',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:maven/org.slf4j/slf4j-api@2.0.16?type=jar',
      publisher: 'QOS.ch',
      group: 'org.slf4j',
      name: 'slf4j-api',
      version: '2.0.16',
      scope: 'required',
      purl: 'pkg:maven/org.slf4j/slf4j-api@2.0.16?type=jar',
    },
  ],
}
