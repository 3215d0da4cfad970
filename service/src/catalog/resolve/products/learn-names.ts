// Learns NVD's product names, and the names that CNAs use for the same products, from CVEs that NVD has analysed.
import { parseFormattedValue } from '../../../domain/cpe/cpe-value.ts'
import type { NamingClaim } from '../../model/claim.ts'
import type { CpeName } from '../../model/source-data.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { type Alias, isOfSameVendor, mayBeSameProduct } from './product-names.ts'
import { MAX_NAME_LENGTH } from './product-spellings.ts'

export interface LearntNames {
  readonly names: readonly CpeName[]
  /** Defined if the CNA names one product, and one of NVD's names may mean the same product. */
  readonly alias: Alias | undefined
}

const NAME = /^cpe:2\.3:([aho]):((?:\\.|[^:\\])+):((?:\\.|[^:\\])+):/

/** Returns undefined if NVD has no configuration for the CVE. */
export function learnNames(claims: readonly NamingClaim[]): LearntNames | undefined {
  const nvd = claims.find(({ source }) => source === 'nvd')
  if (nvd === undefined || nvd.configurations.length === 0) return undefined
  const names = readNames(nvd)
  return { names, alias: names.length > MAX_NAMES ? undefined : readAlias(claims, names) }
}

/** If NVD uses more names, the CVE concerns many products, and an alias would be a guess. */
const MAX_NAMES = 20

function readNames({ configurations }: NamingClaim): readonly CpeName[] {
  const names = new Map<string, CpeName>()
  let last = '\n'
  for (const { criteria, vulnerable } of listMatches(configurations)) {
    // Most matches repeat the name of the previous match.
    if (!vulnerable || criteria.startsWith(last)) continue
    const [found, part = '', vendor = '', product = ''] = NAME.exec(criteria.toLowerCase()) ?? []
    if (found === undefined || found.length > MAX_NAME_LENGTH || vendor === '*' || product === '*') continue
    last = found
    if (!names.has(found))
      names.set(found, { part, vendor: parseFormattedValue(vendor), product: parseFormattedValue(product) })
  }
  return [...names.values()]
}

/** NVD also lists products that contain the CNA's product, such as distributions. */
function readAlias(claims: readonly NamingClaim[], names: readonly CpeName[]): Alias | undefined {
  const affected =
    claims.find((each) => each.source === 'cve')?.affected ??
    claims.find((each) => each.source === 'nvd')?.affected ??
    []
  const byCna = affected.filter(({ by, vendor, product }) => by.startsWith('cna:') && vendor !== '' && product !== '')
  const [first] = byCna
  if (first === undefined) return undefined
  const { vendor, product } = first
  const isOne = byCna.every((each) => each.vendor === vendor && each.product === product)
  // Longer names are never looked up and do not fit into an index.
  if (!isOne || vendor.length + product.length > MAX_NAME_LENGTH) return undefined
  // If NVD uses a single name, no common word is needed: Samsung calls its Android `Samsung Mobile Devices`.
  const isSame = names.length === 1 ? isOfSameVendor : mayBeSameProduct
  const [name, ...others] = names.filter((each) => isSame(vendor, product, each))
  return name === undefined || others.length > 0 ? undefined : { vendor, product, name }
}
