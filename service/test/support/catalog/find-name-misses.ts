// Finds entries of KEV catalogs that are not found by their own vendor and product.
import { toCpeSpelling, toVendorSpelling } from '../../../src/domain/cpe/cpe-value.ts'

export interface KevEntryNames {
  readonly catalog: 'cisa' | 'eu'
  readonly cveId: string
  readonly vendor: string
  readonly product: string
}

const WAYS = ['filter', 'facet', 'suggest', 'board'] as const
type Way = (typeof WAYS)[number]

export interface NameMisses {
  readonly entries: number
  /** Entries such as `CVE-2024-3400 vendor Palo Alto Networks`, by the way in which they are not found. */
  readonly missed: Readonly<Record<Way, readonly string[]>>
}

/** Returns the `data` of the response to a GET request. */
type Get = (path: string) => Promise<Readonly<Record<string, unknown>>>

/** `get` sends a path with query, such as `cves?kev=true`. */
export async function findNameMisses(get: Get, entries: readonly KevEntryNames[]): Promise<NameMisses> {
  const cached = new Map<string, ReturnType<Get>>()
  const getOnce: Get = (path) => {
    const answer = cached.get(path) ?? get(path)
    cached.set(path, answer)
    return answer
  }
  const missed: Record<Way, string[]> = { filter: [], facet: [], suggest: [], board: [] }
  for (const entry of entries)
    for (const way of WAYS)
      for (const name of await CHECKS[way](getOnce, entry)) missed[way].push(`${entry.cveId} ${name} ${entry[name]}`)
  return { entries: entries.length, missed }
}

interface CveWithCatalogs {
  readonly cve: {
    readonly exploits: {
      readonly kev_catalogs: readonly { readonly name: string; readonly vendor: string; readonly product: string }[]
    } | null
  }
}

type Name = 'vendor' | 'product'
type Check = (get: Get, entry: KevEntryNames) => Promise<readonly Name[]>

/** Returns the names by which an entry is not found. */
const CHECKS: Readonly<Record<Way, Check>> = {
  filter: async (get, { cveId, vendor, product }) => {
    const isFound = async (query: string) =>
      hasValue((await get(`cves?ids=${cveId}&fields=cve_id&${query}`))['cves'], cveId)
    if (await isFound(`${ofVendor(vendor)}&${ofProduct(product)}`)) return []
    return missing(await isFound(ofVendor(vendor)), await isFound(ofProduct(product)))
  },
  // A CVE can have more names than a facet lists, but the facet always lists the names that the search filters by.
  facet: async (get, { cveId, vendor, product }) => {
    const count = async (query: string) =>
      (await get(`cves/facets?ids=${cveId}&facet_size=50&${query}`))['facets'] as Readonly<Record<string, unknown>>
    const both = await count(`facets=product_vendor,product&${ofVendor(vendor)}&${ofProduct(product)}`)
    return missing(
      hasValue(both['product_vendor'], toVendorSpelling(vendor)),
      hasValue(both['product'], toCpeSpelling(product)),
    )
  },
  suggest: async (get, { vendor, product }) => {
    const suggest = async (of: string, text: string) =>
      (await get(`suggest?limit=20&of=${of}&q=${encode(text)}`))['suggestions']
    return missing(
      hasValue(await suggest('vendor', shorten(vendor)), toVendorSpelling(vendor)),
      hasValue(await suggest('product', shorten(product)), toCpeSpelling(product)),
    )
  },
  board: async (get, { catalog, cveId, vendor, product }) => {
    if (catalog === 'cisa') {
      const isListed = async (query: string) => hasValue((await get(`kev?limit=500&${query}`))['kev_entries'], cveId)
      if (await isListed(`vendor=${encode(vendor)}&product=${encode(product)}`)) return []
      return missing(await isListed(`vendor=${encode(vendor)}`), await isListed(`product=${encode(product)}`))
    }
    // The board of the console reads the names of EU KEV from here.
    const { cve } = (await get(`cve/${cveId}?fields=cve_id,exploits&include=exploits`)) as unknown as CveWithCatalogs
    const entry = cve.exploits?.kev_catalogs.find(({ name }) => name === 'eu')
    return missing(entry?.vendor === vendor, entry?.product === product)
  },
}

const missing = (hasVendor: boolean, hasProduct: boolean): readonly Name[] => [
  ...(hasVendor ? [] : (['vendor'] as const)),
  ...(hasProduct ? [] : (['product'] as const)),
]

const encode = encodeURIComponent
const ofVendor = (vendor: string) => `product_vendor=${encode(vendor)}`
const ofProduct = (product: string) => `product=${encode(product)}`

/** Suggestions accept texts of at most 64 characters. */
const shorten = (text: string) => text.slice(0, 64)

function hasValue(items: unknown, wanted: string): boolean {
  return (
    Array.isArray(items) &&
    items.some((each) => [each.value, each.cve_id, each.cveId].some((value) => value === wanted))
  )
}
