// A component that a caller asks about: a product, given by CPE name or plain name, or a package, given by package URL.
import { type CpeParts, readEdition } from '../cpe/cpe.ts'
import { NOT_APPLICABLE, toCpeSpelling, unescapeCpeValue } from '../cpe/cpe-value.ts'
import { type PackageName, parsePackageName } from '../purl/package-name.ts'
import type { Purl } from '../purl/parse-purl.ts'
import { areSourcePackagesNamed } from '../source/coverage.ts'
import { findRelease } from './distribution-release.ts'
import { type RpmStream, readStreamName, readStreamOfVersion } from './rpm-stream.ts'
import { findThirdParty } from './third-party-build.ts'

export interface ComponentVersion {
  /** The version with its update, such as `11.1.2 h1`. */
  readonly text: string
  /** The version without its update. */
  readonly base: string
  /** The update, for example `h1`, or `-` for a release without an update; null if it is not known. */
  readonly update: string | null
}

export interface Component {
  readonly by: 'cpe' | 'purl' | 'product'
  readonly kind: 'cpe' | 'purl'
  /** The CPE vendor, or the purl's type and namespace, such as `maven/org.apache.ant`; null if no vendor is given. */
  readonly vendor: string | null
  readonly product: string
  readonly version: ComponentVersion | null
  /** The CPE target software or the release of a distribution; null if it is not known. */
  readonly target: string | null
  /** The CPE software edition; null if it is not known. */
  readonly edition: string | null
  /** The RPM module stream from which the package was built; absent if it is not known. */
  readonly stream?: RpmStream
  /** What shows that a third party built the distribution's package, such as `nodesource`. */
  readonly thirdParty?: string
  /** The name comes from free text in a document, so confidence in its hits is one level lower. */
  readonly isGuessed?: boolean
  /** A package of a distribution states the source package from which it was built. */
  readonly hasSourcePackage?: boolean
}

/** Exactly one of the first three members is given. */
export interface SentComponent {
  readonly cpe?: CpeParts | undefined
  readonly purl?: Purl | undefined
  readonly product?: string | undefined
  readonly vendor?: string | undefined
  readonly version?: string | undefined
}

export function readComponent({ cpe, purl, product = '', vendor, version }: SentComponent): Component {
  if (cpe !== undefined) return readCpe(cpe, version)
  if (purl !== undefined) return readPurl(purl, version)
  const names = { vendor: vendor === undefined ? null : toCpeSpelling(vendor), product: toCpeSpelling(product) }
  return { by: 'product', kind: 'cpe', ...names, version: readProductVersion(version), target: null, edition: null }
}

/** Renders how the service understood the component. */
export function renderName({ vendor, product, version, by }: Component) {
  return { vendor, product, version: version?.text ?? null, identified_by: by }
}

function readCpe(cpe: CpeParts, version: string | undefined): Component {
  return {
    by: 'cpe',
    kind: 'cpe',
    vendor: unescapeCpeValue(cpe.vendor) ?? null,
    product: unescapeCpeValue(cpe.product) ?? '',
    version: readCpeVersion(cpe) ?? readProductVersion(version),
    target: unescapeCpeValue(cpe.targetSoftware) ?? null,
    edition: readEdition(cpe),
  }
}

function readCpeVersion({ version, update }: CpeParts): ComponentVersion | null {
  const base = unescapeCpeValue(version)
  if (base === undefined) return null
  const known = unescapeCpeValue(update) ?? null
  if (known !== null) return { text: `${base} ${known}`, base, update: known }
  return update === NOT_APPLICABLE ? { text: base, base, update: NOT_APPLICABLE } : readProductVersion(base)
}

function readPurl(purl: Purl, stated: string | undefined): Component {
  const { base, type, version, distro, upstream } = purl
  const named: Pick<PackageName, 'vendor' | 'product' | 'stream'> = parsePackageName(base) ?? {
    vendor: type,
    product: '',
  }
  const [source, sourceVersion] = upstream === null ? [] : readSource(named.vendor, upstream)
  const { vendor, product } = (source && parsePackageName(`pkg:${named.vendor}/${encodeURIComponent(source)}`)) || named
  const own = version ?? stated ?? null
  const stream = named.stream ?? (purl.module ? readStreamName(purl.module) : undefined)
  const built = {
    stream: stream === undefined ? findStreamOfVersion(vendor, own) : ({ kind: 'stream', name: stream } as const),
    thirdParty: findThirdParty({
      type,
      namespace: named.vendor.split('/')[1] ?? '',
      version: own,
      distro,
      vendor: purl.vendor ?? null,
    }),
  }
  return {
    by: 'purl',
    kind: 'purl',
    vendor,
    product,
    version: readVersion(sourceVersion ?? version ?? stated),
    target: findRelease(named.vendor, distro),
    edition: null,
    ...(built.stream !== undefined && { stream: built.stream }),
    ...(built.thirdParty !== undefined && { thirdParty: built.thirdParty }),
    ...(upstream !== null && { hasSourcePackage: true }),
  }
}

function findStreamOfVersion(vendor: string, version: string | null): RpmStream | undefined {
  return version !== null && vendor.startsWith('rpm/') ? readStreamOfVersion(version) : undefined
}

const SOURCE_RPM = /^(.+)-([^-]+-[^-]+)\.(?:no)?src(?:\.rpm)?$/

/** Returns the name and version of the source package. Several packages may be built from one source package. */
function readSource(vendor: string, upstream: string): readonly [name?: string, version?: string | undefined] {
  // Advisories of every Debian-based distribution name source packages.
  if (!vendor.startsWith('deb') && !areSourcePackagesNamed(vendor)) return []
  // The file name of a source RPM has no epoch, so the version of the package itself is compared.
  if (vendor.startsWith('rpm')) return [SOURCE_RPM.exec(upstream)?.[1] ?? upstream]
  const [name = '', version] = upstream.split('@', 2)
  return [name, version]
}

/** A version with an update, such as `11.1.2-h3`. A CPE name has the update in a separate field. */
const WITH_UPDATE = /^(\d[\d.]*)-([a-z]+\d+)$/i

/**
 * Separates the update from the version: a CPE name that lists a version without an update stands for all its updates.
 */
function readProductVersion(text: string | undefined): ComponentVersion | null {
  const version = readVersion(text)
  const [, base, update] = WITH_UPDATE.exec(version?.text ?? '') ?? []
  return version === null || base === undefined || update === undefined ? version : { ...version, base, update }
}

function readVersion(text: string | undefined): ComponentVersion | null {
  const plain = text?.trim() ?? ''
  return plain === '' ? null : { text: plain, base: plain, update: null }
}
