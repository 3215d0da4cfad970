// Writes the packages of a Debian machine as an SBOM, in the dialects of Syft and Trivy.

export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  readonly source: string
  readonly sourceVersion: string
}

/** The format in which dpkg-query has to list the packages. */
export const LIST_FORMAT = `${['Package', 'Version', 'Architecture', 'source:Package', 'source:Version']
  .map((field) => `\${${field}}`)
  .join(String.raw`\t`)}${String.raw`\n`}`

export function readInstalledPackages(list: string): readonly InstalledPackage[] {
  return list
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const [name, version, architecture, source, sourceVersion] = line.split('\t')
      if (!name || !version || !architecture || !source || !sourceVersion)
        throw new Error(`Line ${index + 1} does not have the 5 columns of dpkg-query --showformat '${LIST_FORMAT}'.`)
      return { name, version, architecture, source, sourceVersion }
    })
}

/** The release is for example `12`. */
export function writeSyftSbom(packages: readonly InstalledPackage[], release: string): object {
  const components = packages.map((each) => {
    const { name, version, architecture, source, sourceVersion } = each
    // Like the database of dpkg, Syft names the source package only if its name or its version differs.
    const hasVersion = sourceVersion !== version
    const isNamed = hasVersion || source !== name
    const upstream = `&upstream=${encodeURIComponent(hasVersion ? `${source}@${sourceVersion}` : source)}`
    return {
      'bom-ref': `${name}-${architecture}`,
      type: 'library',
      name,
      version,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}${isNamed ? upstream : ''}`,
      properties: [
        { name: 'syft:package:type', value: 'deb' },
        ...(isNamed ? [{ name: 'syft:metadata:source', value: source }] : []),
        ...(hasVersion ? [{ name: 'syft:metadata:sourceVersion', value: sourceVersion }] : []),
      ],
    }
  })
  const system = {
    type: 'operating-system',
    name: 'debian',
    version: release,
    properties: [{ name: 'syft:distro:id', value: 'debian' }],
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.6', components: [...components, system] }
}

/** The release is for example `12.4`. */
export function writeTrivySbom(packages: readonly InstalledPackage[], release: string): object {
  const components = packages.map(({ name, version, architecture, source, sourceVersion }) => {
    const [own, from] = [splitVersion(version), splitVersion(sourceVersion)]
    const epoch = own.epoch === undefined ? '' : `&epoch=${own.epoch}`
    const values = { SrcName: source, SrcVersion: from.upstream, SrcRelease: from.revision, SrcEpoch: from.epoch }
    return {
      'bom-ref': `${name}-${architecture}`,
      type: 'library',
      name,
      version,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(own.rest)}?arch=${architecture}&distro=debian-${release}${epoch}`,
      properties: Object.entries(values).flatMap(([each, value]) =>
        value === undefined ? [] : [{ name: `aquasecurity:trivy:${each}`, value }],
      ),
    }
  })
  const system = {
    type: 'operating-system',
    name: 'debian',
    version: release,
    properties: [{ name: 'aquasecurity:trivy:Class', value: 'os-pkgs' }],
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.6', components: [system, ...components] }
}

/** Splits `1:9.2p1-2+deb12u2`. The revision follows the last hyphen, and a native package has none. */
function splitVersion(version: string) {
  const [, epoch, rest = version] = /^(\d+):(.*)$/.exec(version) ?? []
  const hyphen = rest.lastIndexOf('-')
  return {
    epoch,
    rest,
    upstream: hyphen < 0 ? rest : rest.slice(0, hyphen),
    revision: hyphen < 0 ? undefined : rest.slice(hyphen + 1),
  }
}
