// `changes.csv` names every file with the time of its last change, `deletions.csv` those that are no more.
import { join } from 'node:path'
import type { Validators } from '../download/download.ts'
import { FeedFault, type Visit } from '../feed.ts'
import { printable } from '../reading/printable.ts'
import { type Change, readChanges } from './change.ts'
import type { RedHatCursor } from './cursor.ts'
import type { RedHatSettings } from './settings.ts'

export interface AskedLists {
  /** Of those lists that are not as they were. */
  readonly listed: readonly Change[]
  readonly validators: Partial<Record<ListName, Validators>>
  /** Why one of them could not be read. */
  readonly fault: FeedFault | undefined
}

type ListName = 'changes' | 'deletions'

/** With fifty thousand files it has three megabytes. */
const MOST_LIST_BYTES = 64 * 1024 ** 2

interface AskedList {
  readonly changes: readonly Change[]
  readonly validators: Validators
}

export async function askForLists(
  settings: RedHatSettings,
  held: RedHatCursor | undefined,
  visit: Visit,
): Promise<AskedLists> {
  const changed = await askForList('changes', settings, held, visit)
  const deleted = await askForList('deletions', settings, held, visit).catch((error: unknown) => {
    if (error instanceof FeedFault && !visit.signal.aborted) return error
    throw error
  })
  if (deleted instanceof FeedFault)
    return { listed: changed?.changes ?? [], validators: validatorsOf({ changes: changed }), fault: deleted }
  return {
    listed: [...(changed?.changes ?? []), ...(deleted?.changes ?? [])],
    validators: validatorsOf({ changes: changed, deletions: deleted }, held),
    fault: undefined,
  }
}

/** Undefined, if it is as it was. */
async function askForList(
  list: ListName,
  settings: RedHatSettings,
  held: RedHatCursor | undefined,
  visit: Visit,
): Promise<AskedList | undefined> {
  const name = `${list}.csv`
  const path = join(visit.spool, name)
  const url = new URL(name, settings.url).href
  const got = await visit.download.file(
    { url, mostBytes: MOST_LIST_BYTES, ...(held && { validators: held[list] }) },
    path,
  )
  if (got.isUnchanged) return undefined
  const { changes, strangers } = await readChanges(path, name, list === 'deletions')
  if (strangers.length > 0)
    visit.notice(
      `${name} has ${strangers.length} lines that name no file of ours, such as "${printable(strangers[0] ?? '', 100)}"; they were left alone.`,
    )
  return { changes, validators: got.validators }
}

function validatorsOf(
  asked: Partial<Record<ListName, AskedList | undefined>>,
  held?: RedHatCursor,
): Partial<Record<ListName, Validators>> {
  return {
    changes: asked.changes?.validators ?? held?.changes ?? {},
    deletions: asked.deletions?.validators ?? held?.deletions ?? {},
  }
}
