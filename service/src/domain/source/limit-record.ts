// Applies upstream-limits.ts to a record (decision E42).
import {
  findUpstreamLimits,
  MAX_MEMBER_NAME_LENGTH,
  MAX_MEMBERS,
  SHORTEST_LIST_LIMIT,
  SHORTEST_TEXT_LIMIT,
  TEXT_LIMITS,
  type TruncatedValue,
  type UpstreamLimits,
} from './upstream-limits.ts'

/** Marks the end of a text that was cut. */
export const TRUNCATION_MARK = '… [truncated]'

export interface LimitedRecord<T> {
  /** The original record if nothing was cut. */
  readonly record: T
  readonly truncated: readonly TruncatedValue[]
  /** Why the record is rejected: an id or version is too long, and a shortened one would be a different one. */
  readonly excess?: string
}

/** Copies only the parts that change. */
export function limitRecord<T>(record: T, limits: UpstreamLimits): LimitedRecord<T> {
  // Nearly every record is within all limits; this check allocates nothing.
  return mayExceed(record) ? cutRecord(record, limits) : { record, truncated: [] }
}

/** Takes stored JSON text; returns undefined if the feed would reject the record today. */
export function limitRecordText(
  text: string,
  source: string,
): { readonly text: string; readonly truncated: readonly TruncatedValue[] } | undefined {
  // A short record cannot exceed a limit, and parsing all records twice would be slow.
  if (text.length <= TEXT_LIMITS.text.max) return { text, truncated: [] }
  const { record, truncated, excess } = limitRecord<unknown>(JSON.parse(text), findUpstreamLimits(source))
  if (excess !== undefined) return undefined
  return { text: truncated.length === 0 ? text : JSON.stringify(record), truncated }
}

function mayExceed(value: unknown): boolean {
  if (typeof value === 'string') return value.length > SHORTEST_TEXT_LIMIT
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    if (value.length > SHORTEST_LIST_LIMIT) return true
    for (const each of value) if (mayExceed(each)) return true
    return false
  }
  let members = 0
  for (const name in value) {
    members += 1
    if (name.length > MAX_MEMBER_NAME_LENGTH || mayExceed((value as Record<string, unknown>)[name])) return true
  }
  return members > MAX_MEMBERS
}

interface Cut {
  readonly limits: UpstreamLimits
  /** The member names that lead to the current value. */
  readonly path: string[]
  readonly truncated: Set<TruncatedValue>
  excess: string | undefined
}

/** A value that is left out together with the list entry that contains it. */
const DROPPED = Symbol('dropped')

function cutRecord<T>(record: T, limits: UpstreamLimits): LimitedRecord<T> {
  const cut: Cut = { limits, path: [], truncated: new Set(), excess: undefined }
  const result = cutValue(record, cut)
  const isDropped = result === DROPPED
  const excess = cut.excess ?? (isDropped ? 'a link is too long' : undefined)
  return {
    record: isDropped ? record : (result as T),
    truncated: [...cut.truncated].sort(),
    ...(excess !== undefined && { excess }),
  }
}

function cutValue(value: unknown, cut: Cut): unknown {
  if (typeof value === 'string') return cutText(value, cut)
  if (Array.isArray(value)) return cutList(value, cut)
  return typeof value === 'object' && value !== null ? cutObject(value, cut) : value
}

function cutText(text: string, cut: Cut): unknown {
  const { max, excess } = cut.limits.findTextLimit(cut.path)
  if (text.length <= max) return text
  if (excess === 'reject') reject(cut, `${describe(cut)} has ${text.length} characters, at most ${max} are allowed`)
  else cut.truncated.add(cut.limits.findValue(cut.path))
  return excess === 'drop' ? DROPPED : truncateText(text, max)
}

/** Never cuts a surrogate pair in two. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - TRUNCATION_MARK.length
  const isInsidePair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  return text.slice(0, isInsidePair ? end - 1 : end) + TRUNCATION_MARK
}

function cutList(list: readonly unknown[], cut: Cut): unknown {
  const max = cut.limits.findMaxLength(cut.path)
  if (list.length > max) cut.truncated.add(cut.limits.findValue(cut.path))
  const kept = list.length > max ? list.slice(0, max) : list
  const entries = kept.map((each) => cutValue(each, cut)).filter((each) => each !== DROPPED)
  return entries.length === list.length && entries.every((each, index) => each === list[index]) ? list : entries
}

function cutObject(object: object, cut: Cut): unknown {
  const entries = Object.entries(object)
  if (entries.length > MAX_MEMBERS)
    reject(cut, `${describe(cut)} has ${entries.length} members, at most ${MAX_MEMBERS} are allowed`)
  let isChanged = false
  const members: [string, unknown][] = []
  for (const [name, value] of entries) {
    if (name.length > MAX_MEMBER_NAME_LENGTH) reject(cut, `a member of ${describe(cut)} has a too long name`)
    cut.path.push(name)
    const limited = cutValue(value, cut)
    cut.path.pop()
    if (limited === DROPPED) return DROPPED
    isChanged ||= limited !== value
    members.push([name, limited])
  }
  return isChanged ? Object.fromEntries(members) : object
}

function reject(cut: Cut, reason: string): void {
  cut.excess ??= reason
}

function describe({ path }: Cut): string {
  return path.length === 0 ? 'the record' : `/${path.map((name) => name.slice(0, MAX_MEMBER_NAME_LENGTH)).join('/')}`
}
