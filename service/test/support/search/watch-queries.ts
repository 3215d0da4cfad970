// Draws queries of watches whose values come from the data, so that most searches find some CVEs and not all.
import type { Parameter } from '../../../src/contract/request/parameters.ts'
import { toCveId } from '../../../src/domain/cve-id.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'
import { createFilterReader } from '../../../src/search/views/view-query.ts'
import type { Facts } from '../../../src/search/watch/facts.ts'
import { REFUSED_FILTERS } from '../../../src/search/watch/refused-filters.ts'
import { createDice, type Dice } from '../generator/dice.ts'

/** A CVE from which values are drawn. */
export interface Example {
  readonly facts: Facts
  readonly description: string
}

export const WATCH_DAY = new Date('2026-08-22T10:00:00Z')

/** The filters that a watch takes. */
export const WATCH_FILTERS: readonly FilterName[] = FILTER_ENTRIES.filter(
  ([name, { lists }]) => lists.includes('search') && !(name in REFUSED_FILTERS),
).map(([name]) => name)

/** Filters that read the same table. */
const FILTERS_OF_ONE_TABLE: readonly (readonly FilterName[])[] = [
  ['product_vendor', 'product'],
  ['kev_added_after', 'kev_added_before'],
  ['epss_min', 'epss_max'],
  ['epss_min', 'has_epss'],
]

interface Draw {
  readonly dice: Dice
  readonly pick: () => Example
}

type DrawValue = (draw: Draw) => string | undefined

const toText = (value: number | string | null | undefined) =>
  value === null || value === undefined ? undefined : String(value)
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

function pickFrom<T>({ dice }: Draw, choices: readonly T[]): T | undefined {
  return choices[dice.below(Math.max(1, choices.length))]
}

/** One to three values, each of another CVE. */
const some =
  (read: (facts: Facts, draw: Draw) => string | undefined): DrawValue =>
  (draw) => {
    const values = Array.from({ length: 1 + draw.dice.below(3) }, () => read(draw.pick().facts, draw)).filter(
      (each) => each,
    )
    return values.length === 0 ? undefined : values.join(',')
  }

/** A day, a time, or a day relative to the day of the search. */
const moment =
  (read: (facts: Facts) => number | null | undefined): DrawValue =>
  (draw) => {
    const time = read(draw.pick().facts)
    if (time === null || time === undefined) return undefined
    const kind = draw.dice.below(3)
    const days = Math.round((WATCH_DAY.getTime() - time) / 86_400_000)
    if (kind === 0 && days >= 1 && days <= 9999) return `today-${days}d`
    return kind === 1 ? new Date(time).toISOString() : toDay(time)
  }

const day =
  (read: (facts: Facts) => string | null): DrawValue =>
  (draw) =>
    toText(read(draw.pick().facts))

const number =
  (read: (facts: Facts) => number | null): DrawValue =>
  (draw) =>
    toText(read(draw.pick().facts))

const product = some(({ products }, draw) => pickFrom(draw, products)?.product)
const vendor = some(({ products }, draw) => pickFrom(draw, products)?.vendor)

/** Words of a description: one, two, two that are adjacent, an alternative, or one that is excluded. */
const words: DrawValue = (draw) => {
  const { dice } = draw
  const all = draw
    .pick()
    .description.split(/[^\p{L}\p{N}_.-]+/u)
    .filter((word) => word !== '')
  const at = dice.below(Math.max(1, all.length - 1))
  const [first, second = 'kernel', third = 'remote'] = [all[at], all[at + 1], pickFrom(draw, all)]
  if (first === undefined) return undefined
  return [
    first,
    first.slice(0, 4),
    `${first} ${third}`,
    `"${first} ${second}"`,
    `${first} OR ${third}`,
    `${first} -${second}`,
  ][dice.below(6)]?.slice(0, 200)
}

/** Values of filters whose parameter does not list them. */
const FROM_DATA: Readonly<Partial<Record<FilterName, DrawValue>>> = {
  q: words,
  ids: some(({ key }) => toCveId(key)),
  severity_min: number(({ values }) => values.score),
  severity_max: number(({ values }) => values.score),
  cvss_min: number(({ values }) => values.score),
  epss_min: number(({ values }) => values.epss),
  epss_max: number(({ values }) => values.epss),
  cpe_count_min: number(({ values }) => Math.max(1, values.cpe_count)),
  evidence_min: number(({ values }) => Math.max(1, values.evidence_count)),
  published_after: moment(({ values }) => values.published),
  published_before: moment(({ values }) => values.published),
  kev_added_after: day(({ values }) => values.kev_added),
  kev_added_before: day(({ values }) => values.kev_added),
  became_urgent_after: moment(({ urgentChanges }) => urgentChanges.at(-1)?.at),
  cwe: some(({ values }, draw) => pickFrom(draw, values.cwes)),
  technique: some(({ values }, draw) => pickFrom(draw, values.techniques)),
  assigner: some(({ values }) => toText(values.assigner)),
  vendor: (draw) => pickFrom(draw, draw.pick().facts.values.sources),
  product,
  product_vendor: vendor,
}

interface ValueSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: ValueSchema
}

function drawListed(name: FilterName, { schema }: Parameter<unknown>, { dice }: Draw): string {
  const { type, enum: texts, items }: ValueSchema = schema
  if (type === 'boolean') return dice.below(2) === 0 ? 'true' : 'false'
  const choices = items?.enum ?? texts
  if (!choices)
    throw new Error(`No values of ${name} can be drawn from its type: add them to FROM_DATA in watch-queries.ts.`)
  const chosen = items?.enum ? choices.filter(() => dice.below(3) === 0) : []
  return chosen.length > 0 ? chosen.join(',') : (choices[dice.below(choices.length)] ?? '')
}

export interface WatchQueries {
  /** Returns a query with the given filters, or undefined if the drawn CVEs have no such values. */
  draw(names: readonly FilterName[]): string | undefined
  readonly dice: Dice
}

export function createWatchQueries(examples: readonly Example[], seed: number): WatchQueries {
  const dice = createDice(48, seed)
  const isValid = createFilterReader(WATCH_DAY)
  const parameters = new Map(FILTER_ENTRIES.map(([name, { parameter }]) => [name, parameter]))
  const drawFrom = (names: readonly FilterName[], draw: Draw) => {
    const values = names.map((name) => {
      const parameter = parameters.get(name)
      return FROM_DATA[name]?.(draw) ?? (parameter && !FROM_DATA[name] ? drawListed(name, parameter, draw) : undefined)
    })
    if (values.some((value) => value === undefined)) return undefined
    const query = names.map((name, index) => `${name}=${encodeURIComponent(values[index] ?? '')}`).join('&')
    return 'value' in isValid(query) ? query : undefined
  }
  return {
    dice,
    draw: (names) => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const same = examples[dice.below(examples.length)]
        // Half of the queries take all values from the same CVE, which is then often a hit.
        const isSame = names.length > 1 && dice.below(2) === 0
        const pick = () => {
          const example = isSame ? same : examples[dice.below(examples.length)]
          if (!example) throw new Error('There are no CVEs to draw values from.')
          return example
        }
        const query = drawFrom(names, { dice, pick })
        if (query !== undefined) return query
      }
      return undefined
    },
  }
}

/** Different queries of one filter each: at most `count` per filter. */
export function drawSingles(queries: WatchQueries, count: number): readonly string[] {
  return WATCH_FILTERS.flatMap((name) => [
    ...new Set(Array.from({ length: count }, () => queries.draw([name])).filter((query) => query !== undefined)),
  ])
}

/** Different queries of two to five filters; the first `ofOneTable` have several filters of one table. */
export function drawCombined(queries: WatchQueries, count: number, ofOneTable: number): readonly string[] {
  const { dice } = queries
  const drawn = new Set<string>()
  while (drawn.size < count) {
    const first = drawn.size < ofOneTable ? (FILTERS_OF_ONE_TABLE[dice.below(FILTERS_OF_ONE_TABLE.length)] ?? []) : []
    const names = new Set(first)
    const length = Math.max(names.size, 2 + dice.below(4))
    while (names.size < length) {
      const name = WATCH_FILTERS[dice.below(WATCH_FILTERS.length)]
      if (name) names.add(name)
    }
    const query = queries.draw([...names])
    if (query !== undefined) drawn.add(query)
  }
  return [...drawn]
}
