// Reads the product tree of a CSAF document: which product each id means.
import type { CsafProduct } from '../../../domain/source/csaf-record.ts'
import { type CsafDocument, type FullProductName, type Relationship, treeBranch } from './document.ts'

/** The longest known path has five branches. */
const MAX_BRANCH_DEPTH = 30
/** The largest known tree, of a kernel update, has 20,000 products. */
const MAX_PRODUCTS = 100_000
/** Known documents combine a package, a module and a product. */
const MAX_RELATIONSHIP_DEPTH = 10

export interface ProductTree {
  /** Returns a product that is named by its id if the tree does not define it. */
  find(id: string): CsafProduct
  /** Returns the ids of the products in a group; none for an unknown group. */
  findGroup(id: string): readonly string[]
}

/** Returns the reason why the tree cannot be used. */
export function readProductTree({ product_tree: raw }: CsafDocument): ProductTree | string {
  const products = new Map<string, CsafProduct>()
  const listed = (raw?.full_product_names ?? []).map((each) => addProduct(each, [], products))
  const issue = listed.find((each) => each !== undefined) ?? collectProducts(raw?.branches ?? [], [], products)
  if (issue !== undefined) return issue
  const relationships = raw?.relationships ?? []
  if (products.size + relationships.length > MAX_PRODUCTS)
    return `its product tree has ${products.size + relationships.length} products, at most ${MAX_PRODUCTS} are allowed`
  const combined = combineProducts(relationships, products)
  if (combined !== undefined) return combined
  const groups = new Map((raw?.product_groups ?? []).map((each) => [each.group_id, each.product_ids] as const))
  return {
    find: (id) => products.get(id) ?? { name: id, is_undefined: true },
    findGroup: (id) => groups.get(id) ?? [],
  }
}

interface PathStep {
  readonly category: string
  readonly name: string
}

function collectProducts(
  branches: readonly unknown[],
  path: readonly PathStep[],
  products: Map<string, CsafProduct>,
): string | undefined {
  if (path.length > MAX_BRANCH_DEPTH) return `its product tree is more than ${MAX_BRANCH_DEPTH} branches deep`
  for (const branch of branches) {
    if (!treeBranch.matches(branch))
      return `a branch of its product tree is invalid: ${treeBranch.describeMismatch(branch)}`
    const here = [...path, { category: branch.category, name: branch.name }]
    const repeated = branch.product ? addProduct(branch.product, here, products) : undefined
    if (repeated !== undefined) return repeated
    if (products.size > MAX_PRODUCTS) return `its product tree has more than ${MAX_PRODUCTS} products`
    const issue = collectProducts(branch.branches ?? [], here, products)
    if (issue !== undefined) return issue
  }
  return undefined
}

/** Some documents repeat a product. One id for two products would make their statuses ambiguous. */
function addProduct(
  full: FullProductName,
  path: readonly PathStep[],
  products: Map<string, CsafProduct>,
): string | undefined {
  const product = toProduct(full, path)
  const known = products.get(full.product_id)
  if (known !== undefined && known.name !== product.name) return 'its product tree gives two products the same id'
  products.set(full.product_id, product)
  return undefined
}

function toProduct(full: FullProductName, path: readonly PathStep[]): CsafProduct {
  const find = (category: string) => path.findLast((each) => each.category === category)?.name.trim() || undefined
  const vendor = find('vendor')
  const product = find('product_name') ?? find('product_family')
  const range = find('product_version_range')
  const version = range ?? joinLevels(find('product_version'), [find('service_pack'), find('patch_level')])
  return {
    name: full.name.trim(),
    ...(vendor !== undefined && { vendor }),
    ...(product !== undefined && { product }),
    ...(version !== undefined && { version }),
    ...(range !== undefined && { is_range: true as const }),
    ...readHelper(full),
  }
}

function readHelper({ product_identification_helper: helper }: FullProductName): Pick<CsafProduct, 'cpe' | 'purl'> {
  const purl = helper?.purl ?? helper?.purls?.[0]
  return { ...(helper?.cpe && { cpe: helper.cpe }), ...(purl && { purl }) }
}

/** A whole version, as Cisco writes it for a service pack: `7.0(3)I4(1)` below `7.0(3)I4`. */
const WHOLE_VERSION = /^v?\d{1,9}[.(]/i

/** Joins `4.0` and `SP1`; a level that is a whole version replaces it. */
function joinLevels(version: string | undefined, levels: readonly (string | undefined)[]): string | undefined {
  return levels.reduce((joined, level) => {
    if (level === undefined) return joined
    return joined === undefined || WHOLE_VERSION.test(level) ? level : `${joined} ${level}`
  }, version)
}

/** Adds the combined products. A relationship may refer to another one that follows it. */
function combineProducts(
  relationships: readonly Relationship[],
  products: Map<string, CsafProduct>,
): string | undefined {
  const byId = new Map(relationships.map((each) => [each.full_product_name.product_id, each]))
  const resolveProduct = (id: string, depth: number): CsafProduct | undefined => {
    const relationship = byId.get(id)
    const known = products.get(id)
    if (relationship === undefined || known !== undefined) return known ?? { name: id, is_undefined: true }
    if (depth > MAX_RELATIONSHIP_DEPTH) return undefined
    const part = resolveProduct(relationship.product_reference, depth + 1)
    const whole = resolveProduct(relationship.relates_to_product_reference, depth + 1)
    if (part === undefined || whole === undefined) return undefined
    const combined = combine(relationship.full_product_name, part, whole)
    products.set(id, combined)
    return combined
  }
  for (const id of byId.keys())
    if (resolveProduct(id, 0) === undefined)
      return `the relationships of its products are circular or more than ${MAX_RELATIONSHIP_DEPTH} levels deep`
  return undefined
}

/** A package in a module in a product: the product is the innermost `within`, so that it is not lost. */
function combine(full: FullProductName, part: CsafProduct, whole: CsafProduct): CsafProduct {
  const { is_undefined: _, ...own } = part
  const product = own.product ?? own.name
  const within = part.within === undefined ? whole : { ...part.within, within: whole }
  return { ...own, product, ...readHelper(full), name: full.name.trim(), within }
}
