// A search of /cves that is judged in memory, from the facts of one CVE (ADR 0035). The conditions are those of the
// filters themselves. As in SQL, one product of the CVE must meet all filters that read catalog.product.
import type { Equality, IsKnownName, NameColumn } from '../column-values.ts'
import type { Filter } from '../filter.ts'
import { normaliseFilters } from '../filters/build-filters.ts'
import { FILTER_ENTRIES, type FilterName, type FilterValues } from '../filters/table.ts'
import type { FactName } from './differences.ts'
import type { Facts, VulnerableProduct } from './facts.ts'

/** What only the database knows, asked once for many CVEs and queries (lookups.ts). */
export interface Lookups {
  readonly isKnown: IsKnownName
  /** The searches for words that the words of a CVE meet. */
  readonly listSearches: (words: string) => ReadonlySet<string>
}

export interface CompiledQuery {
  /** Equal for queries with the same meaning. */
  readonly key: string
  readonly conditions: readonly Condition[]
  /** The conditions on names, one product must meet all of them. */
  readonly nameConditions: readonly NameCondition[]
}

interface Used {
  readonly name: FilterName
  readonly reads: FactName
  /** Whether at most a few thousand CVEs meet the condition. */
  readonly findsFew: boolean
  /** Equal for values of the filter with the same meaning. */
  readonly key: string
  readonly equality: Equality | undefined
}

export interface Condition extends Used {
  /** The search for words, if the filter is one. */
  readonly words: string | undefined
  readonly holds: (facts: Facts, lookups: Lookups) => boolean
}

export interface NameCondition extends Used {
  readonly column: NameColumn
  /** Names about which the condition asks whether the index of names has them. */
  readonly asked: readonly string[]
  readonly getTest: (isKnown: IsKnownName) => NameTest
}

type NameTest = (stored: string) => boolean

/** Throws for a filter that no watch takes (refused-filters.ts). */
export function compileQuery(values: FilterValues): CompiledQuery {
  const used = FILTER_ENTRIES.filter(([name]) => values[name] !== undefined)
  const compiled = used.map(([name, filter]) => compileFilter(name, filter, values[name]))
  return {
    key: JSON.stringify(normaliseFilters(values)),
    conditions: compiled.filter((each) => 'holds' in each),
    nameConditions: compiled.filter((each) => 'getTest' in each),
  }
}

function compileFilter(name: FilterName, filter: Filter<unknown>, value: unknown): Condition | NameCondition {
  if (!filter.factTest) throw new Error(`A watch cannot judge the filter ${name}.`)
  const test = filter.factTest(value)
  const key = `${name}=${JSON.stringify(filter.normalise(value))}`
  const used = { name, findsFew: filter.findsFew(value), key, equality: filter.equality?.(value) }
  if ('createNameTest' in test) {
    const { column, createNameTest } = test
    const asked = listAsked(createNameTest)
    return { ...used, reads: 'names', column, asked, getTest: keepTest(createNameTest, asked) }
  }
  const condition = { ...used, words: undefined }
  if ('words' in test) {
    const { words } = test
    return {
      ...condition,
      reads: 'words',
      words,
      holds: (facts, { listSearches }) => listSearches(facts.words).has(words),
    }
  }
  if ('acceptsKey' in test) return { ...condition, reads: 'key', holds: ({ key: stored }) => test.acceptsKey(stored) }
  if ('acceptsUrgentTimes' in test)
    return {
      ...condition,
      reads: 'urgentChanges',
      holds: ({ urgentChanges }) => test.acceptsUrgentTimes(urgentChanges.map(({ at }) => at)),
    }
  const { column, accepts } = test
  if (column === 'percentile' || column === 'year') throw new Error(`A watch cannot judge the filter ${name}.`)
  return { ...condition, reads: column, holds: ({ values }) => accepts(values[column] as never) }
}

/** Keeps the test of the last batch; a test that asks nothing is the same in every batch. */
function keepTest(create: NameCondition['getTest'], asked: readonly string[]): NameCondition['getTest'] {
  if (asked.length === 0) {
    const test = create(() => false)
    return () => test
  }
  let kept: { readonly isKnown: IsKnownName; readonly test: NameTest } | undefined
  return (isKnown) => {
    if (kept?.isKnown !== isKnown) kept = { isKnown, test: create(isKnown) }
    return kept.test
  }
}

function listAsked(createNameTest: NameCondition['getTest']): readonly string[] {
  const asked: string[] = []
  createNameTest((_, name) => {
    asked.push(name)
    return false
  })
  return asked
}

export function isHit({ conditions, nameConditions }: CompiledQuery, facts: Facts, lookups: Lookups): boolean {
  return (
    conditions.every(({ holds }) => holds(facts, lookups)) &&
    (nameConditions.length === 0 || hasNamedProduct(nameConditions, facts, lookups))
  )
}

/** Whether one product meets all conditions. */
export function hasNamedProduct(
  conditions: readonly NameCondition[],
  { products }: Facts,
  { isKnown }: Lookups,
): boolean {
  const [first] = conditions
  if (first && conditions.length === 1) {
    const accepts = first.getTest(isKnown)
    return products.some((names) => accepts(names[first.column]))
  }
  const tests = conditions.map(({ column, getTest }) => ({ column, accepts: getTest(isKnown) }))
  return products.some((names) => tests.every(({ column, accepts }) => accepts(names[column])))
}

/**
 * Returns the filters that say no: none if the CVE is a hit. If each filter on names accepts one of the products, but no
 * product is accepted by all, they all say no.
 */
export function listFailed(query: CompiledQuery, facts: Facts, lookups: Lookups): readonly FilterName[] {
  const failed = new Set([
    ...query.conditions.filter(({ holds }) => !holds(facts, lookups)).map(({ name }) => name),
    ...listFailedNames(query.nameConditions, facts.products, lookups),
  ])
  return FILTER_ENTRIES.map(([name]) => name).filter((name) => failed.has(name))
}

function listFailedNames(
  conditions: readonly NameCondition[],
  products: readonly VulnerableProduct[],
  { isKnown }: Lookups,
): readonly FilterName[] {
  const tests = conditions.map(({ name, column, getTest }) => {
    const accepts = getTest(isKnown)
    return { name, accepts: (product: VulnerableProduct) => accepts(product[column]) }
  })
  if (products.some((product) => tests.every(({ accepts }) => accepts(product)))) return []
  const alone = tests.filter(({ accepts }) => !products.some(accepts))
  return (alone.length > 0 ? alone : tests).map(({ name }) => name)
}
