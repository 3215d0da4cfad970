// Entry point of the thread that has the columns in memory and counts facets (ADR 0032). Reading all CVEs takes seconds of
// processor time, and counting milliseconds: on the main thread, other calls would wait. The main thread imports only the
// URL of this file.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { openPool } from '../../../database/postgres.ts'
import { isSamePosition } from '../../../domain/change/position.ts'
import { type FollowedColumns, followColumns } from '../../columns/follow-columns.ts'
import { countFacetsInMemory } from '../count-in-memory.ts'
import type { ColumnsReply, ColumnsSettings, CountRequest } from './messages.ts'

export const COLUMNS_THREAD_FILE = new URL(import.meta.url)
export const COLUMNS_THREAD_NAME = 'vis-columns'

interface ThreadData {
  readonly name: typeof COLUMNS_THREAD_NAME
  readonly settings: ColumnsSettings
}

const BYTES_PER_MEGABYTE = 1_000_000

const data: ThreadData | null | undefined = workerData
if (!isMainThread && data?.name === COLUMNS_THREAD_NAME) serve(data.settings)

function serve({ databaseUrl, poolLimits }: ColumnsSettings): void {
  // The empty transfer list tells the linter that this is not a browser window's postMessage.
  const send = (reply: ColumnsReply) => parentPort?.postMessage(reply, [])
  // The next statement notices a lost connection and opens a new one.
  const pool = openPool(databaseUrl, 'columns', poolLimits, () => {})
  const columns = followColumns(pool.db, {
    onRead: ({ columns: read }, seconds) =>
      send({ loaded: { cves: read.rowCount, megabytes: Math.round(read.bytes / BYTES_PER_MEGABYTE), seconds } }),
    onError: (error) => send({ failure: describe(error) }),
  })
  parentPort?.on('message', (request: CountRequest) => void reply(columns, request).then(send))
  send('ready')
}

async function reply(columns: FollowedColumns, { id, query, state }: CountRequest): Promise<ColumnsReply> {
  try {
    const reached = await columns.reach(state.position)
    // The database found the keys at this position: with those of another one, the answer would mix two states.
    const isUsable = reached && (state.keys === undefined || isSamePosition(reached.position, state.position))
    return { id, counts: isUsable ? countFacetsInMemory(reached.columns, query, splitKeys(state.keys)) : undefined }
  } catch (error) {
    return { id, counts: undefined, failure: describe(error) }
  }
}

const splitKeys = (keys: string | undefined) => (keys === '' ? [] : keys?.split(','))

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : 'an exception')
