// Fetches and parses Red Hat's two lists: `changes.csv` names every VEX document with the time of its last change, and
// `deletions.csv` names the deleted documents. A line of a list is
// `"2024/cve-2024-1234.json","2026-08-22T09:30:00+00:00"`.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { DownloadContext, Validators } from '../../download.ts'
import { FeedError } from '../../feed.ts'
import { checkRejections } from '../../guard.ts'
import { sanitizeText } from '../../sanitize-text.ts'

export interface ChangeLists {
  readonly listed: readonly Change[]
  readonly validators: Partial<Record<ListName, Validators>>
  readonly error: FeedError | undefined
}

type ListName = 'changes' | 'deletions'

/** Validators from the last run that stored all listed changes. */
type HeldValidators = Readonly<Record<ListName, Validators>>

/** Maximum size of one of Red Hat's lists. With 50,000 files, changes.csv is 3 MB. */
const MAX_LIST_BYTES = 64 * 1024 ** 2

interface FetchedList {
  readonly changes: readonly Change[]
  readonly validators: Validators
}

export async function fetchChangeLists(
  baseUrl: string,
  held: HeldValidators | undefined,
  context: DownloadContext,
): Promise<ChangeLists> {
  const changed = await fetchChangeList('changes', baseUrl, held, context)
  const deleted = await fetchChangeList('deletions', baseUrl, held, context).catch((error: unknown) => {
    if (error instanceof FeedError && !context.signal.aborted) return error
    throw error
  })
  if (deleted instanceof FeedError)
    return { listed: changed?.changes ?? [], validators: collectValidators({ changes: changed }), error: deleted }
  return {
    listed: [...(changed?.changes ?? []), ...(deleted?.changes ?? [])],
    validators: collectValidators({ changes: changed, deletions: deleted }, held),
    error: undefined,
  }
}

async function fetchChangeList(
  list: ListName,
  baseUrl: string,
  held: HeldValidators | undefined,
  context: DownloadContext,
): Promise<FetchedList | undefined> {
  const name = `${list}.csv`
  const path = join(context.spool, name)
  const url = new URL(name, baseUrl).href
  const downloaded = await context.download.file(
    { url, maxBytes: MAX_LIST_BYTES, ...(held && { validators: held[list] }) },
    path,
  )
  if (downloaded.isUnchanged) return undefined
  const { changes, invalidLines } = await parseList(path, name, list === 'deletions')
  if (invalidLines.length > 0)
    context.notice(
      `Ignored ${invalidLines.length} lines of ${name} that do not name a VEX document, for example "${sanitizeText(invalidLines[0] ?? '', 100)}".`,
    )
  return { changes, validators: downloaded.validators }
}

function collectValidators(
  fetched: Partial<Record<ListName, FetchedList | undefined>>,
  held?: HeldValidators,
): Partial<Record<ListName, Validators>> {
  return {
    changes: fetched.changes?.validators ?? held?.changes ?? {},
    deletions: fetched.deletions?.validators ?? held?.deletions ?? {},
  }
}

export interface Change {
  /** Sortable: the time of the change, then the path of the document. */
  readonly key: string
  readonly path: string
  readonly cveId: CveId
  readonly at: Date
  readonly isDeletion: boolean
}

/** Reads the list of deleted documents from an operator's directory. */
export async function readDeletions(path: string, name: string): Promise<readonly Change[]> {
  const { changes } = await parseList(path, name, true)
  return keepLatest(changes)
}

const LINE = /^"?([^",]*)"?,"?([^",]*)"?$/
/** Path of a VEX document. Only paths that match are requested; the pattern excludes parent folders and other hosts. */
const PATH = /^\d{4}\/(cve-\d{4}-\d{4,14})\.json$/
const DELETED_SUFFIX = ' deleted'

interface ParsedList {
  readonly changes: readonly Change[]
  readonly invalidLines: readonly string[]
}

async function parseList(path: string, name: string, isDeletion: boolean): Promise<ParsedList> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '')
  const changes: Change[] = []
  const invalidLines: string[] = []
  for (const line of lines) {
    const [, file = '', date = ''] = LINE.exec(line) ?? []
    const change = buildChange(file, parseDateTime(date), isDeletion)
    if (change) changes.push(change)
    else invalidLines.push(line)
  }
  const problem = checkRejections(lines.length, invalidLines.length)
  if (problem)
    throw new FeedError(
      `${name} cannot be used: ${problem}, for example "${sanitizeText(invalidLines[0] ?? '', 100)}".`,
    )
  return { changes, invalidLines }
}

export function buildChange(path: string, at: Date | undefined, isDeletion: boolean): Change | undefined {
  const cveId = parseCanonicalCveId(PATH.exec(path)?.[1] ?? '')
  if (!cveId || !at) return undefined
  return { key: `${formatInstant(at)} ${path}${isDeletion ? DELETED_SUFFIX : ''}`, path, cveId, at, isDeletion }
}

/** Rebuilds a change from the key that the cursor stores. */
export function parseChangeKey(key: string): Change | undefined {
  const [at = '', path = '', deleted] = key.split(' ')
  return buildChange(path, parseDateTime(at), deleted !== undefined)
}

export function keepLatest(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>()
  for (const each of changes.toSorted(byKey)) last.set(each.path, each)
  return [...last.values()].sort(byKey)
}

function byKey(one: Change, other: Change): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
