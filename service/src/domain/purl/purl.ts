// Package URLs (purl, ECMA-427), built from an ecosystem and a package name as the OSV format writes them. A purl
// identifies a package the same way in every data source.
//
// The package packageurl-js does not build them, because it validates npm names with lists of legacy packages.
// parse-purl.ts parses with it.

interface PurlType {
  readonly type: string
  /** Namespace of every package of the ecosystem, such as `almalinux` for RPM packages. */
  readonly namespace?: string
  /** Separator between the namespace and the name in the package names of the ecosystem. */
  readonly separator?: '/' | ':'
  /** True if a name without a namespace cannot be written as a purl. */
  readonly needsNamespace?: true
  /** Applies the rules of the purl type for equal names, such as lower case. */
  readonly normalise?: (name: string) => string
}

const toLowerCase = (name: string) => name.toLowerCase()

/**
 * Purl types by ecosystem of the OSV format. Types without `normalise` are case-sensitive. The definition of `golang`
 * calls names case-sensitive and asks for lower case at the same time; the case is kept, because module paths are
 * case-sensitive and the purls of SBOM generators keep it.
 */
const TYPES: ReadonlyMap<string, PurlType> = new Map<string, PurlType>([
  ['AlmaLinux', { type: 'rpm', namespace: 'almalinux' }],
  ['Bitnami', { type: 'bitnami', normalise: toLowerCase }],
  ['CRAN', { type: 'cran' }],
  ['Debian', { type: 'deb', namespace: 'debian', normalise: toLowerCase }],
  ['GitHub Actions', { type: 'githubactions', separator: '/', needsNamespace: true, normalise: toLowerCase }],
  ['Go', { type: 'golang', separator: '/' }],
  ['Hackage', { type: 'hackage' }],
  ['Hex', { type: 'hex', separator: '/', normalise: toLowerCase }],
  ['Maven', { type: 'maven', separator: ':', needsNamespace: true }],
  ['NuGet', { type: 'nuget' }],
  ['Packagist', { type: 'composer', separator: '/', needsNamespace: true, normalise: toLowerCase }],
  ['Pub', { type: 'pub', normalise: (name) => name.toLowerCase().replaceAll('-', '_') }],
  ['PyPI', { type: 'pypi', normalise: (name) => name.toLowerCase().replaceAll('_', '-') }],
  ['RubyGems', { type: 'gem' }],
  ['SwiftURL', { type: 'swift', separator: '/', needsNamespace: true, normalise: stripGitAddress }],
  ['crates.io', { type: 'cargo' }],
  ['npm', { type: 'npm', separator: '/' }],
])

/**
 * Returns the purl of a package, such as `pkg:npm/%40angular/core`. Returns null for an ecosystem without a purl type
 * and for a name that is not a name of its ecosystem. The release in an ecosystem such as `AlmaLinux:9` is ignored.
 */
export function buildPurl(ecosystem: string, name: string): string | null {
  const purlType = TYPES.get(ecosystem.split(':', 1)[0] ?? '')
  if (purlType === undefined) return null
  const { type, namespace, separator, needsNamespace, normalise } = purlType
  const plain = name.trim()
  const normal = normalise ? normalise(plain) : plain
  const segments = (separator === undefined ? [normal] : normal.split(separator)).filter((each) => each !== '')
  if (segments.length === 0 || (needsNamespace && segments.length < 2)) return null
  return `pkg:${[type, ...(namespace === undefined ? [] : [namespace]), ...segments.map(encodeSegment)].join('/')}`
}

/**
 * Returns the purl without version and qualifiers of a type, a namespace and a name, written as buildPurl writes the
 * purls of advisories.
 */
export function formatPurl(type: string, namespace: string, name: string): string {
  const normalise = [...TYPES.values()].find((each) => each.type === type)?.normalise ?? ((text: string) => text)
  const segments = [...namespace.split('/'), name].filter((each) => each !== '')
  return `pkg:${[type, ...segments.map((each) => encodeSegment(normalise(each)))].join('/')}`
}

/** Swift packages are named by the address of their repository; the purl has neither the scheme nor the suffix. */
function stripGitAddress(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\.git$/i, '')
}

/**
 * Percent-encodes a segment: letters, digits, `-`, `.`, `_`, `~` and the colon stay as they are, everything else is
 * encoded. encodeURIComponent leaves `!'()*` and encodes the colon.
 */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':')
}
