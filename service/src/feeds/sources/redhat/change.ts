// A line of `changes.csv` or `deletions.csv`: `"2024/cve-2024-1234.json","2026-08-22T09:30:00+00:00"`.
import { readFile } from 'node:fs/promises'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { complaintAboutRejections } from '../../guard.ts'
import { printable } from '../../sanitize-text.ts'

export interface Change {
  /** When and what, in this order: as text they sort by time. */
  readonly key: string
  readonly path: string
  readonly cveId: CveId
  readonly at: Date
  /** It is no more. */
  readonly isDeletion: boolean
}

const LINE = /^"?([^",]*)"?,"?([^",]*)"?$/
/** Nothing else is ever asked for: neither what is above the folder nor what is on another host. */
const PATH = /^\d{4}\/(cve-\d{4}-\d{4,14})\.json$/
const DELETED = ' deleted'

export interface ChangeList {
  readonly changes: readonly Change[]
  /** Lines that are none, such as one that leads elsewhere. */
  readonly strangers: readonly string[]
}

export async function readChanges(path: string, name: string, isDeletion: boolean): Promise<ChangeList> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '')
  const changes: Change[] = []
  const strangers: string[] = []
  for (const line of lines) {
    const [, file = '', date = ''] = LINE.exec(line) ?? []
    const change = changeOf(file, parseDateTime(date), isDeletion)
    if (change) changes.push(change)
    else strangers.push(line)
  }
  const complaint = complaintAboutRejections(lines.length, strangers.length)
  if (complaint)
    throw new FeedError(`${name} cannot be used: ${complaint}, such as "${printable(strangers[0] ?? '', 100)}".`)
  return { changes, strangers }
}

export function changeOf(path: string, at: Date | undefined, isDeletion: boolean): Change | undefined {
  const cveId = parseCanonicalCveId(PATH.exec(path)?.[1] ?? '')
  if (!cveId || !at) return undefined
  return { key: `${formatInstant(at)} ${path}${isDeletion ? DELETED : ''}`, path, cveId, at, isDeletion }
}

/** What a cursor kept. */
export function changeOfKey(key: string): Change | undefined {
  const [at = '', path = '', deleted] = key.split(' ')
  return changeOf(path, parseDateTime(at), deleted !== undefined)
}

/** The last word on every file, the oldest first. */
export function lastWords(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>()
  for (const each of changes.toSorted(byKey)) last.set(each.path, each)
  return [...last.values()].sort(byKey)
}

function byKey(one: Change, other: Change): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
