// Single files, a few at a time and with pauses, and no more once too many are refused.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FeedError, type FetchContext } from '../../feed.ts'
import type { Change } from './change.ts'
import { MAX_DOCUMENT_BYTES, type RedHatSettings } from './settings.ts'

export interface Obtained {
  readonly change: Change
  /** Where it is now; nothing was asked for what is no more. */
  readonly path: string | undefined
}

export interface Answered {
  readonly obtained: readonly Obtained[]
  readonly missed: readonly Change[]
}

/** What the parts of one run share. */
export interface Asking {
  readonly settings: RedHatSettings
  readonly context: FetchContext
  /** Of single files. */
  readonly faults: FeedError[]
  /** When the next one may be asked for. */
  turn: Promise<void>
}

const AT_ONCE = 4
const MAX_ISSUES = 5

export function startAsking(settings: RedHatSettings, context: FetchContext): Asking {
  return { settings, context, faults: [], turn: Promise.resolve() }
}

/** Whether there may be more in this run. */
export function mayAsk({ faults }: Asking): boolean {
  return faults.length < MAX_ISSUES
}

export async function askForFiles(asking: Asking, changes: readonly Change[]): Promise<Answered> {
  const queue = [...changes]
  const obtained: Obtained[] = []
  const missed: Change[] = []
  const worker = async () => {
    for (let change = queue.shift(); change; change = queue.shift()) {
      const got = mayAsk(asking) ? await obtain(asking, change) : undefined
      if (got) obtained.push(got)
      else missed.push(change)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { obtained, missed }
}

async function obtain(asking: Asking, change: Change): Promise<Obtained | undefined> {
  if (change.isDeletion) return { change, path: undefined }
  const { settings, context, faults } = asking
  await myTurn(asking)
  const path = join(context.spool, `${change.cveId}.json`)
  const url = new URL(change.path, settings.url).href
  try {
    await context.download.file({ url, maxBytes: MAX_DOCUMENT_BYTES }, path)
    return { change, path }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof FeedError)) throw error
    faults.push(error)
    return undefined
  }
}

/** Everybody waits for the one before, and then for the pause. */
function myTurn(asking: Asking): Promise<void> {
  const { settings, context, turn } = asking
  asking.turn = turn.then(() => pause(settings.pauseMs, undefined, { signal: context.signal }))
  // Whoever waits for it hears of it; nobody may be waiting.
  asking.turn.catch(() => {})
  return turn
}
