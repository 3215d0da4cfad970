// Parses package URLs (purl, ECMA-427) of callers with packageurl-js, and derives how their versions are compared.
import { PackageURL } from 'packageurl-js'
import { formatPurl } from './purl.ts'
import type { SchemeName } from './version/schemes.ts'

export interface Purl {
  /** The purl without version, qualifiers and subpath, as the purls of advisories are written. */
  readonly base: string
  readonly type: string
  /** Null if the purl has none. For packages of distributions, it begins with the epoch, if there is one. */
  readonly version: string | null
  /** Name in the OSV format. Null for types whose ecosystem depends on the namespace, and for unknown types. */
  readonly ecosystem: string | null
  readonly scheme: SchemeName
  /** Qualifier such as `debian-12`, which names the release of a distribution. */
  readonly distro: string | null
  /** Qualifier that names the source package, with its version after an `@` if it differs, such as `openssl`. */
  readonly upstream: string | null
}

export interface PurlFault {
  readonly error: string
}

const MAX_PURL_LENGTH = 1024
/** Control characters, which no name and no version contains. */
const CONTROL = /\p{Cc}/u
const DIGITS = /^\d{1,10}$/

const TYPES: ReadonlyMap<string, { readonly scheme: SchemeName; readonly ecosystem: string | null }> = new Map<
  string,
  { readonly scheme: SchemeName; readonly ecosystem: string | null }
>([
  ['apk', { scheme: 'apk', ecosystem: null }],
  ['bitnami', { scheme: 'semver', ecosystem: 'Bitnami' }],
  ['cargo', { scheme: 'semver', ecosystem: 'crates.io' }],
  ['composer', { scheme: 'composer', ecosystem: 'Packagist' }],
  ['deb', { scheme: 'deb', ecosystem: null }],
  ['gem', { scheme: 'gem', ecosystem: 'RubyGems' }],
  ['golang', { scheme: 'go', ecosystem: 'Go' }],
  ['hex', { scheme: 'semver', ecosystem: 'Hex' }],
  ['maven', { scheme: 'maven', ecosystem: 'Maven' }],
  ['npm', { scheme: 'semver', ecosystem: 'npm' }],
  ['nuget', { scheme: 'nuget', ecosystem: 'NuGet' }],
  ['pub', { scheme: 'semver', ecosystem: 'Pub' }],
  ['pypi', { scheme: 'pep440', ecosystem: 'PyPI' }],
  ['rpm', { scheme: 'rpm', ecosystem: null }],
  ['swift', { scheme: 'semver', ecosystem: 'SwiftURL' }],
])

/** Never throws: a text that is no purl gives the reason. */
export function parsePurl(text: string): Purl | PurlFault {
  if (text.length > MAX_PURL_LENGTH) return { error: `must have at most ${MAX_PURL_LENGTH} characters` }
  if (CONTROL.test(text)) return { error: 'must not contain control characters' }
  const parts = readParts(text)
  if (parts === undefined) return { error: 'must be a package URL such as pkg:npm/lodash@4.17.21' }
  const { type, namespace = '', name, version, qualifiers } = parts
  const { distro = '', upstream = '' } = qualifiers ?? {}
  if ([namespace, name, version ?? '', distro, upstream].some((each) => CONTROL.test(each))) {
    return { error: 'must not contain encoded control characters' }
  }
  const { scheme, ecosystem } = TYPES.get(type) ?? { scheme: 'generic', ecosystem: null }
  return {
    base: formatPurl(type, namespace, name),
    type,
    version: version === undefined || version === '' ? null : withEpoch(version, scheme, qualifiers?.['epoch']),
    ecosystem,
    scheme,
    distro: qualifiers?.['distro'] ?? null,
    upstream: qualifiers?.['upstream'] ?? null,
  }
}

interface Parts {
  readonly type: string
  readonly namespace: string | undefined
  readonly name: string
  readonly version: string | undefined
  readonly qualifiers: Readonly<Record<string, string>> | undefined
}

function readParts(text: string): Parts | undefined {
  try {
    const { type, namespace, name, version, qualifiers } = PackageURL.fromString(text)
    return {
      type,
      namespace: namespace ?? undefined,
      name,
      version: version ?? undefined,
      qualifiers: qualifiers ?? undefined,
    }
  } catch {
    // packageurl-js throws errors of several classes for texts that are no purls.
    return undefined
  }
}

/** RPM purls, and some Debian purls, have the epoch in a qualifier. */
function withEpoch(version: string, scheme: SchemeName, epoch: string | undefined): string {
  const hasEpoch = version.includes(':') || epoch === undefined || !DIGITS.test(epoch)
  return hasEpoch || (scheme !== 'rpm' && scheme !== 'deb') ? version : `${epoch}:${version}`
}
