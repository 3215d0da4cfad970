// Properties with which tools write what CycloneDX has no member for, such as the source package.
import { type JsonObject, readObjects, readText, type SourcePackage } from './entry.ts'

/** Several properties may have the same name: Syft writes one `syft:cpe23` for each further CPE name. */
export type Properties = ReadonlyMap<string, readonly string[]>

export function readProperties(component: JsonObject): Properties {
  const properties = new Map<string, string[]>()
  for (const each of readObjects(component, 'properties')) {
    const [name, value] = [readText(each, 'name'), readText(each, 'value')]
    if (name === undefined || value === undefined) continue
    const known = properties.get(name)
    if (known === undefined) properties.set(name, [value])
    else known.push(value)
  }
  return properties
}

const readFirst = (properties: Properties, name: string) => properties.get(name)?.[0]

/** Trivy lists the lock file in which it found packages as an application; the packages have their own entries. */
export const isTrivyLockFile = (properties: Properties) => readFirst(properties, `${TRIVY}Class`) === 'lang-pkgs'

export const readFurtherCpes = (properties: Properties) => properties.get('syft:cpe23') ?? []

export const readCodeName = (properties: Properties) => readFirst(properties, 'syft:distro:versionCodename')

/** `name` is the name of the package itself. */
export const readSource = (properties: Properties, name: string | undefined) =>
  readTrivySource(properties) ?? readSyftSource(properties, name)

/** Prefix of Trivy's properties. Its purls do not name the source package. */
const TRIVY = 'aquasecurity:trivy:'

/** Trivy separates epoch, version and release of the source package. */
function readTrivySource(properties: Properties): SourcePackage | undefined {
  const [name, version, release, epoch] = ['SrcName', 'SrcVersion', 'SrcRelease', 'SrcEpoch'].map((each) =>
    readFirst(properties, TRIVY + each),
  )
  if (name === undefined) return undefined
  const text = `${epoch === undefined ? '' : `${epoch}:`}${version}${release === undefined ? '' : `-${release}`}`
  return { name, version: version === undefined ? undefined : text }
}

/**
 * Syft names the source package of a package for Debian, RPM and Alpine. Its purls do so too, but other tools drop it.
 * Debian's package database, and so Syft, omits a source package that has the name and version of the package itself.
 */
function readSyftSource(properties: Properties, ownName: string | undefined): SourcePackage | undefined {
  const [source, version, sourceRpm, origin] = ['source', 'sourceVersion', 'sourceRpm', 'originPackage'].map((each) =>
    readFirst(properties, `syft:metadata:${each}`),
  )
  const isDebian = readFirst(properties, 'syft:package:metadataType') === 'dpkg-db-entry'
  const name = source ?? sourceRpm ?? origin ?? (isDebian ? ownName : undefined)
  return name === undefined ? undefined : { name, version: source === undefined ? undefined : version }
}

/** A sentence that Trivy writes in SPDX: `built package from: openssl 3.0.11-1~deb12u2`. */
const BUILT_FROM = /^built package from: (\S{1,128}) (\S{1,128})$/

export function readBuiltFrom(sourceInfo: string | undefined): SourcePackage | undefined {
  const [, name, version] = BUILT_FROM.exec(sourceInfo ?? '') ?? []
  return name === undefined ? undefined : { name, version }
}
