// Reads product statuses and remediations from raw CSAF documents, without the code of the service.

interface Branch {
  readonly category: string
  readonly name: string
  readonly branches?: readonly Branch[]
  readonly product?: RawProduct
}

interface RawProduct {
  readonly product_id: string
  readonly name: string
  readonly product_identification_helper?: { readonly purl?: string; readonly cpe?: string }
}

interface Relationship {
  readonly product_reference: string
  readonly relates_to_product_reference: string
  readonly full_product_name: RawProduct
}

interface Concerned {
  readonly product_ids?: readonly string[]
  readonly group_ids?: readonly string[]
}

export interface RawDocument {
  readonly document: { readonly tracking: { readonly id: string } }
  readonly product_tree?: {
    readonly branches?: readonly Branch[]
    readonly full_product_names?: readonly RawProduct[]
    readonly relationships?: readonly Relationship[]
    readonly product_groups?: readonly { readonly group_id: string; readonly product_ids: readonly string[] }[]
  }
  readonly vulnerabilities?: readonly {
    readonly cve?: string
    readonly product_status?: Readonly<Record<string, readonly string[]>>
    readonly flags?: readonly (Concerned & { readonly label: string })[]
    readonly remediations?: readonly (Concerned & {
      readonly category: string
      readonly details?: string
      readonly url?: string
    })[]
  }[]
}

export interface StatedProduct {
  readonly product: string
  /** As the publisher writes it. */
  readonly version: string | null
  /** With the version. */
  readonly purl: string | null
  /** The product that contains it. */
  readonly within: string | null
}

export interface RawStatus {
  readonly cveId: string
  readonly status: string
  readonly product: StatedProduct
  readonly flags: readonly string[]
}

export interface RawRemediation {
  readonly cveId: string
  readonly category: string
  readonly url: string | null
  readonly text: string
  /** Null if the remediation names no product. */
  readonly product: StatedProduct | null
}

export function readRawDocument(raw: RawDocument): {
  readonly statuses: readonly RawStatus[]
  readonly remediations: readonly RawRemediation[]
} {
  const find = createFinder(raw)
  const groups = new Map((raw.product_tree?.product_groups ?? []).map((each) => [each.group_id, each.product_ids]))
  const listIds = ({ product_ids: ids = [], group_ids: named = [] }: Concerned) => [
    ...new Set([...ids, ...named.flatMap((each) => groups.get(each) ?? [])]),
  ]
  const [statuses, remediations]: [RawStatus[], RawRemediation[]] = [[], []]
  for (const {
    cve: cveId,
    product_status: listed = {},
    flags = [],
    remediations: advice = [],
  } of raw.vulnerabilities ?? []) {
    if (cveId === undefined) continue
    for (const [status, ids] of Object.entries(listed))
      for (const id of new Set(ids)) {
        const own = flags.filter((each) => listIds(each).includes(id)).map(({ label }) => label)
        statuses.push({ cveId, status, product: find(id), flags: own })
      }
    for (const each of advice) {
      const { category, details = '', url = null } = each
      const ids = listIds(each)
      const products = ids.length === 0 ? [null] : ids.map(find)
      for (const product of products) remediations.push({ cveId, category, url, text: details, product })
    }
  }
  return { statuses, remediations }
}

function createFinder({ product_tree: tree = {} }: RawDocument): (id: string) => StatedProduct {
  const products = new Map<string, StatedProduct>()
  const visit = (branch: Branch, path: readonly Branch[]) => {
    const here = [...path, branch]
    if (branch.product) products.set(branch.product.product_id, toProduct(branch.product, here))
    for (const each of branch.branches ?? []) visit(each, here)
  }
  for (const each of tree.branches ?? []) visit(each, [])
  for (const each of tree.full_product_names ?? []) products.set(each.product_id, toProduct(each, []))
  const combined = new Map((tree.relationships ?? []).map((each) => [each.full_product_name.product_id, each]))
  const find = (id: string): StatedProduct => {
    const both = combined.get(id)
    if (both === undefined) return products.get(id) ?? { product: id, version: null, purl: null, within: null }
    const [part, whole] = [find(both.product_reference), find(both.relates_to_product_reference)]
    return { ...part, within: whole.within ?? whole.product }
  }
  return find
}

function toProduct(full: RawProduct, path: readonly Branch[]): StatedProduct {
  const last = (...categories: readonly string[]) =>
    path.findLast(({ category }) => categories.includes(category))?.name
  const purl = full.product_identification_helper?.purl ?? null
  const product = last('product_name') ?? last('product_family') ?? full.name
  const [version, pack] = [last('product_version_range') ?? last('product_version'), last('service_pack')]
  // Cisco writes the whole version below its beginning, others a service pack.
  const isWhole = pack === undefined || version === undefined || /^v?\d+[.(]/i.test(pack)
  const stated = isWhole ? (pack ?? version) : `${version} ${pack}`
  return { product: product.trim(), version: stated?.trim() ?? null, purl, within: null }
}
