// Parses the products of a VEX document. A document lists every package for every architecture and product variant,
// which gives thousands of entries for a kernel, so duplicates are dropped, and a package built from a listed source
// package is replaced by it.
import { isOfModule, readStreamName } from '../../../domain/component/rpm-stream.ts'
import type { DistributionState } from '../../../domain/match-words.ts'
import type { VendorProduct } from '../../../domain/source/vendor-record.ts'
import { type ProductInTree, treeBranch, type VexDocument, type Vulnerability } from './document.ts'

/** Sorted by importance: if there are too many products, those with the last statuses are dropped. */
const STATUSES = [
  ['known_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
  ['fixed', 'fixed'],
  ['known_not_affected', 'not_affected'],
] as const
const MAX_PRODUCTS = 500
const VENDOR = 'Red Hat'
/** Known documents nest a package in a module in a product. */
const MAX_CHAIN_LENGTH = 5
const PURL = /^(pkg:[\w.+-]+\/[^@?#]+)(?:@([^?#]*))?(?:\?([^#]*))?/
const MODULE_PURL = /^pkg:rpmmod\/[^/@?#]+\/([^/@?#]+)@([^?#]*)/
/** Red Hat's words for a product that no erratum fixes; other products with the category have its usual state. */
const STATE_BY_DETAILS: Readonly<Partial<Record<string, DistributionState>>> = {
  'out of support scope': 'out_of_support',
  'will not fix': 'will_not_fix',
  'fix deferred': 'fix_deferred',
  affected: 'fix_pending',
}
const STATE_BY_CATEGORY: Readonly<Partial<Record<string, DistributionState>>> = {
  no_fix_planned: 'will_not_fix',
  none_available: 'fix_pending',
}
/**
 * A component with a longer name and no package URL is dropped, because a truncated name could mean another component.
 */
const MAX_COMPONENT_NAME_LENGTH = 300

type Status = VendorProduct['status']

interface Combination {
  readonly component: string
  readonly product: string
}

interface Tree {
  readonly products: ReadonlyMap<string, ProductInTree>
  readonly combinations: ReadonlyMap<string, Combination>
}

interface Component {
  /** Without version and qualifiers. */
  readonly purl: string
  /** RPM version, with its epoch unless the epoch is 0, or the tag of a container image. */
  readonly version: string | null
  readonly isRpm: boolean
  readonly isSource: boolean
}

interface FoundProduct {
  readonly id: string
  readonly product: string
  readonly cpe: string | null
  /** The module stream, such as `nodejs:20`. */
  readonly stream: string | undefined
  readonly component: Component | undefined
}

export interface ParsedProducts {
  readonly products: VendorProduct[]
  /** The position of each product id; that of a built package is the position of its source package. */
  readonly positions: ReadonlyMap<string, number>
}

export function parseProducts(document: VexDocument, vulnerability: Vulnerability): ParsedProducts {
  const { product_status: listed } = vulnerability
  const tree = buildTree(document)
  const states = readStates(vulnerability)
  const products = new Map<string, VendorProduct>()
  const keys = new Map<string, string>()
  for (const [theirs, ours] of STATUSES) {
    const found = (listed?.[theirs] ?? []).map((id) => findProduct(id, tree))
    for (const [id, each] of replaceBuiltPackages(found)) {
      const product = toVendorProduct(each, ours, states)
      const key = JSON.stringify(product)
      products.set(key, product)
      if (!keys.has(id)) keys.set(id, key)
    }
  }
  const kept = [...products].slice(0, MAX_PRODUCTS)
  const positionByKey = new Map(kept.map(([key], position) => [key, position]))
  const positions = [...keys].flatMap(([id, key]) => {
    const position = positionByKey.get(key)
    return position === undefined ? [] : [[id, position] as const]
  })
  return { products: kept.map(([, product]) => product), positions: new Map(positions) }
}

/** Keyed by product id. */
function readStates({ remediations = [] }: Vulnerability): ReadonlyMap<string, DistributionState> {
  const states = new Map<string, DistributionState>()
  for (const { category, details, product_ids: ids } of remediations) {
    const usual = STATE_BY_CATEGORY[category]
    const state = usual && (STATE_BY_DETAILS[details?.trim().toLowerCase() ?? ''] ?? usual)
    if (state !== undefined) for (const id of ids ?? []) states.set(id, state)
  }
  return states
}

function buildTree({ product_tree: raw }: VexDocument): Tree {
  const products = new Map<string, ProductInTree>()
  collectProducts(raw?.branches ?? [], products)
  const combinations = (raw?.relationships ?? []).map(
    (each) =>
      [
        each.full_product_name.product_id,
        { component: each.product_reference, product: each.relates_to_product_reference },
      ] as const,
  )
  return { products, combinations: new Map(combinations) }
}

/** Recursion is safe, because the JSON parser limits the nesting of a document. */
function collectProducts(branches: readonly unknown[], products: Map<string, ProductInTree>): void {
  for (const branch of branches) {
    if (!treeBranch.matches(branch)) continue
    if (branch.product) products.set(branch.product.product_id, branch.product)
    collectProducts(branch.branches ?? [], products)
  }
}

/** A product that the tree does not define is named by its id. */
function findProduct(id: string, tree: Tree): FoundProduct {
  const productId = follow(id, 'product', tree)
  const componentId = follow(id, 'component', tree)
  const product = tree.products.get(productId)
  const component = componentId === productId ? undefined : tree.products.get(componentId)
  return {
    id,
    product: product?.name ?? productId,
    stream: findStream(id, tree),
    cpe: product?.product_identification_helper?.cpe ?? null,
    component: component && parseComponent(component),
  }
}

/** Follows relationships to the outermost product or the innermost component. The step limit stops circular ones. */
function follow(id: string, part: keyof Combination, { combinations }: Tree): string {
  let current = id
  for (let step = 0; step < MAX_CHAIN_LENGTH; step += 1) current = combinations.get(current)?.[part] ?? current
  return current
}

/** A package in a module belongs to `nodejs:20:…` of a product, which is itself the module in the product. */
function findStream(id: string, { products, combinations }: Tree): string | undefined {
  let current = id
  for (let step = 0; step < MAX_CHAIN_LENGTH; step += 1) {
    const combination = combinations.get(current)
    if (combination === undefined) return undefined
    const [, module = '', version = ''] =
      MODULE_PURL.exec(products.get(combination.component)?.product_identification_helper?.purl ?? '') ?? []
    const stream = readStreamName(`${decodePercent(module)}:${decodePercent(version)}`)
    // The module itself is not a package in it.
    if (stream !== undefined && step > 0) return stream
    current = combination.product
  }
  return undefined
}

/** Replaces binary packages by their source package, if it is listed for the same product and version. */
function replaceBuiltPackages(found: readonly FoundProduct[]): (readonly [id: string, product: FoundProduct])[] {
  const build = ({ product, cpe, component, stream }: FoundProduct) =>
    JSON.stringify([product, cpe, component?.version, stream])
  const sources = new Map(found.filter(({ component }) => component?.isSource).map((each) => [build(each), each]))
  return found.map((each) => {
    const { id, component } = each
    const isBuilt = component?.isRpm && !component.isSource && component.version !== null
    return [id, (isBuilt ? sources.get(build(each)) : undefined) ?? each]
  })
}

function toVendorProduct(
  { id, product, cpe, component, stream }: FoundProduct,
  status: Status,
  states: ReadonlyMap<string, DistributionState>,
): VendorProduct {
  const isOpen = status === 'affected' || status === 'under_investigation'
  const state = isOpen ? (states.get(id) ?? (status === 'affected' ? undefined : status)) : undefined
  const streams = stream === undefined ? (isOfModule(component?.version ?? '') ? [] : undefined) : [stream]
  return {
    vendor: VENDOR,
    product,
    status,
    cpe,
    purl: component?.purl ?? null,
    introduced: null,
    fixed: status === 'fixed' ? (component?.version ?? null) : null,
    last_affected: null,
    ...(streams && { streams }),
    ...(state && { state }),
  }
}

/** A component without a package URL gets a generic one with its name. */
function parseComponent({ name, product_identification_helper: helper }: ProductInTree): Component | undefined {
  const [, named, version, qualifiers = ''] = PURL.exec(helper?.purl ?? '') ?? []
  if (named === undefined && name.length > MAX_COMPONENT_NAME_LENGTH) return undefined
  const purl = named ?? `pkg:generic/redhat/${encodeURIComponent(name.toWellFormed())}`
  const parameters = new URLSearchParams(qualifiers)
  const isRpm = purl.startsWith('pkg:rpm/')
  return {
    purl,
    version: isRpm || purl.startsWith('pkg:rpmmod/') ? formatRpmVersion(version, parameters) : parameters.get('tag'),
    isRpm,
    isSource: isRpm && parameters.get('arch') === 'src',
  }
}

function formatRpmVersion(version: string | undefined, parameters: URLSearchParams): string | null {
  if (!version) return null
  const epoch = parameters.get('epoch') ?? '0'
  return epoch === '0' ? decodePercent(version) : `${epoch}:${decodePercent(version)}`
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
