// Walks back from NVD's current record through its changes to an earlier time (ADR 0033). A change that cannot be undone,
// because NVD states no old value or because the record does not have its new value, makes the member unknown before it.
import { parseCvssVector } from '../cvss/cvss-vector.ts'
import { parseConfiguration, toConfigurationKey } from './configuration-text.ts'
import { NVD, type NvdState } from './nvd-state.ts'
import type { Detail, DetailType, StoredChange, Value } from './stored-change.ts'

export type NvdMember = keyof NvdState

export interface PastState {
  readonly state: NvdState
  readonly unknown: ReadonlySet<NvdMember>
}

/** `changes` are all changes that the record contains, oldest first. Returns undefined if NVD had no record then. */
export function walkBack(current: NvdState, changes: readonly StoredChange[], end: Date): PastState | undefined {
  const later = changes.filter(([, at]) => at >= end.getTime()).toReversed()
  if (later.length > 0 && later.length === changes.length && changes[0]?.[2] === RECEIVED) return undefined
  const unknown = new Set<NvdMember>()
  let state = current
  for (const change of later)
    for (const detail of change[4].toReversed()) {
      const rule = UNDO[detail[0]]
      const { member } = rule
      if (unknown.has(member)) continue
      const changed = rule.undo(state, detail, change[3])
      if (changed === undefined) unknown.add(member)
      else state = { ...state, ...changed }
    }
  const status = findStatus(current, changes, end)
  if (status === undefined) unknown.add('status')
  return { state: { ...state, status: status ?? current.status }, unknown }
}

const RECEIVED = 'New CVE Received'
/** The status after an event; undefined if the event does not tell it. */
const STATUS_AFTER: Readonly<Record<string, string | undefined>> = {
  'Initial Analysis': 'Analyzed',
  Reanalysis: 'Analyzed',
  'Modified Analysis': 'Analyzed',
  'CVE Rejected': 'Rejected',
  [RECEIVED]: undefined,
  'CVE Modified': undefined,
  'CVE Unrejected': undefined,
}

/**
 * NVD's history has no entry for changes of the status alone, such as to Deferred. Only analyses and rejections tell it,
 * and the last one only if the current status agrees.
 */
function findStatus({ status }: NvdState, changes: readonly StoredChange[], end: Date): string | undefined {
  const telling = changes.filter(([, , event]) => Object.hasOwn(STATUS_AFTER, event))
  const earlier = telling.filter(([, at]) => at < end.getTime())
  const event = earlier.at(-1)?.[2]
  const stated = event === undefined ? undefined : STATUS_AFTER[event]
  return earlier.length === telling.length && stated !== status ? undefined : stated
}

interface Undo {
  readonly member: NvdMember
  /** Returns undefined if the detail cannot be undone. `source` made the change. */
  undo(state: NvdState, detail: Detail, source: string): Partial<NvdState> | undefined
}

function undoInList<Name extends Exclude<NvdMember, 'status' | 'description'>>(
  member: Name,
  {
    parse,
    toKey,
  }: {
    readonly parse: (text: string, source: string, type: DetailType) => NvdState[Name][number] | undefined
    readonly toKey: (item: NvdState[Name][number]) => string
  },
): Undo {
  type Item = NvdState[Name][number]
  const read = (value: Value, source: string, type: DetailType) =>
    typeof value === 'string' ? parse(value, source, type) : undefined
  const without = (items: readonly Item[], item: Item): readonly Item[] | undefined => {
    const same = items.flatMap((each, index) => (toKey(each) === toKey(item) ? [index] : []))
    // The same value can be stated by several organisations.
    const own = same.find((index) => readSource(items[index]) === readSource(item)) ?? same[0]
    return own === undefined ? undefined : items.toSpliced(own, 1)
  }
  return {
    member,
    undo: (state, [type, action, old, current], source) => {
      let items: readonly Item[] | undefined = state[member]
      if (action !== 'R') {
        const added = read(current, source, type)
        items = added && without(items, added)
      }
      if (action !== 'A' && items !== undefined) {
        const removed = read(old, source, type)
        items = removed && [...items, removed]
      }
      return items && { [member]: items }
    },
  }
}

const readSource = (item: unknown) =>
  typeof item === 'object' && item !== null && 'source' in item ? item.source : undefined

const description: Undo = {
  member: 'description',
  undo: (_state, [, action, old]) => {
    if (action === 'A') return { description: null }
    return typeof old === 'string' ? { description: old } : undefined
  },
}

const VERSIONS: Partial<Record<DetailType, string>> = { C3: 'CVSS:3.0/', C31: 'CVSS:3.1/', C4: 'CVSS:4.0/' }

/** NVD's own values begin with NIST; others with a name, or with nothing. */
const findSource = (text: string, source: string) => (text.startsWith('NIST ') ? NVD : source)

const ratings = undoInList('ratings', {
  parse: (text, source, type) => {
    const start = text.search(/\bAV:/)
    if (start < 0) return undefined
    const vector = parseCvssVector(`${VERSIONS[type] ?? ''}${text.slice(start).replace(')', '').trim()}`)
    return vector && { source: findSource(text, source), vector }
  },
  // The history leaves out metrics that are not defined, so only the base metrics are compared.
  toKey: ({ vector }) => `${vector.version} ${vector.baseVector}`,
})

const weaknesses = undoInList('weaknesses', {
  parse: (text, source) => {
    const id = /(?:NVD-CWE-[A-Za-z]+|CWE-\d+)$/.exec(text.trim())?.[0]
    return id === undefined ? undefined : { source: findSource(text, source), id }
  },
  toKey: ({ id }) => id,
})

const references = undoInList('references', {
  parse: (text, source) => {
    const url = text.split(/\s/).find((word) => /^(?:https?|ftp):/i.test(word))
    return url === undefined ? undefined : { url, source }
  },
  toKey: ({ url }) => url,
})

const configurations = undoInList('configurations', { parse: parseConfiguration, toKey: toConfigurationKey })

const UNDO: Readonly<Record<DetailType, Undo>> = {
  D: description,
  C2: ratings,
  C3: ratings,
  C31: ratings,
  C4: ratings,
  W: weaknesses,
  R: references,
  P: configurations,
}
