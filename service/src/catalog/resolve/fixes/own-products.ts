// Finds the products that a CVE is about, as opposed to products that contain them.
import type { Affected, Claim, Configuration, Provider } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { isSupplier } from '../../sources/provider.ts'
import { toNameKey, toVendorKey } from '../products/product-name-keys.ts'
import { createNameSearch, isPackageOf } from '../products/words.ts'
import { isRedistributed } from './fix-statements.ts'

type Named = Pick<Affected, 'vendor' | 'product' | 'packageUrl'>
type Stated = Named & Pick<Affected, 'by'>

/** Lists names for sentences, without duplicates. */
export function listOwnNames(claims: readonly Claim[]): readonly string[] {
  const own = findOwnProducts(claims)
  return [...new Map(own.flatMap(({ product }) => (product === '' ? [] : [[toNameKey(product), product]]))).values()]
}

/**
 * A CVE is also about packages whose name contains one of the names of its own products, and about products that its
 * description names. If a source lists none of them, it calls them by other names: then its packages count, and the
 * products of the vendor that it lists first.
 */
export function createOwnTest(claims: readonly Claim[]): (product: Stated) => boolean {
  const isNamed = createNamedTest(claims)
  // Most CVEs have only products that are named.
  let hasOtherName: ((product: Stated) => boolean) | undefined
  return (product) => {
    if (isNamed(product)) return true
    hasOtherName ??= createOtherNameTest(claims, isNamed)
    return hasOtherName(product)
  }
}

/** Without the other names by which a source may call the CVE's own products. */
export function createNamedTest(claims: readonly Claim[]): (product: Named) => boolean {
  return createNameTest(findOwnProducts(claims), claims)
}

function createOtherNameTest(
  claims: readonly Claim[],
  isNamed: (product: Named) => boolean,
): (product: Stated) => boolean {
  const bySource = Map.groupBy(claims.flatMap(listProducts), ({ by }) => by)
  const namesOwn = new Map([...bySource].map(([by, listed]) => [by, listed.some(isNamed)]))
  const isFirst = ({ by, vendor, packageUrl }: Stated) =>
    packageUrl !== null || toVendorKey(vendor) === toVendorKey(bySource.get(by)?.[0]?.vendor ?? '')
  return (product) => namesOwn.get(product.by) !== true && isFirst(product)
}

/**
 * Returns the package that most products of the CVE's CNA contain, or else the products that its CNA or a supplier
 * names, except a distribution's packages, or else those of the vendor that the first configuration names.
 */
function findOwnProducts(claims: readonly Claim[]): readonly Named[] {
  const stated = claims.flatMap(({ affected }) => affected).filter(isOwnStatement)
  return findPackage(claims) ?? (stated.length > 0 ? stated : findFirstConfigured(claims))
}

/** Some CNAs list their own products that contain a package of others. A source must name the package as a product. */
function findPackage(claims: readonly Claim[]): readonly Named[] | undefined {
  const listed = claims.flatMap(({ affected }) => affected.filter(({ by }) => isVendor(by)))
  const byName = Map.groupBy(listed, ({ packageName }) => packageName)
  const [name, entries] = [...byName].find(([each, of]) => each !== undefined && of.length > listed.length / 2) ?? []
  if (name === undefined || new Set(entries?.map(({ product }) => product)).size < 2) return undefined
  const products = claims.flatMap(listProducts)
  const found = products.filter((each) => each.packageUrl === null && toNameKey(each.product) === toNameKey(name))
  return found.length === 0 ? undefined : found
}

function createNameTest(own: readonly Named[], claims: readonly Claim[]): (product: Named) => boolean {
  const vendors = new Set(own.flatMap(({ vendor }) => toVendorKey(vendor) || []))
  const products = new Set(own.flatMap(({ product }) => toNameKey(product) || []))
  const packages = new Set(own.flatMap(({ packageUrl }) => packageUrl ?? []))
  let isInText: ((name: string) => boolean) | undefined
  const isOwn = ({ vendor, product, packageUrl }: Named) => {
    const isListed =
      packageUrl === null
        ? vendors.has(toVendorKey(vendor)) || products.has(toNameKey(product))
        : packages.has(packageUrl) || [...products].some((each) => isPackageOf(product, each))
    if (isListed) return true
    isInText ??= createNameSearch(claims.flatMap(({ description }) => description ?? []))
    return isInText(packageUrl === null ? product : readLastPart(product))
  }
  // A product is listed once per range.
  const known = new Map<string, boolean>()
  return (named) => {
    const key = `${named.packageUrl ?? ''}\n${named.vendor}\n${named.product}`
    const found = known.get(key) ?? isOwn(named)
    known.set(key, found)
    return found
  }
}

/** Returns `log4j-core` for `org.apache.logging.log4j:log4j-core`. */
function readLastPart(packageName: string): string {
  return packageName.slice(Math.max(packageName.lastIndexOf('/'), packageName.lastIndexOf(':')) + 1)
}

/** Lists the products that a claim calls affected, except packages of distributions. */
function listProducts({ configurations, configurationsBy, affected, source }: Claim): readonly Stated[] {
  return [
    ...listConfigured(configurations).map((each) => ({ ...each, by: configurationsBy })),
    ...affected.filter((each) => !isRedistributed(each, source)),
  ]
}

function isOwnStatement(affected: Affected): boolean {
  return isVendor(affected.by) && !isRedistributed(affected, 'cve')
}

function isVendor(by: Provider): boolean {
  return by.startsWith('cna:') || isSupplier(by)
}

function findFirstConfigured(claims: readonly Claim[]): readonly Named[] {
  for (const { configurations } of claims)
    for (const each of configurations) {
      const named = listConfigured([each])
      if (named.length > 0) return named.filter(({ vendor }) => vendor === named[0]?.vendor)
    }
  return []
}

function listConfigured(configurations: readonly Configuration[]): readonly Named[] {
  return listMatches(configurations).flatMap(({ vulnerable, criteria }) => {
    const name = vulnerable ? parseCpeCached(criteria) : undefined
    return name === undefined ? [] : [{ vendor: name.vendor, product: name.product, packageUrl: null }]
  })
}
