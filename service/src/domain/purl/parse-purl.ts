// Parses callers' package URLs (purl, ECMA-427).
import { PackageURL } from 'packageurl-js'
import { formatPurl } from './purl.ts'

export interface Purl {
  /** The purl without version, qualifiers and subpath, as advisories write it. */
  readonly base: string
  readonly type: string
  /** For a package of a distribution, the version starts with the epoch, if there is one. */
  readonly version: string | null
  /** The release of a distribution, such as `debian-12` or `bookworm`. */
  readonly distro: string | null
  /** The source package, such as `openssl`, or `openssl@3.0.1` if its version differs. */
  readonly upstream: string | null
  /** The module of an RPM package, such as `nodejs:20:8090020240228165436:a75119d5`. */
  readonly module?: string | null
  /** Who built the package. */
  readonly vendor?: string | null
  /** Present if the purl names a range of versions, which components do not have: the qualifier `vers`. */
  readonly hasRange?: true
}

export interface PurlFault {
  readonly error: string
}

const MAX_PURL_LENGTH = 1024
/** No name or version contains control characters. */
const CONTROL = /\p{Cc}/u
const DIGITS = /^\d{1,10}$/

export function parsePurl(text: string): Purl | PurlFault {
  if (text.length > MAX_PURL_LENGTH) return { error: `must have at most ${MAX_PURL_LENGTH} characters` }
  if (CONTROL.test(text)) return { error: 'must not contain control characters' }
  const parts = readParts(text)
  if (parts === undefined) return { error: 'must be a package URL such as pkg:npm/lodash@4.17.21' }
  const { type, namespace = '', name, version, qualifiers } = parts
  const distro = readDistro(qualifiers ?? {})
  const upstream = qualifiers?.['upstream'] ?? null
  if ([namespace, name, version ?? '', distro ?? '', upstream ?? ''].some((each) => CONTROL.test(each))) {
    return { error: 'must not contain encoded control characters' }
  }
  return {
    base: formatPurl(type, namespace, name),
    type,
    version: version === undefined || version === '' ? null : withEpoch(version, type, qualifiers?.['epoch']),
    distro,
    upstream,
    // Red Hat and Syft write rpmmod, Trivy writes modularitylabel.
    module: qualifiers?.['rpmmod'] ?? qualifiers?.['modularitylabel'] ?? null,
    vendor: qualifiers?.['vendor'] ?? null,
    ...(qualifiers?.['vers'] !== undefined && { hasRange: true as const }),
  }
}

/** Docker Scout writes `os_name=debian&os_version=12&os_distro=bookworm` instead of `distro=debian-12`. */
function readDistro({ distro, os_name: name, os_version: version, os_distro: codeName }: Qualifiers): string | null {
  const numbered = name !== undefined && version !== undefined ? `${name}-${version}` : undefined
  return distro ?? numbered ?? codeName ?? null
}

interface Parts {
  readonly type: string
  readonly namespace: string | undefined
  readonly name: string
  readonly version: string | undefined
  readonly qualifiers: Qualifiers | undefined
}

type Qualifiers = Readonly<Partial<Record<string, string>>>

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
    // packageurl-js throws several types of errors.
    return undefined
  }
}

/** RPM purls, and some Debian purls, have the epoch in a qualifier. */
function withEpoch(version: string, type: string, epoch: string | undefined): string {
  const hasEpoch = version.includes(':') || epoch === undefined || !DIGITS.test(epoch)
  return hasEpoch || (type !== 'rpm' && type !== 'deb') ? version : `${epoch}:${version}`
}
