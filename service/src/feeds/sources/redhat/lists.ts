// `changes.csv` names every file with the time of its last change, `deletions.csv` those that are no more.
import { join } from 'node:path'
import type { Validators } from '../../download.ts'
import { FeedError, type FetchContext } from '../../feed.ts'
import { printable } from '../../sanitize-text.ts'
import { type Change, readChanges } from './change.ts'
import type { RedHatCursor } from './cursor.ts'
import type { RedHatSettings } from './settings.ts'

export interface AskedLists {
  /** Of those lists that are not as they were. */
  readonly listed: readonly Change[]
  readonly validators: Partial<Record<ListName, Validators>>
  /** Why one of them could not be read. */
  readonly fault: FeedError | undefined
}

type ListName = 'changes' | 'deletions'

/** With fifty thousand files it has three megabytes. */
const MAX_LIST_BYTES = 64 * 1024 ** 2

interface AskedList {
  readonly changes: readonly Change[]
  readonly validators: Validators
}

export async function askForLists(
  settings: RedHatSettings,
  held: RedHatCursor | undefined,
  context: FetchContext,
): Promise<AskedLists> {
  const changed = await askForList('changes', settings, held, context)
  const deleted = await askForList('deletions', settings, held, context).catch((error: unknown) => {
    if (error instanceof FeedError && !context.signal.aborted) return error
    throw error
  })
  if (deleted instanceof FeedError)
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
  context: FetchContext,
): Promise<AskedList | undefined> {
  const name = `${list}.csv`
  const path = join(context.spool, name)
  const url = new URL(name, settings.url).href
  const got = await context.download.file(
    { url, maxBytes: MAX_LIST_BYTES, ...(held && { validators: held[list] }) },
    path,
  )
  if (got.isUnchanged) return undefined
  const { changes, strangers } = await readChanges(path, name, list === 'deletions')
  if (strangers.length > 0)
    context.notice(
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
