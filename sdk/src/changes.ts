// The calls for the change log.
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import type { ChangedRecords, ChangeFilters, ChangePage, ChangeSummary } from './records.ts'
import type { Result, Send } from './request.ts'
import { sleep } from './retry.ts'

type Schemas = components['schemas']

const PATH = 'api/v1/changes'
/** Maximum time that a call can wait at the service. */
const MAX_WAIT_SECONDS = 25

export async function listChanges(
  send: Send,
  since: string,
  { signal, ...filters }: ChangeFilters & CallOptions,
): Promise<ChangePage> {
  const query = { since, ...filters }
  const { data } = await send<Schemas['ChangeList']>({ method: 'GET', path: PATH, query, signal })
  return data
}

export async function summarizeChanges(
  send: Send,
  since: string,
  { until, signal }: { readonly until?: string } & CallOptions,
): Promise<ChangeSummary> {
  const query = { since, until }
  const { data } = await send<Schemas['ChangeSummary']>({ method: 'GET', path: `${PATH}/summary`, query, signal })
  return data
}

export async function listChangedRecords(
  send: Send,
  since: string,
  { limit, signal }: { readonly limit?: number } & CallOptions,
): Promise<ChangedRecords> {
  const query = { since, limit }
  const { data } = await send<Schemas['ChangedRecordList']>({ method: 'GET', path: `${PATH}/records`, query, signal })
  return data
}

/**
 * Number of waits without a change after which the position moves on. Until then it stays the same, because the service
 * answers an identical call free of charge. It must move before the change log deletes the row at that position.
 */
const MAX_FREE_WAITS = 1000

/** The service waits for a change only after a position, or at the start of the log. */
const POSITION = /^(?:start$|\d+:)/

/** Pause after an empty answer that did not wait: a busy node cannot wait, and each such call would cost credits. */
const PAUSE_MS = 1000

export async function* followChanges(
  send: Send,
  since: string,
  filters: Omit<ChangeFilters, 'wait'> & CallOptions,
): AsyncGenerator<ChangePage, never, undefined> {
  const { signal, ...query } = filters
  let [position, freeWaits] = [since, 0]
  let earlier: Result<ChangePage> | undefined
  for (;;) {
    const sentAt = performance.now()
    const result = await send<ChangePage>({
      method: 'GET',
      path: PATH,
      query: { ...query, since: position, wait: MAX_WAIT_SECONDS },
      signal,
      earlier,
    })
    const page = result.data
    freeWaits += 1
    if (page.changes.length > 0) yield page
    const couldWait = page.changes.length === 0 && !page.has_more && POSITION.test(position)
    const staysHere = couldWait && freeWaits < MAX_FREE_WAITS
    if (couldWait && performance.now() - sentAt < PAUSE_MS) await sleep(PAUSE_MS, signal)
    if (!staysHere) [position, freeWaits] = [page.next_since, 0]
    earlier = staysHere ? result : undefined
  }
}
