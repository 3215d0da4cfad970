// Builds package URLs (purl, ECMA-427). packageurl-js is used only for parsing, because it validates npm names with
// lists of legacy packages.
import { findPackageType, PACKAGE_TYPES, type PurlType } from './package-types.ts'

/** A purl type and, for a distribution, the namespace that all its packages share. */
export interface PackageFamily {
  readonly type: PurlType
  readonly namespace?: string | undefined
}

/** Returns for example `pkg:npm/%40angular/core`, or null for a name that the ecosystem does not allow. */
export function formatPackagePurl({ type, namespace }: PackageFamily, name: string): string | null {
  const { separator, needsNamespace, normalise } = PACKAGE_TYPES[type]
  const plain = name.trim()
  const normal = normalise ? normalise(plain) : plain
  const segments = (separator === undefined ? [normal] : normal.split(separator)).filter((each) => each !== '')
  if (segments.length === 0 || (needsNamespace && segments.length < 2)) return null
  return `pkg:${[type, ...(namespace === undefined ? [] : [namespace]), ...segments.map(encodeSegment)].join('/')}`
}

/** Formats a purl without version and qualifiers, as advisories write it. */
export function formatPurl(type: string, namespace: string, name: string): string {
  const normalise = findPackageType(type)?.normalise ?? ((text: string) => text)
  const segments = [...namespace.split('/'), name].filter((each) => each !== '')
  return `pkg:${[type, ...segments.map((each) => encodeSegment(normalise(each)))].join('/')}`
}

/** Unlike encodeURIComponent, a purl encodes `!'()*` and leaves the colon. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':')
}
