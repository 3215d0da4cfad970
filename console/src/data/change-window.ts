// Reads the change log from a day on. The log may begin later; then it is read from its beginning.
import { type Change, type ChangeFilters, isVisError } from 'vis-sdk'
import { client } from './client.ts'

export interface ChangeWindow {
  /** Oldest first. */
  readonly changes: readonly Change[]
  /** Time since which the log has every change, if that is later than the requested day. */
  readonly begins: string | undefined
  /** Where to continue; undefined at the end of the log. */
  readonly next: string | undefined
  /** How far these changes reach: position of the last one, or of the newest one at the end of the log. */
  readonly reaches: string
}

/** `since` is a day, a time or a position. */
export async function readChanges(since: string, filters: ChangeFilters, signal: AbortSignal): Promise<ChangeWindow> {
  try {
    return await readPage(since, filters, signal)
  } catch (error) {
    const earliest = findEarliest(error)
    if (earliest === undefined) throw error
    return { ...(await readPage(earliest, filters, signal)), begins: earliest }
  }
}

async function readPage(since: string, filters: ChangeFilters, signal: AbortSignal): Promise<ChangeWindow> {
  const { changes, has_more, next_since, newest } = await client.changes(since, { ...filters, signal })
  return {
    changes,
    begins: undefined,
    next: has_more ? next_since : undefined,
    reaches: has_more ? next_since : newest,
  }
}

/** Returns the time from which on the log can be read, if the service refused an earlier one. */
function findEarliest(error: unknown): string | undefined {
  if (!isVisError(error) || error.status !== 410) return undefined
  const { earliest }: Readonly<Record<string, unknown>> = { ...error.details }
  return typeof earliest === 'string' ? earliest : undefined
}
