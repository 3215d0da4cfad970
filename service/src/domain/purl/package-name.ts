// Package names for matching. Two purls for the same package give the same name.
import { findPackageType } from './package-types.ts'

export interface PackageName {
  /** The purl type in lower case, such as `maven`. */
  readonly type: string
  /** For example `maven/org.apache.ant`, or `npm` for a package without a namespace. */
  readonly vendor: string
  readonly product: string
  /** The stream of the RPM module in which the package is, such as `nodejs:20`. */
  readonly stream?: string
}

/** Maximum length of each part of a name. */
const MAX_LENGTH = 256
const PURL = /^pkg:\/{0,2}([a-z][a-z\d.+-]{0,30})\/([^?#]+)/i

/** Composer installs WordPress plugins and themes from WPackagist, a mirror that keeps their slugs. */
const WORDPRESS_IN_COMPOSER: ReadonlyMap<string, string> = new Map([
  ['composer/wpackagist-plugin', 'wordpress/plugin'],
  ['composer/wpackagist-theme', 'wordpress/theme'],
])

/** Trivy and Microsoft's tools write other namespaces for some distributions than advisories and Syft do. */
const DISTRIBUTIONS: ReadonlyMap<string, string> = new Map([
  ['rpm/alma', 'rpm/almalinux'],
  ['rpm/rhel', 'rpm/redhat'],
  ['rpm/red hat enterprise linux', 'rpm/redhat'],
  ['rpm/rocky-linux', 'rpm/rocky'],
  ['rpm/rocky linux', 'rpm/rocky'],
  ['rpm/sles', 'rpm/suse'],
  ['rpm/sles_sap', 'rpm/suse'],
  ['rpm/sled', 'rpm/suse'],
  ['rpm/suse linux enterprise server', 'rpm/suse'],
  ['rpm/opensuse-leap', 'rpm/opensuse'],
  ['rpm/opensuse.leap', 'rpm/opensuse'],
  ['rpm/opensuse-tumbleweed', 'rpm/opensuse'],
  ['rpm/opensuse.tumbleweed', 'rpm/opensuse'],
])

const keep = (name: string) => name

/** A package inside a Flatpak application is not installed as an RPM package. */
const FLATPAK = 'flatpak'

/**
 * Returns undefined for text that is not a purl. Version, qualifiers and subpath are ignored. The package in
 * `pkg:rpmmod/redhat/nodejs:20/npm` is the RPM package `npm`, in the stream `nodejs:20`.
 */
export function parsePackageName(purl: string): PackageName | undefined {
  const [, statedType, path] = PURL.exec(purl) ?? []
  if (statedType === undefined || path === undefined) return undefined
  const type = statedType.toLowerCase()
  const segments = removeVersion(path)
    .split('/')
    .filter((each) => each !== '')
    .map(decodeSegment)
  const name = segments.pop()
  if (name === undefined) return undefined
  const [module, stream] = segments.at(-1)?.split(':') ?? []
  if (type === 'rpmmod' && module && stream && stream !== FLATPAK) {
    const inModule = nameParts('rpm', segments.slice(0, -1), name)
    return inModule && { ...inModule, stream: `${module}:${stream}` }
  }
  return nameParts(type, segments, name)
}

function nameParts(type: string, segments: readonly string[], name: string): PackageName | undefined {
  const stated = [type, ...segments].join('/')
  const wordpress = WORDPRESS_IN_COMPOSER.get(stated.toLowerCase())
  const vendor = wordpress ?? DISTRIBUTIONS.get(stated.toLowerCase()) ?? stated
  const { normalise = keep, fold = normalise } = findPackageType(type) ?? {}
  const named = { type: wordpress === undefined ? type : 'wordpress', vendor: fold(vendor), product: fold(name) }
  return named.vendor.length > MAX_LENGTH || named.product.length > MAX_LENGTH ? undefined : named
}

/** An unencoded `@` at the start is the scope of an npm package, not a version. */
function removeVersion(path: string): string {
  const at = path.lastIndexOf('@')
  return at > 0 && path[at - 1] !== '/' ? path.slice(0, at) : path
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
