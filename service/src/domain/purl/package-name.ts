// Names of packages for matching, read from a package URL (purl). Two purls of the same package give the same name.

export interface PackageName {
  /** Type of the purl in lower case, such as `maven`. */
  readonly type: string
  /** Type and namespace: `maven/org.apache.ant`, or `npm` without a namespace. */
  readonly vendor: string
  readonly product: string
}

/** Maximum length of each part of a name. */
const MAX_LENGTH = 256
const PURL = /^pkg:\/{0,2}([a-z][a-z\d.+-]{0,30})\/([^?#]+)/i

/** Returns undefined for text that is not a purl. Version, qualifiers and subpath are ignored. */
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
  const vendor = [type, ...segments].join('/')
  const normalise = NORMALISE.get(type) ?? keep
  const named = { type, vendor: normalise(vendor), product: normalise(name) }
  return named.vendor.length > MAX_LENGTH || named.product.length > MAX_LENGTH ? undefined : named
}

/** A version follows after the last `@`. The scope of an npm package may begin with an unencoded `@`. */
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

const keep = (name: string) => name
const toLowerCase = (name: string) => name.toLowerCase()

/**
 * Rules of equality by type. Names of other types are compared as they are. Go module paths are case-sensitive, but some
 * producers of purls write them in lower case, as the definition of the type asks for.
 */
const NORMALISE: ReadonlyMap<string, (name: string) => string> = new Map([
  ...[
    'alpm',
    'apk',
    'bitbucket',
    'bitnami',
    'composer',
    'deb',
    'github',
    'githubactions',
    'golang',
    'hex',
    'nuget',
  ].map((type) => [type, toLowerCase] as const),
  // PEP 503: `Zope.Interface` and `zope_interface` are the same project.
  ['pypi', (name) => name.toLowerCase().replaceAll(/[-_.]+/g, '-')],
  ['pub', (name) => name.toLowerCase().replaceAll('-', '_')],
])
