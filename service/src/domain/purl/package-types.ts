// Facts about purl types: the registry, how names are spelled and how versions are ordered.
import type { SchemeName } from '../version/schemes.ts'

export interface PackageType {
  /** The registry's name in the OSV format. Absent for types that several distributions share. */
  readonly ecosystem?: string
  /** The packages of a distribution: other software under a name and a version of the distribution's own. */
  readonly isOfDistribution?: true
  /**
   * Addresses under which the CVE List names the registry (`collectionURL`), without `https://` and `www.`, and the
   * namespace of the packages at the address, if the purl has one that is not part of the name.
   */
  readonly addresses?: Readonly<Record<string, string | null>>
  /** Absent if versions are compared by the scheme `generic`. */
  readonly scheme?: SchemeName
  /** Separates namespace and name in the ecosystem's package names. */
  readonly separator?: '/' | ':'
  /** A name without a namespace cannot be written as a purl. */
  readonly needsNamespace?: true
  /** Converts a name to the spelling that the purl type requires. */
  readonly normalise?: (name: string) => string
  /** Maps equal names to the same text, if `normalise` does not. */
  readonly fold?: (name: string) => string
}

const toLowerCase = (name: string) => name.toLowerCase()

const TYPES = {
  alpm: { isOfDistribution: true, fold: toLowerCase },
  apk: { isOfDistribution: true, scheme: 'apk', fold: toLowerCase },
  bitbucket: { fold: toLowerCase },
  bitnami: { ecosystem: 'Bitnami', scheme: 'semver', normalise: toLowerCase },
  cargo: { addresses: { 'crates.io': null }, ecosystem: 'crates.io', scheme: 'semver' },
  composer: {
    addresses: { 'packagist.org': null },
    ecosystem: 'Packagist',
    scheme: 'composer',
    separator: '/',
    needsNamespace: true,
    normalise: toLowerCase,
  },
  cran: { ecosystem: 'CRAN' },
  deb: { isOfDistribution: true, scheme: 'deb', normalise: toLowerCase },
  gem: { addresses: { 'rubygems.org': null }, ecosystem: 'RubyGems', scheme: 'gem' },
  github: { fold: toLowerCase },
  githubactions: {
    ecosystem: 'GitHub Actions',
    scheme: 'semver',
    separator: '/',
    needsNamespace: true,
    normalise: toLowerCase,
  },
  // The purl definition calls names case-sensitive but requires lower case. Module paths are case-sensitive and SBOM
  // generators keep the case, but some producers of purls do not.
  golang: { ecosystem: 'Go', scheme: 'go', separator: '/', fold: toLowerCase },
  hackage: { ecosystem: 'Hackage' },
  hex: { addresses: { 'hex.pm': null }, ecosystem: 'Hex', scheme: 'semver', separator: '/', normalise: toLowerCase },
  maven: {
    addresses: { 'repo.maven.apache.org': null, 'repo1.maven.org': null, 'mvnrepository.com': null },
    ecosystem: 'Maven',
    scheme: 'maven',
    separator: ':',
    needsNamespace: true,
  },
  npm: {
    addresses: { 'npmjs.com': null },
    ecosystem: 'npm',
    scheme: 'semver',
    separator: '/',
  },
  nuget: { addresses: { 'nuget.org': null }, ecosystem: 'NuGet', scheme: 'nuget', fold: toLowerCase },
  pub: { ecosystem: 'Pub', scheme: 'semver', normalise: (name) => name.toLowerCase().replaceAll('-', '_') },
  pypi: {
    addresses: { 'pypi.org': null, 'pypi.python.org': null },
    ecosystem: 'PyPI',
    scheme: 'pep440',
    normalise: (name) => name.toLowerCase().replaceAll('_', '-'),
    // PEP 503: `Zope.Interface` and `zope_interface` are the same project.
    fold: (name) => name.toLowerCase().replaceAll(/[-_.]+/g, '-'),
  },
  rpm: { isOfDistribution: true, scheme: 'rpm' },
  rpmmod: { isOfDistribution: true, scheme: 'rpm' },
  swift: {
    ecosystem: 'SwiftURL',
    scheme: 'semver',
    separator: '/',
    needsNamespace: true,
    normalise: stripGitAddress,
    fold: (name) => name,
  },
  // Not in the list of purl types. Plugins and themes are named by the last part of their address, their slug.
  wordpress: {
    addresses: { 'wordpress.org/plugins': 'plugin', 'wordpress.org/themes': 'theme' },
    normalise: toLowerCase,
  },
} as const satisfies Readonly<Record<string, PackageType>>

export type PurlType = keyof typeof TYPES

export const PACKAGE_TYPES: Readonly<Record<PurlType, PackageType>> = TYPES

export function findPackageType(type: string): PackageType | undefined {
  return Object.hasOwn(PACKAGE_TYPES, type) ? PACKAGE_TYPES[type as PurlType] : undefined
}

/** Swift packages are named after their repository's address; the purl has neither the scheme nor the suffix. */
function stripGitAddress(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\.git$/i, '')
}
