// Finds the queries that a CVE meets before or after a change, among very many. Equal queries are judged once. A query is
// only judged for a CVE that has the rarest of the texts that every hit has, such as the product's name; the others share
// the judgement of their rarest condition. A condition that many queries have is judged once for each CVE.
import type { Equality } from '../column-values.ts'
import { ALL_DIFFERENCES, type Differences, findDifferences, PRESENCE, toDifference } from './differences.ts'
import type { Facts } from './facts.ts'
import { type Asked, listAsked } from './lookups.ts'
import { type Condition, hasNamedProduct, isHit, type Lookups, type NameCondition } from './query.ts'
import type { StoredQuery } from './stored-query.ts'

/** Items whose query is met before the change, after it, or both. */
export interface Match<T> {
  readonly items: ReadonlySet<T>
  readonly isBefore: boolean
  readonly isAfter: boolean
}

/** A CVE around a change; undefined while it is not in the catalog. */
export interface Change {
  readonly before: Facts | undefined
  readonly after: Facts | undefined
  /** When it was recorded. */
  readonly time: Date
}

interface Group<T> {
  readonly query: StoredQuery
  readonly items: Set<T>
  readonly place: Place
  readonly reads: Differences
  /** The conditions that are not yet true because of the place. */
  readonly shared: readonly Shared<T>[]
  readonly names: readonly NameCondition[]
  /** Whether days of the query are relative. */
  readonly isMoving: boolean
  /** Numbers of the last changes for which the place is true before and after. */
  placedBefore: number
  placedAfter: number
}

type Kind = Equality['of'] | 'words'

type Place =
  | { readonly kind: Kind; readonly texts: readonly string[] }
  | { readonly condition: Condition }
  | 'everywhere'

interface Shared<T> {
  readonly condition: Condition
  /** Number of groups that have the condition. */
  users: number
  /** Groups whose place the condition is. */
  readonly groups: Set<Group<T>>
  /** Number of the change for which the condition was judged last. */
  judgedFor: number
  isBefore: boolean
  isAfter: boolean
}

/** Texts of which a hit has at least one, the rarest kind first. */
const READ_TEXTS: Readonly<Record<Kind, (facts: Facts, lookups: Lookups) => Iterable<string>>> = {
  key: ({ key }) => [key],
  product: ({ products }) => new Set(products.map(({ product }) => product)),
  vendor: ({ products }) => new Set(products.map(({ vendor }) => vendor)),
  cwes: ({ values }) => values.cwes,
  techniques: ({ values }) => values.techniques,
  assigner: ({ values: { assigner } }) => (assigner === null ? [] : [assigner.toLowerCase()]),
  words: ({ words }, { listSearches }) => listSearches(words),
}

// The cast is safe: Object.keys returns the keys of the table.
const KINDS = Object.keys(READ_TEXTS) as readonly Kind[]

/** What is asked, and where a query is looked up, is the same on all days. */
const ANY_DAY = new Date(0)
const ANOTHER_DAY = new Date(86_400_000)

export class QueryIndex<T> {
  readonly #groups = new Map<string, Group<T>>()
  readonly #byText = new Map<Kind, Map<string, Set<Group<T>>>>(KINDS.map((kind) => [kind, new Map()]))
  readonly #shared = new Map<string, Shared<T>>()
  readonly #everywhere = new Set<Group<T>>()
  /** Number of the change that is judged. */
  #number = 0

  /** Number of queries with different meanings. */
  get size(): number {
    return this.#groups.size
  }

  add(query: StoredQuery, item: T): void {
    const known = this.#groups.get(query.key)
    if (known) {
      known.items.add(item)
      return
    }
    const group = this.#createGroup(query)
    group.items.add(item)
    this.#groups.set(query.key, group)
    for (const groups of this.#listGroupsAt(group.place)) groups.add(group)
  }

  remove({ key }: StoredQuery, item: T): void {
    const group = this.#groups.get(key)
    if (!group?.items.delete(item) || group.items.size > 0) return
    this.#groups.delete(key)
    for (const groups of this.#listGroupsAt(group.place)) groups.delete(group)
    this.#dropUnused(group)
  }

  /** What the queries ask the database; with `differences`, only those that read one of these facts. */
  listAsked(differences: Differences = ALL_DIFFERENCES): Asked {
    const reading = this.#groups.values().filter(({ reads }) => (reads & differences) !== 0)
    return listAsked(reading.map(({ query }) => query.on(ANY_DAY)))
  }

  /**
   * Finds the queries that are met before or after a change. With `onlyDiffering`, only those that read a fact that
   * differs: no other is met on one side alone. The order depends only on the order in which queries were added and
   * removed.
   */
  match(change: Change, lookups: Lookups, { onlyDiffering = false } = {}): readonly Match<T>[] {
    this.#number += 1
    const differences = findDifferences(change.before, change.after)
    const matches: Match<T>[] = []
    for (const group of this.#listPlaced(change, lookups, onlyDiffering ? differences : undefined)) {
      const isAfter = this.#isMetAfter(group, change, lookups)
      const isSame = change.after !== undefined && (group.reads & differences) === 0
      const isBefore = isSame ? isAfter : this.#isMetBefore(group, change, lookups)
      if (isBefore || isAfter) matches.push({ items: group.items, isBefore, isAfter })
    }
    return matches
  }

  /** Lists the groups whose place is true before or after the change. */
  #listPlaced({ before, after }: Change, lookups: Lookups, differences: Differences | undefined): readonly Group<T>[] {
    const placed: Group<T>[] = []
    const place = (groups: Iterable<Group<T>>, isBefore: boolean, isAfter: boolean) => {
      for (const group of groups) {
        if (differences !== undefined && (group.reads & differences) === 0) continue
        if (group.placedBefore !== this.#number && group.placedAfter !== this.#number) placed.push(group)
        if (isBefore) group.placedBefore = this.#number
        if (isAfter) group.placedAfter = this.#number
      }
    }
    for (const [kind, byText] of this.#byText) {
      if (byText.size === 0) continue
      const list = (facts: Facts | undefined) => (facts ? READ_TEXTS[kind](facts, lookups) : [])
      for (const text of list(before)) place(byText.get(text) ?? [], true, false)
      for (const text of list(after)) place(byText.get(text) ?? [], false, true)
    }
    for (const shared of this.#shared.values()) {
      if (shared.groups.size === 0) continue
      this.#judge(shared, { before, after }, lookups)
      if (shared.isBefore || shared.isAfter) place(shared.groups, shared.isBefore, shared.isAfter)
    }
    place(this.#everywhere, before !== undefined, after !== undefined)
    return placed
  }

  #isMetBefore(group: Group<T>, change: Change, lookups: Lookups): boolean {
    const { before } = change
    if (!before || group.placedBefore !== this.#number) return false
    if (group.isMoving) return isHit(group.query.on(change.time), before, lookups)
    for (const shared of group.shared) {
      this.#judge(shared, change, lookups)
      if (!shared.isBefore) return false
    }
    return group.names.length === 0 || hasNamedProduct(group.names, before, lookups)
  }

  #isMetAfter(group: Group<T>, change: Change, lookups: Lookups): boolean {
    const { after } = change
    if (!after || group.placedAfter !== this.#number) return false
    if (group.isMoving) return isHit(group.query.on(change.time), after, lookups)
    for (const shared of group.shared) {
      this.#judge(shared, change, lookups)
      if (!shared.isAfter) return false
    }
    return group.names.length === 0 || hasNamedProduct(group.names, after, lookups)
  }

  #judge(shared: Shared<T>, { before, after }: Pick<Change, 'before' | 'after'>, lookups: Lookups): void {
    if (shared.judgedFor === this.#number) return
    shared.judgedFor = this.#number
    shared.isBefore = before !== undefined && shared.condition.holds(before, lookups)
    shared.isAfter = after !== undefined && shared.condition.holds(after, lookups)
  }

  #createGroup(query: StoredQuery): Group<T> {
    const { conditions, nameConditions } = query.on(ANY_DAY)
    const steady = listSteadyConditions(query)
    const place = choosePlace(steady, nameConditions)
    const isMoving = steady.length < conditions.length
    return {
      query,
      items: new Set(),
      place,
      reads: [...conditions, ...nameConditions].reduce((sum, { reads }) => sum | toDifference(reads), PRESENCE),
      shared: isMoving ? [] : conditions.filter((each) => !isProven(each, place)).map((each) => this.#share(each)),
      names: nameConditions.length === 1 && nameConditions.every((each) => isProven(each, place)) ? [] : nameConditions,
      isMoving,
      placedBefore: 0,
      placedAfter: 0,
    }
  }

  #share(condition: Condition): Shared<T> {
    const shared = this.#getShared(condition)
    shared.users += 1
    return shared
  }

  #getShared(condition: Condition): Shared<T> {
    return getOrAdd(this.#shared, condition.key, () => ({
      condition,
      users: 0,
      groups: new Set(),
      judgedFor: 0,
      isBefore: false,
      isAfter: false,
    }))
  }

  #listGroupsAt(place: Place): readonly Set<Group<T>>[] {
    if (place === 'everywhere') return [this.#everywhere]
    if ('condition' in place) return [this.#getShared(place.condition).groups]
    const byText = this.#byText.get(place.kind) ?? new Map()
    return place.texts.map((text) => getOrAdd(byText, text, () => new Set<Group<T>>()))
  }

  #dropUnused({ place, shared }: Group<T>): void {
    for (const each of shared) each.users -= 1
    const conditions = shared.map(({ condition }) => condition)
    for (const { key } of place !== 'everywhere' && 'condition' in place
      ? [...conditions, place.condition]
      : conditions) {
      const known = this.#shared.get(key)
      if (known?.users === 0 && known.groups.size === 0) this.#shared.delete(key)
    }
    if (place === 'everywhere' || !('kind' in place)) return
    const byText = this.#byText.get(place.kind)
    for (const text of place.texts) if (byText?.get(text)?.size === 0) byText.delete(text)
  }
}

/** The conditions that do not move with the day. */
function listSteadyConditions(query: StoredQuery): readonly Condition[] {
  const other = new Set(query.on(ANOTHER_DAY).conditions.map(({ key }) => key))
  return query.on(ANY_DAY).conditions.filter(({ key }) => other.has(key))
}

function choosePlace(conditions: readonly Condition[], names: readonly NameCondition[]): Place {
  const texts = [...conditions, ...names].flatMap(
    ({ equality, ...condition }): { kind: Kind; texts: readonly string[] }[] => {
      if (equality) return [{ kind: equality.of, texts: equality.texts }]
      return 'words' in condition && condition.words !== undefined ? [{ kind: 'words', texts: [condition.words] }] : []
    },
  )
  const [rarest] = KINDS.flatMap((kind) => texts.filter((each) => each.kind === kind))
  if (rarest) return rarest
  const condition =
    conditions.find(({ findsFew }) => findsFew) ?? conditions.find(({ name }) => name === 'priority') ?? conditions[0]
  return condition ? { condition } : 'everywhere'
}

/** Whether every CVE at the place meets the condition. Which name with commas is looked up depends on the index of names. */
function isProven(condition: Condition | NameCondition, place: Place): boolean {
  if (place === 'everywhere') return false
  if ('condition' in place) return place.condition.key === condition.key
  if ('asked' in condition) return condition.equality?.of === place.kind && condition.asked.length === 0
  return condition.equality?.of === place.kind || (place.kind === 'words' && condition.words !== undefined)
}

function getOrAdd<V>(map: Map<string, V>, key: string, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
