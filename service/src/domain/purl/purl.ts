// Package URLs (purl, ECMA-427), which identify a package the same way in every data source.
//
// The package packageurl-js does not build them, because it validates npm names with lists of legacy packages.
// parse-purl.ts parses with it.
import { findPackageType, PACKAGE_TYPES, type PurlType } from './package-types.ts'

/** The packages of an ecosystem: a purl type and, for a distribution, the namespace of all its packages. */
export interface PackageFamily {
  readonly type: PurlType
  readonly namespace?: string | undefined
}

/**
 * Returns the purl of a package, such as `pkg:npm/%40angular/core`. Returns null for a name that is not a name of its
 * ecosystem.
 */
export function formatPackagePurl({ type, namespace }: PackageFamily, name: string): string | null {
  const { separator, needsNamespace, normalise } = PACKAGE_TYPES[type]
  const plain = name.trim()
  const normal = normalise ? normalise(plain) : plain
  const segments = (separator === undefined ? [normal] : normal.split(separator)).filter((each) => each !== '')
  if (segments.length === 0 || (needsNamespace && segments.length < 2)) return null
  return `pkg:${[type, ...(namespace === undefined ? [] : [namespace]), ...segments.map(encodeSegment)].join('/')}`
}

/**
 * Returns the purl without version and qualifiers of a type, a namespace and a name, written as the
 * purls of advisories are.
 */
export function formatPurl(type: string, namespace: string, name: string): string {
  const normalise = findPackageType(type)?.normalise ?? ((text: string) => text)
  const segments = [...namespace.split('/'), name].filter((each) => each !== '')
  return `pkg:${[type, ...segments.map((each) => encodeSegment(normalise(each)))].join('/')}`
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
