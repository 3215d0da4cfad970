// Reads the product statuses of a CSAF statement. Versions of one product are ranges of one entry.

import { findPackageType } from '../../../domain/purl/package-types.ts'
import { parsePurl } from '../../../domain/purl/parse-purl.ts'
import { CSAF_STATUSES, type CsafStatus } from '../../../domain/source/csaf-record.ts'
import type { Affected, AffectedRange, Claim, Provider, RemediedProduct } from '../../model/claim.ts'
import { type JsonObject, numbersIn, objectIn, objectsIn, textIn } from '../json.ts'
import type { NamedProduct, readProductList } from './product-list.ts'
import { readStatedVersion } from './stated-version.ts'

type ProductList = ReturnType<typeof readProductList>
type List = 'affected' | 'unaffected' | 'investigated'

/** Fixed versions stand beside the affected ones of the same product. */
const LISTS: Readonly<Record<CsafStatus, List>> = {
  first_affected: 'affected',
  first_fixed: 'affected',
  fixed: 'affected',
  known_affected: 'affected',
  known_not_affected: 'unaffected',
  last_affected: 'affected',
  recommended: 'affected',
  under_investigation: 'investigated',
}
const FIXED: readonly CsafStatus[] = ['first_fixed', 'fixed', 'recommended']

export function readProducts(
  by: Provider,
  statement: JsonObject,
  products: ProductList,
): Required<Pick<Claim, 'affected' | 'unaffected' | 'investigated'>> {
  const lists = { affected: new Map(), unaffected: new Map(), investigated: new Map() } satisfies Record<List, Entries>
  const statuses = objectIn(statement, 'statuses')
  const justifications = readJustifications(statement)
  for (const status of CSAF_STATUSES)
    for (const position of numbersIn(statuses, status)) {
      const justification = status === 'known_not_affected' ? justifications.get(position) : undefined
      addProduct(lists[LISTS[status]], { by, status, product: products.find(position), justification })
    }
  return {
    affected: [...lists.affected.values()],
    unaffected: [...lists.unaffected.values()],
    investigated: [...lists.investigated.values()],
  }
}

/** A product may have several flags, of which the first is kept. */
function readJustifications(statement: JsonObject): ReadonlyMap<number, string> {
  const labels = new Map<number, string>()
  for (const each of objectsIn(statement, 'justifications')) {
    const label = textIn(each, 'label')
    if (label === null) continue
    for (const position of numbersIn(each, 'products')) if (!labels.has(position)) labels.set(position, label)
  }
  return labels
}

interface Entry extends Affected {
  readonly ranges: AffectedRange[]
}

type Entries = Map<string, Entry>

interface StatedProduct {
  readonly by: Provider
  readonly status: CsafStatus
  readonly product: NamedProduct
  readonly justification: string | undefined
}

function addProduct(entries: Entries, stated: StatedProduct): void {
  const { by, status, product, justification } = stated
  const packaged = readPackage(product)
  const about = describe(by, product, packaged)
  const entry: Entry = { ...about, ranges: [], ...(justification !== undefined && { justification }) }
  const key = JSON.stringify(entry)
  const known = entries.get(key) ?? entry
  entries.set(key, known)
  known.ranges.push(...readRanges(status, product, packaged))
}

export function describeRemedied(named: NamedProduct): RemediedProduct {
  const { vendor, product, version, within } = named
  const packaged = readPackage(named)
  return {
    vendor,
    product,
    version: packaged?.version ?? version,
    packageUrl: packaged?.url ?? null,
    ...(within !== undefined && { within: within.name }),
  }
}

interface Package {
  readonly url: string
  readonly version: string | null
  readonly isOfDistribution: boolean
}

function readPackage({ purl }: NamedProduct): Package | undefined {
  const parsed = purl === null ? undefined : parsePurl(purl)
  if (parsed === undefined || 'error' in parsed) return undefined
  const isOfDistribution = findPackageType(parsed.type)?.isOfDistribution === true
  return { url: parsed.base, version: parsed.version, isOfDistribution }
}

const CPE = /^cpe:(?:2\.3:|\/)/i

/** The CPE name of a package in a product is that of the product. */
function describe(by: Provider, named: NamedProduct, packaged: Package | undefined): Omit<Affected, 'ranges'> {
  const { vendor, product, isUndefined, within } = named
  const cpe = packaged?.isOfDistribution ? findOutermost(named).cpe : named.cpe
  const hasCpe = cpe !== null && CPE.test(cpe)
  return {
    by,
    vendor,
    product,
    cpes: hasCpe ? [cpe] : [],
    packageUrl: packaged?.url ?? null,
    ...(within && { platforms: [within.name] }),
    ...(hasCpe && packaged !== undefined && { areVersionsOfPackage: true as const }),
    ...(isUndefined && { isUndefined: true as const }),
  }
}

function findOutermost(named: NamedProduct): NamedProduct {
  return named.within === undefined ? named : findOutermost(named.within)
}

function readRanges(
  productStatus: CsafStatus,
  { vendor, product, version }: NamedProduct,
  packaged: Package | undefined,
): readonly AffectedRange[] {
  const isFixed = FIXED.includes(productStatus)
  const isAffected = LISTS[productStatus] === 'affected' && !isFixed
  const mark = { productStatus, ...(isFixed && { isFixed: true as const }) }
  // A distribution fixes a package with a new version: earlier ones are affected.
  if (isFixed && packaged?.isOfDistribution && packaged.version !== null)
    return [{ isAffected: true, version: null, lessThan: packaged.version, lessThanOrEqual: null, ...mark }]
  const text = packaged?.version ?? version
  if (text === null) {
    const none = { isAffected, version: null, lessThan: null, lessThanOrEqual: null, ...mark }
    return [isFixed ? { ...none, isFixedRelease: true } : none]
  }
  return readStatedVersion(text, vendor, product).map((range) => ({ isAffected, ...range, ...mark }))
}
