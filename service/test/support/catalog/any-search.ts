// Generator of random searches (a fast-check "arbitrary") that the endpoint /cves accepts.
import fc from 'fast-check'
import type { Parameter } from '../../../src/contract/request/parameters.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'
import { SORTS } from '../../../src/search/sort.ts'
import type { Query } from './naive-search.ts'

const day = (from: string) =>
  fc
    .integer({ min: 0, max: 400 })
    .map((days) => new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10))
const some = (...choices: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 3 }).map((list) => list.join(','))

type ValuesOfParameters = Readonly<Partial<Record<FilterName, fc.Arbitrary<string>>>>

/** Values of parameters whose type does not reveal which values occur in the generated catalog. */
const VALUES: ValuesOfParameters = {
  q: fc.constantFrom(
    'overflow',
    'kernels',
    '"kernel and code"',
    'mod_ssl',
    'zebra',
    'remote scr',
    '2003',
    'in',
    '.',
    'lo',
    '"in in in in"',
    '"and and"',
    '"and in" "in the"',
    '"code in"',
    '"kernel and" script in',
    'and in cve 2003 remote kernel code script overflow',
    'cve and in',
    'ker',
    '"kernels"',
  ),
  published_after: day('2020-01-01'),
  published_before: day('2020-01-01'),
  modified_after: day('2022-01-01'),
  modified_before: day('2022-01-01'),
  kev_added_after: day('2024-01-01'),
  kev_added_before: day('2024-01-01'),
  became_urgent_after: day('2026-01-01'),
  // Further sources require an enterprise plan.
  vendor: fc.constantFrom('nvd', 'cve'),
  cwe: some('CWE-79', 'CWE-89', 'CWE-352', 'CWE-1'),
  technique: some('T1059', 'T1059.001', 'T1059.003', 'T1190', 'T1003'),
  product: some('product_0', 'product_1', 'product_4', 'product_9'),
  product_vendor: some('vendor_0', 'vendor_3', 'vendor_7', 'vendor_9'),
  assigner: some('maker', 'redhat', 'nobody'),
}

/** Filters that select single CVEs. */
const NOT_DRAWN: readonly FilterName[] = ['ids', 'cpe', 'purl']

interface ValueSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: ValueSchema
  readonly minimum?: number
  readonly maximum?: number
}

/** Draws a value that the parameter's schema allows. */
function drawValue(name: FilterName, { schema, example }: Parameter<unknown>): fc.Arbitrary<string> {
  const { type, enum: words, items, minimum = 0, maximum = 0 }: ValueSchema = schema
  if (items?.enum) return some(...items.enum)
  if (words) return fc.constantFrom(...words)
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  if (type === 'integer') return fc.integer({ min: minimum, max: 3 * Number(example) }).map(String)
  if (type === 'number')
    return fc.integer({ min: 0, max: 100 }).map((percent) => String(minimum + ((maximum - minimum) * percent) / 100))
  throw new Error(`No values of ${name} can be drawn from its type: add them to VALUES in any-search.ts.`)
}

const DRAWN = FILTER_ENTRIES.filter(([name, { lists }]) => lists.includes('search') && !NOT_DRAWN.includes(name))

const drawQuery = (values: ValuesOfParameters) =>
  fc.record(
    {
      ...Object.fromEntries(
        DRAWN.map(([name, { parameter }]) => [name, values[name] ?? VALUES[name] ?? drawValue(name, parameter)]),
      ),
      sort: fc.constantFrom(...SORTS),
    },
    { requiredKeys: ['sort'] },
  )

/**
 * Generates at most three filters per search: with more, nearly every search would find no CVE. `values` are those of a
 * catalog other than the generated one.
 */
export const createAnySearch = (values: ValuesOfParameters): fc.Arbitrary<Query> =>
  fc
    .tuple(drawQuery(values), fc.array(fc.nat({ max: 1000 }), { minLength: 0, maxLength: 3 }))
    .map(([all, chosen]): Query => {
      const names = Object.keys(all).filter((name) => name !== 'sort')
      const kept = chosen.map((at) => names[at % names.length] ?? '')
      return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'sort' || kept.includes(name)))
    })
    .filter(hasOrderedBounds)

const RANGES = FILTER_ENTRIES.flatMap(([low, { upperEnd }]) => (upperEnd ? [[low, upperEnd.filter] as const] : []))

function hasOrderedBounds(query: Query): boolean {
  return RANGES.every(([low, high]) => {
    const [a, b] = [query[low], query[high]]
    return a === undefined || b === undefined || (low.endsWith('_min') ? Number(a) <= Number(b) : a <= b)
  })
}

export const anySearch = createAnySearch({})
