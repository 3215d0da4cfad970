// Learns product names from CVEs that NVD has analysed: the CPE names that NVD uses, and the names that CNAs use for the
// same products.
import { parseFormattedValue } from '../../domain/cpe-value.ts'
import type { Claim } from '../model/claim.ts'
import type { CpeName } from '../model/source-data.ts'
import { listMatches } from '../sources/read-configurations.ts'
import { type Alias, MAX_NAME_LENGTH } from './product-names.ts'

export interface LearntNames {
  readonly names: readonly CpeName[]
  /** Set if NVD names one product and the CNA names one product, so that both names mean the same product. */
  readonly alias: Alias | undefined
}

const NAME = /^cpe:2\.3:([aho]):((?:\\.|[^:\\])+):((?:\\.|[^:\\])+):/

/** Returns undefined if NVD has no configuration of the CVE. */
export function learnNames(claims: readonly Claim[]): LearntNames | undefined {
  const nvd = claims.find(({ source }) => source === 'nvd')
  if (nvd === undefined || nvd.configurations.length === 0) return undefined
  const names = readNames(nvd)
  const [only] = names
  return { names, alias: only !== undefined && names.length === 1 ? readAlias(claims, only) : undefined }
}

function readNames({ configurations }: Claim): readonly CpeName[] {
  const names = new Map<string, CpeName>()
  let last = '\n'
  for (const { criteria, vulnerable } of listMatches(configurations)) {
    // Most matches of a configuration repeat the name of the match before.
    if (!vulnerable || criteria.startsWith(last)) continue
    const [found, part = '', vendor = '', product = ''] = NAME.exec(criteria.toLowerCase()) ?? []
    if (found === undefined || found.length > MAX_NAME_LENGTH || vendor === '*' || product === '*') continue
    last = found
    if (!names.has(found))
      names.set(found, { part, vendor: parseFormattedValue(vendor), product: parseFormattedValue(product) })
  }
  return [...names.values()]
}

function readAlias(claims: readonly Claim[], name: CpeName): Alias | undefined {
  const affected =
    claims.find((each) => each.source === 'cve')?.affected ??
    claims.find((each) => each.source === 'nvd')?.affected ??
    []
  const byCna = affected.filter(({ by, vendor, product }) => by.startsWith('cna:') && vendor !== '' && product !== '')
  const [first] = byCna
  if (first === undefined) return undefined
  const isOne = byCna.every(({ vendor, product }) => vendor === first.vendor && product === first.product)
  // Longer names are never looked up and do not fit into an index.
  const isAlias = isOne && first.vendor.length + first.product.length <= MAX_NAME_LENGTH
  return isAlias ? { vendor: first.vendor, product: first.product, name } : undefined
}
