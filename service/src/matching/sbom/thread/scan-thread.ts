// Entry point of the threads that read documents and match components (ADR 0025). The main thread imports only its URL.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { unavailable } from '../../../contract/response/errors.ts'
import { openPool, type Pool } from '../../../database/postgres.ts'
import { readComponent } from '../../../domain/component/component.ts'
import { answerMatch } from '../../answer/answer.ts'
import { findCvesOfComponent } from '../../find-cves.ts'
import { estimateWork, isSmall } from '../../read/estimate.ts'
import { type ReadDocument, readScanDocument, scanSbom } from '../scan.ts'
import { type ThreadReply, type ThreadRequest, type ThreadSettings, type ThreadWork, toFailure } from './messages.ts'

export const SCAN_THREAD_FILE = new URL(import.meta.url)
export const SCAN_THREAD_NAME = 'vis-documents'

interface ThreadData {
  readonly name: typeof SCAN_THREAD_NAME
  readonly settings: ThreadSettings
}

const data: ThreadData | null | undefined = workerData
if (!isMainThread && data?.name === SCAN_THREAD_NAME) serve(data.settings)

/** Chunks are collected until they have this many characters. */
const SENT_CHARACTERS = 256 * 1024

function serve({ databaseUrl, poolLimits }: ThreadSettings): void {
  // The next call notices a lost connection and opens a new one.
  const pool = openPool(databaseUrl, 'documents', poolLimits, () => {})
  const perform = createPerformer(pool)
  const calls = new Map<number, AbortController>()
  // The empty transfer list tells the linter that this is not a browser window's postMessage.
  const send = (message: ThreadReply | 'ready') => parentPort?.postMessage(message, [])
  send('ready')
  parentPort?.on('message', (request: ThreadRequest) => {
    const { id } = request
    if (!('work' in request)) return calls.get(id)?.abort()
    const call = new AbortController()
    calls.set(id, call)
    const work = () => perform(request.work, call.signal, (pieces) => send({ id, pieces }))
    void reply(id, work)
      .then(send)
      .finally(() => calls.delete(id))
  })
}

async function reply(id: number, work: () => Promise<unknown>): Promise<ThreadReply> {
  try {
    return { id, result: await work() }
  } catch (error) {
    return { id, failure: toFailure(error) }
  }
}

type Send = (pieces: readonly string[]) => void

function createPerformer(pool: Pool) {
  let document: ReadDocument | undefined
  const runAlone = createLock()
  return async (work: ThreadWork, signal: AbortSignal, send: Send): Promise<unknown> => {
    const db = pool.bind(signal)
    switch (work.kind) {
      case 'read':
        document = undefined
        document = await readScanDocument(db, work.sent)
        return undefined
      case 'scan': {
        const read = document
        document = undefined
        if (read === undefined) throw unavailable('The thread that read the document has ended.')
        return sendPieces(scanSbom(db, read, work.options, signal), send)
      }
      case 'estimate': {
        const estimate = await estimateWork(db, work.components.map(readComponent), 'components')
        return isSmall(estimate) ? 'small' : 'large'
      }
      case 'match':
        return sendPieces(answerMatch(db, work.call, signal), send)
      case 'find': {
        const { search } = work
        const estimate = await estimateWork(db, [search.component], search.parameter)
        const find = () => findCvesOfComponent(db, search, signal)
        return isSmall(estimate) ? find() : runAlone(find)
      }
    }
  }
}

/** Sends chunks while later ones are being produced, so the thread never holds the whole answer. */
async function sendPieces(pieces: AsyncIterable<string>, send: Send): Promise<undefined> {
  let [waiting, characters]: [string[], number] = [[], 0]
  const flush = () => {
    send(waiting)
    ;[waiting, characters] = [[], 0]
  }
  for await (const piece of pieces) {
    waiting.push(piece)
    characters += piece.length
    if (characters >= SENT_CHARACTERS) flush()
  }
  flush()
  return undefined
}

/** Runs one task at a time, because the rows of a large product take up much of the memory. */
function createLock() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
