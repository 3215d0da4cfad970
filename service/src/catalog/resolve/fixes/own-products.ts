// Finds the products that a CVE is about, as opposed to products that contain them.
import type { Affected, Claim, Configuration } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { isSupplier } from '../../sources/provider.ts'
import { toNameKey, toVendorKey } from '../products/product-name-keys.ts'
import { toWords } from '../products/words.ts'
import { isRedistributed } from './fix-statements.ts'

type Named = Pick<Affected, 'vendor' | 'product' | 'packageUrl'>
type Stated = Named & Pick<Affected, 'by'>

export interface OwnProducts {
  readonly has: (product: Stated) => boolean
  /** Names for sentences, without duplicates. */
  readonly names: readonly string[]
}

/** Shorter names occur in other words and sentences. */
const MIN_NAME_LENGTH = 3

/**
 * A CVE is about the products that its CNA or a supplier names, except a distribution's packages, or else about those of
 * the vendor that the first configuration names; about packages whose name contains one of these names; and about
 * products that its description names. If a source lists none of them, it calls them by other names: then its packages
 * count, and the products of the vendor that it lists first.
 */
export function findOwnProducts(claims: readonly Claim[]): OwnProducts {
  const stated = claims.flatMap(({ affected }) => affected).filter(isOwnStatement)
  const own: readonly Named[] = stated.length > 0 ? stated : findFirstConfigured(claims)
  const isNamed = createNameTest(own, claims)
  const bySource = Map.groupBy(claims.flatMap(listProducts), ({ by }) => by)
  const usesOtherNames = new Map([...bySource].map(([by, listed]) => [by, !listed.some(isNamed)]))
  const isFirst = ({ by, vendor, packageUrl }: Stated) =>
    packageUrl !== null || toVendorKey(vendor) === toVendorKey(bySource.get(by)?.[0]?.vendor ?? '')
  return {
    has: (product) => isNamed(product) || (usesOtherNames.get(product.by) !== false && isFirst(product)),
    names: [...new Map(own.flatMap(({ product }) => (product === '' ? [] : [[toNameKey(product), product]]))).values()],
  }
}

function createNameTest(own: readonly Named[], claims: readonly Claim[]): (product: Named) => boolean {
  const vendors = new Set(own.flatMap(({ vendor }) => toVendorKey(vendor) || []))
  const products = new Set(own.flatMap(({ product }) => toNameKey(product) || []))
  const packages = new Set(own.flatMap(({ packageUrl }) => packageUrl ?? []))
  const texts = claims.flatMap(({ description }) => (description === null ? [] : toWords(description)))
  const isInText = ({ product, packageUrl }: Named) => {
    const name = toWords(packageUrl === null ? product : readLastPart(product))
    return name.trim().length >= MIN_NAME_LENGTH && texts.some((text) => text.includes(name))
  }
  const containsName = (key: string) =>
    [...products].some((each) => each.length >= MIN_NAME_LENGTH && key.includes(each))
  return (named) => {
    const { vendor, product, packageUrl } = named
    const isOwn =
      packageUrl === null
        ? vendors.has(toVendorKey(vendor)) || products.has(toNameKey(product))
        : packages.has(packageUrl) || containsName(toNameKey(product))
    return isOwn || isInText(named)
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
  return (affected.by.startsWith('cna:') || isSupplier(affected.by)) && !isRedistributed(affected, 'cve')
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
