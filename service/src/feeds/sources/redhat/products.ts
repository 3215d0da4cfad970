// Which products a document speaks of. It names every package of every architecture in every variant, which for a
// kernel are thousands; we keep what differs.
import type { VendorProduct } from '../../../domain/vendor-record.ts'
import { branchOfTree, type ProductInTree, type VexDocument, type Vulnerability } from './document.ts'
import { type Component, componentOf } from './purl.ts'

/** What does not fit any more is the least important: those that come last here. */
const STATUSES = [
  ['known_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
  ['fixed', 'fixed'],
  ['known_not_affected', 'not_affected'],
] as const
/** Of the largest documents there are. */
const MAX_PRODUCTS = 500
const VENDOR = 'Red Hat'
/** A package in a module in a product: no more than that is known. */
const MAX_CHAIN_LENGTH = 5
const MAX_NAME_LENGTH = 300

type Status = VendorProduct['status']

/** A component and what it is part of, by their ids. */
interface Combination {
  readonly component: string
  readonly product: string
}

interface Tree {
  readonly products: ReadonlyMap<string, ProductInTree>
  readonly combinations: ReadonlyMap<string, Combination>
}

interface Found {
  readonly product: string
  readonly cpe: string | null
  readonly component: Component | undefined
}

export function productsIn(document: VexDocument, { product_status: said }: Vulnerability): VendorProduct[] {
  const tree = treeOf(document)
  const products = new Map<string, VendorProduct>()
  for (const [theirs, ours] of STATUSES) {
    const found = (said?.[theirs] ?? []).map((id) => lookUp(id, tree))
    for (const each of withoutBuilds(found)) {
      const product = vendorProduct(each, ours)
      products.set(JSON.stringify(product), product)
    }
  }
  return [...products.values()].slice(0, MAX_PRODUCTS)
}

function treeOf({ product_tree: said }: VexDocument): Tree {
  const products = new Map<string, ProductInTree>()
  gather(said?.branches ?? [], products)
  const combinations = (said?.relationships ?? []).map(
    (each) =>
      [
        each.full_product_name.product_id,
        { component: each.product_reference, product: each.relates_to_product_reference },
      ] as const,
  )
  return { products, combinations: new Map(combinations) }
}

/** By recursion: whoever parsed it has seen to it that it is not deep. */
function gather(branches: readonly unknown[], products: Map<string, ProductInTree>): void {
  for (const branch of branches) {
    if (!branchOfTree.fits(branch)) continue
    if (branch.product) products.set(branch.product.product_id, branch.product)
    gather(branch.branches ?? [], products)
  }
}

/** What the tree does not know is called by its id. */
function lookUp(id: string, tree: Tree): Found {
  const productId = follow(id, 'product', tree)
  const componentId = follow(id, 'component', tree)
  const product = tree.products.get(productId)
  const component = componentId === productId ? undefined : tree.products.get(componentId)
  return {
    product: (product?.name ?? productId).slice(0, MAX_NAME_LENGTH),
    cpe: product?.product_identification_helper?.cpe ?? null,
    component: component && componentOf(component),
  }
}

/** A combination may be made of combinations; one that is made of itself leads nowhere, and soon. */
function follow(id: string, part: keyof Combination, { combinations }: Tree): string {
  let at = id
  for (let step = 0; step < MAX_CHAIN_LENGTH; step += 1) at = combinations.get(at)?.[part] ?? at
  return at
}

/** Packages of a version that were built from a source package which is there as well say nothing of their own. */
function withoutBuilds(found: readonly Found[]): Found[] {
  const build = ({ product, cpe, component }: Found) => JSON.stringify([product, cpe, component?.version])
  const sources = new Set(found.filter(({ component }) => component?.isSource).map(build))
  return found.filter((each) => {
    const { component } = each
    return !component?.isRpm || component.isSource || component.version === null || !sources.has(build(each))
  })
}

function vendorProduct({ product, cpe, component }: Found, status: Status): VendorProduct {
  return {
    vendor: VENDOR,
    product,
    status,
    cpe,
    purl: component?.purl ?? null,
    introduced: null,
    fixed: status === 'fixed' ? (component?.version ?? null) : null,
    last_affected: null,
  }
}
