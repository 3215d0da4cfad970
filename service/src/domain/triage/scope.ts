// The scope of a triage state: everything (`*`), a watch, or a package or a product, and optionally a range of its versions.
//
// A scope is compared with components as the service understands them: vendor and product, and the distribution's
// release or the edition if the scope names one. What is not surely inside the scope is outside.
import { type Component, readComponent } from '../component/component.ts'
import { type CpeParts, formatCpe, parseCpe } from '../cpe/cpe.ts'
import { ANY, escapeCpeValue, NOT_APPLICABLE } from '../cpe/cpe-value.ts'
import { findPackageType } from '../purl/package-types.ts'
import { parsePurl } from '../purl/parse-purl.ts'
import { formatPurl } from '../purl/purl.ts'
import { isInside } from '../version/range.ts'
import type { SchemeName } from '../version/schemes.ts'
import { formatRange, parseRange, type ScopeRange } from './version-range.ts'

/** The scope of a state about the CVE as such. */
export const ALL = '*'

export const MAX_SCOPE_LENGTH = 512

/** Further kinds, such as an inventory, can be added: the database has a column for them. */
export type ScopeKind = 'all' | 'package' | 'product' | 'watch'

/** In normal form: equal scopes have equal texts. */
export interface Scope {
  readonly kind: ScopeKind
  /** `*`, `watch:` with the id of a watch, or a purl or a CPE name without a version. */
  readonly scope: string
  /** Such as `>=1.0|<2.0` or `=1.5`; empty for all versions. */
  readonly versions: string
}

export interface ScopeFault {
  readonly error: string
}

const WATCH = /^watch:([1-9]\d{0,17})$/

/** Returns the id of the watch in which a state mutes a CVE; undefined for another scope. */
export const readWatchScope = (scope: string): string | undefined => WATCH.exec(scope)?.[1]

/** A watch, or what `parseScope` reads. Documents of other tools cannot name a watch. */
export function parseTriageScope(text: string): Scope | ScopeFault {
  const sent = text.trim()
  return WATCH.test(sent) ? { kind: 'watch', scope: sent, versions: '' } : parseScope(sent)
}

/** A version in the purl or the CPE name is a range of one version. */
export function parseScope(text: string, versions = ''): Scope | ScopeFault {
  const sent = text.trim()
  if (sent.length > MAX_SCOPE_LENGTH) return { error: `must have at most ${MAX_SCOPE_LENGTH} characters` }
  if (sent === ALL) return versions === '' ? ALL_SCOPE : { error: 'must name a package or a product beside versions' }
  const named = /^cpe:/i.test(sent) ? readProduct(sent) : readPackage(sent)
  if ('error' in named) return named
  const { kind, scope, version } = named
  if (version !== null && versions !== '') return { error: 'must not have a version beside version_range' }
  const range = version === null ? parseRange(versions) : { versions: [version] }
  if (range === undefined) return { kind, scope, versions: '' }
  if ('error' in range) return range
  return { kind, scope, versions: formatRange(range) }
}

const ALL_SCOPE: Scope = { kind: 'all', scope: ALL, versions: '' }

interface NamedScope {
  readonly kind: ScopeKind
  readonly scope: string
  readonly version: string | null
}

const FORMS = 'must be *, a package URL such as pkg:npm/lodash, or a CPE name with a vendor and a product'

const PARTS = /^[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s

function readPackage(text: string): NamedScope | ScopeFault {
  const purl = parsePurl(text)
  if ('error' in purl) return { error: /^pkg:/i.test(text) ? purl.error : FORMS }
  const [, qualifiers = '', subpath] = PARTS.exec(text) ?? []
  // Without these, the scope would be wider than what was sent. Names of qualifiers can be written in several ways.
  if ([...new URLSearchParams(qualifiers).keys()].some((each) => each.toLowerCase() === 'vers'))
    return { error: 'must have its range in version_range, not in the qualifier vers' }
  if (subpath !== undefined && /[^/]/.test(subpath))
    return { error: 'must not have a subpath, which scopes cannot express; leave it out for the whole package' }
  const component = readComponent({ purl })
  if (component.product === '' || component.vendor === null) return { error: FORMS }
  // A scope without the stream or the builder would be wider than what was sent.
  if (component.stream !== undefined || component.thirdParty !== undefined)
    return { error: 'must not name a module stream or a builder of the package, which scopes cannot express' }
  if (purl.distro !== null && component.target === null)
    return { error: 'names a release of a distribution that is not known; leave distro out for all releases' }
  const [type = '', ...namespace] = component.vendor.split('/')
  const base = formatPurl(type, namespace.join('/'), component.product)
  const release = purl.distro === null ? '' : `?distro=${encodeURIComponent(purl.distro)}`
  return { kind: 'package', scope: `${base}${release}`, version: component.version?.text ?? null }
}

function readProduct(text: string): NamedScope | ScopeFault {
  const cpe = parseCpe(text)
  if (cpe === undefined) return { error: FORMS }
  const { vendor, product, version } = readComponent({ cpe })
  if (cpe.version === NOT_APPLICABLE) return { error: 'must have a version or * in the place of the version, not -' }
  if (vendor === null || product === '') return { error: FORMS }
  if (version === null && cpe.update !== ANY)
    return { error: 'must have a version beside the update, or * in the place of both' }
  return { kind: 'product', scope: formatCpe(removeVersion(cpe)), version: version?.text ?? null }
}

/** Components have no language, hardware or other attribute. */
function removeVersion(cpe: CpeParts): CpeParts {
  return { ...cpe, version: ANY, update: ANY, language: ANY, targetHardware: ANY, other: ANY }
}

/** Returns the scope as one name with its version; undefined if the scope has another range than one version. */
export function nameVersion({ kind, scope, versions }: Scope): string | undefined {
  const range = parseRange(versions)
  if (range === undefined || 'error' in range || !('versions' in range)) return undefined
  const [version, ...others] = range.versions
  if (version === undefined || others.length > 0) return undefined
  if (kind === 'package') {
    const [base = '', qualifiers] = scope.split('?', 2)
    const named = `${base}@${encodeURIComponent(version).replaceAll('%3A', ':')}`
    return qualifiers === undefined ? named : `${named}?${qualifiers}`
  }
  const cpe = parseCpe(scope)
  const [base = '', update] = version.split(' ', 2)
  const named = cpe && {
    ...cpe,
    version: escapeCpeValue(base),
    ...(update !== undefined && { update: escapeCpeValue(update) }),
  }
  return named && formatCpe(named)
}

type ScopeTest = (component: Component) => boolean

/** Returns a test that is false for everything if the stored scope cannot be read. */
export function compileScope({ scope, versions }: Pick<Scope, 'scope' | 'versions'>): ScopeTest {
  const named = scope === ALL ? undefined : readNamed(scope)
  const range = parseRange(versions)
  if (named === undefined || (range !== undefined && 'error' in range)) return () => false
  return (component) => isNamed(component, named) && isInRange(component, range)
}

/**
 * Returns whether the first of two scopes with one name is surely a part of the second: it names a release, an edition or
 * versions where the second names none, and everything that the second names.
 */
export function isPartOf(inner: Pick<Scope, 'scope' | 'versions'>, outer: Pick<Scope, 'scope' | 'versions'>): boolean {
  const [own, wider] = [readNamed(inner.scope), readNamed(outer.scope)]
  if (own === undefined || wider === undefined) return false
  const limits = [
    [own.target, wider.target],
    [own.edition, wider.edition],
    [inner.versions || null, outer.versions || null],
  ] as const
  return limits.every(([one, other]) => other === null || one === other) && limits.some(([one, other]) => one !== other)
}

/** Returns the vendor and the product by which a component is compared with the scope. */
export function toScopeKey({ kind, vendor, product }: Pick<Component, 'kind' | 'vendor' | 'product'>): string {
  return JSON.stringify([kind, vendor, product])
}

export function readNamed(scope: string): Component | undefined {
  if (scope.startsWith('cpe:')) {
    const cpe = parseCpe(scope)
    return cpe && readComponent({ cpe })
  }
  const purl = parsePurl(scope)
  return 'error' in purl ? undefined : readComponent({ purl })
}

/** A name that was guessed from a document's free text is not surely the named one. */
function isNamed(component: Component, named: Component): boolean {
  return (
    component.isGuessed !== true &&
    toScopeKey(component) === toScopeKey(named) &&
    (named.target === null || named.target === component.target) &&
    (named.edition === null || named.edition === component.edition)
  )
}

function isInRange({ kind, vendor, version }: Component, range: ScopeRange | undefined): boolean {
  if (range === undefined) return true
  return version !== null && isInside(range, version.text, findScheme(kind, vendor)) === 'inside'
}

function findScheme(kind: Component['kind'], vendor: string | null): SchemeName {
  if (kind === 'cpe') return 'generic'
  return findPackageType(vendor?.split('/')[0] ?? '')?.scheme ?? 'generic'
}
