// A component that a caller runs: a product by its CPE name or its name, or a package by its package URL.
import type { CpeParts } from '../../domain/cpe.ts'
import { NOT_APPLICABLE, toCpeSpelling, unescapeCpeValue } from '../../domain/cpe-value.ts'
import { parsePackageName } from '../../domain/package-name.ts'
import type { Purl } from '../../domain/parse-purl.ts'
import { findRelease } from './distribution-release.ts'

export interface ComponentVersion {
  /** The version with its update, such as `11.1.2 h1`. */
  readonly text: string
  /** The version without its update. */
  readonly base: string
  /** Update of a CPE name; null if there is none, or if it is part of the version's text. */
  readonly update: string | null
}

export interface Component {
  readonly by: 'cpe' | 'purl' | 'product'
  readonly kind: 'cpe' | 'purl'
  /** CPE vendor, or type and namespace of the purl, such as `maven/org.apache.ant`; null if no vendor is given. */
  readonly vendor: string | null
  readonly product: string
  readonly version: ComponentVersion | null
  /** CPE target software, or the release of the distribution of a package; null if it is not known. */
  readonly target: string | null
  /** CPE software edition; null if it is not known. */
  readonly edition: string | null
}

/** The members of a request by which a component is named. Exactly one of the first three is there. */
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
  return { by: 'product', kind: 'cpe', ...names, version: readVersion(version), target: null, edition: null }
}

/** Renders how the service understood the component. */
export function renderName({ vendor, product, version, by }: Component) {
  return { vendor, product, version: version?.text ?? null, by }
}

function readCpe(cpe: CpeParts, version: string | undefined): Component {
  return {
    by: 'cpe',
    kind: 'cpe',
    vendor: unescapeCpeValue(cpe.vendor) ?? null,
    product: unescapeCpeValue(cpe.product) ?? '',
    version: readCpeVersion(cpe) ?? readVersion(version),
    target: unescapeCpeValue(cpe.targetSoftware) ?? null,
    edition: unescapeCpeValue(cpe.softwareEdition) ?? null,
  }
}

function readCpeVersion({ version, update }: CpeParts): ComponentVersion | null {
  const base = unescapeCpeValue(version)
  if (base === undefined) return null
  const known = unescapeCpeValue(update) ?? null
  if (known !== null) return { text: `${base} ${known}`, base, update: known }
  return { text: base, base, update: update === NOT_APPLICABLE ? NOT_APPLICABLE : null }
}

function readPurl({ base, type, version, distro, upstream }: Purl, stated: string | undefined): Component {
  const named = parsePackageName(base) ?? { vendor: type, product: '' }
  // Debian's tracker names source packages, from which several packages are built.
  const [source, sourceVersion] = type === 'deb' && upstream !== null ? upstream.split('@', 2) : []
  const { vendor, product } = (source && parsePackageName(`pkg:${named.vendor}/${encodeURIComponent(source)}`)) || named
  return {
    by: 'purl',
    kind: 'purl',
    vendor,
    product,
    version: readVersion(sourceVersion ?? version ?? stated),
    target: findRelease(type, distro),
    edition: null,
  }
}

function readVersion(text: string | undefined): ComponentVersion | null {
  const plain = text?.trim() ?? ''
  return plain === '' ? null : { text: plain, base: plain, update: null }
}
