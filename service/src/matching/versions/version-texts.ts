// The distinct version texts in a product's rows. Each is parsed and sorted once, so comparing a version with thousands
// of ranges takes only a few version comparisons and many fast number comparisons.
import type { ReadVersion } from '../../domain/version/scheme.ts'
import { SCHEMES, type SchemeName } from '../../domain/version/schemes.ts'

/**
 * -1: before, 0: equal, 1: after.
 */
export type Order = -1 | 0 | 1 | typeof UNORDERED
/** The scheme cannot read one of the two versions, or cannot order them. */
export const UNORDERED = 2
/** Marks an order that has not been computed yet. */
const UNKNOWN_YET = 3

export interface VersionTexts {
  readonly add: (text: string) => number
  readonly get: (index: number) => string
  /** Returns undefined if the scheme cannot order the two. */
  compare(scheme: SchemeName, a: number, b: number): number | undefined
  /** Returns the lowest rank after the text, or its own rank if it is included; undefined if it cannot be sorted. */
  findFirstRank(scheme: SchemeName, index: number, isIncluded: boolean): number | undefined
  /** Returns the highest rank before the text, or its own rank if it is included. */
  findLastRank(scheme: SchemeName, index: number, isIncluded: boolean): number | undefined
  /** No text may be added after this call. */
  probe(version: string): TextProbe
}

export interface TextProbe {
  readonly text: string
  order(scheme: SchemeName, index: number): Order
  canRead(scheme: SchemeName): boolean
  /**
   * Returns the version's rank, which is odd, or the even number between two ranks if no added text equals the version.
   * Returns -1 if the version cannot be sorted.
   */
  rank(scheme: SchemeName): number
}

interface SortedTexts {
  readonly read: readonly (ReadVersion | undefined)[]
  /** Odd numbers in version order, equal for equal versions; 0 for a text that cannot be sorted. */
  readonly ranks: Int32Array
  /** One version per rank, in order. */
  readonly distinct: readonly ReadVersion[]
}

/** Limit per product. All cached orders are dropped together when it is reached. */
const MAX_REMEMBERED_BYTES = 8 * 1024 * 1024
/** Memory used by a probe without its orders. */
const PROBE_BYTES = 512

export function createVersionTexts(): VersionTexts {
  const [texts, indexes]: [string[], Map<string, number>] = [[], new Map()]
  const sorted = new Map<SchemeName, SortedTexts>()
  const probes = new Map<string, TextProbe>()
  let remembered = 0
  const sort = (scheme: SchemeName) => {
    const found = sorted.get(scheme) ?? sortTexts(scheme, texts)
    sorted.set(scheme, found)
    return found
  }
  const allocate = (bytes: number) => {
    remembered += bytes
    if (remembered <= MAX_REMEMBERED_BYTES) return
    probes.clear()
    remembered = bytes
  }
  return {
    add: (text) => {
      const index = indexes.get(text) ?? texts.length
      if (index < texts.length) return index
      texts.push(text)
      indexes.set(text, index)
      return index
    },
    get: (index) => texts[index] ?? '',
    compare: (scheme, a, b) => {
      const { read, ranks } = sort(scheme)
      const [x, y] = [ranks[a] ?? 0, ranks[b] ?? 0]
      if (x !== 0 && y !== 0) return x - y
      const [left, right] = [read[a], read[b]]
      return left === undefined || right === undefined ? undefined : SCHEMES[scheme].order(left, right)
    },
    findFirstRank: (scheme, index, isIncluded) => {
      const rank = sort(scheme).ranks[index] ?? 0
      return rank === 0 ? undefined : rank + (isIncluded ? 0 : 1)
    },
    findLastRank: (scheme, index, isIncluded) => {
      const rank = sort(scheme).ranks[index] ?? 0
      return rank === 0 ? undefined : rank - (isIncluded ? 0 : 1)
    },
    probe: (version) => {
      const known = probes.get(version)
      if (known !== undefined) return known
      allocate(PROBE_BYTES)
      const created = createProbe(version, sort, allocate)
      probes.set(version, created)
      return created
    },
  }
}

function sortTexts(scheme: SchemeName, texts: readonly string[]): SortedTexts {
  const { read, order, isSortable } = SCHEMES[scheme]
  const versions = texts.map((text) => read(text))
  const sortable = versions.flatMap((version, index) =>
    version !== undefined && isSortable(version) ? [{ version, index }] : [],
  )
  sortable.sort((a, b) => order(a.version, b.version) ?? 0)
  const ranks = new Int32Array(texts.length)
  const distinct: ReadVersion[] = []
  for (const { version, index } of sortable) {
    const last = distinct.at(-1)
    if (last === undefined || order(last, version) !== 0) distinct.push(version)
    ranks[index] = 2 * distinct.length - 1
  }
  return { read: versions, ranks, distinct }
}

interface ProbeState {
  readonly sorted: SortedTexts
  readonly version: ReadVersion | undefined
  /** The same as in TextProbe. */
  readonly rank: number
  orders: Int8Array | undefined
}

function createProbe(
  text: string,
  sort: (scheme: SchemeName) => SortedTexts,
  allocate: (bytes: number) => void,
): TextProbe {
  const states = new Map<SchemeName, ProbeState>()
  let [latestScheme, latest]: [SchemeName | undefined, ProbeState | undefined] = [undefined, undefined]
  const getState = (scheme: SchemeName): ProbeState => {
    if (latest !== undefined && latestScheme === scheme) return latest
    const state = states.get(scheme) ?? readProbe(scheme, text, sort(scheme))
    states.set(scheme, state)
    ;[latestScheme, latest] = [scheme, state]
    return state
  }
  return {
    text,
    canRead: (scheme) => getState(scheme).version !== undefined,
    rank: (scheme) => getState(scheme).rank,
    order: (scheme, index) => {
      const state = getState(scheme)
      const { sorted, version, rank } = state
      if (version === undefined) return UNORDERED
      const other = sorted.ranks[index] ?? 0
      if (rank !== -1 && other !== 0) return toOrder(rank - other)
      if (state.orders === undefined) {
        allocate(sorted.ranks.length)
        state.orders = new Int8Array(sorted.ranks.length).fill(UNKNOWN_YET)
      }
      const found = state.orders[index]
      if (found !== UNKNOWN_YET && found !== undefined) return found as Order
      const order = compareRead(scheme, version, sorted.read[index])
      state.orders[index] = order
      return order
    },
  }
}

function readProbe(scheme: SchemeName, text: string, sorted: SortedTexts): ProbeState {
  const version = SCHEMES[scheme].read(text)
  const rank = version === undefined || !SCHEMES[scheme].isSortable(version) ? -1 : findRank(scheme, version, sorted)
  return { sorted, version, rank, orders: undefined }
}

function findRank(scheme: SchemeName, version: ReadVersion, { distinct }: SortedTexts): number {
  let [start, end] = [0, distinct.length]
  while (start < end) {
    const middle = (start + end) >> 1
    const other = distinct[middle]
    const order = other === undefined ? 0 : (SCHEMES[scheme].order(version, other) ?? 0)
    if (order === 0) return 2 * middle + 1
    if (order > 0) start = middle + 1
    else end = middle
  }
  return 2 * start
}

function compareRead(scheme: SchemeName, version: ReadVersion, other: ReadVersion | undefined): Order {
  const order = other === undefined ? undefined : SCHEMES[scheme].order(version, other)
  return order === undefined ? UNORDERED : toOrder(order)
}

function toOrder(difference: number): Order {
  if (difference === 0) return 0
  return difference < 0 ? -1 : 1
}
