// The thread that inflates, parses and compares documents, one at a time (ADR 0040). The main thread imports this file
// for its address only; in the thread, the file starts to serve requests.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { openPool } from '../../../database/postgres.ts'
import { scanSbom } from '../scan.ts'
import { type ScanReply, type ScanRequest, type ThreadSettings, toFailure } from './messages.ts'

export const SCAN_THREAD_FILE = new URL(import.meta.url)
export const SCAN_THREAD_NAME = 'vis-documents'

interface ThreadData {
  readonly name: typeof SCAN_THREAD_NAME
  readonly settings: ThreadSettings
}

const data: ThreadData | null | undefined = workerData
if (!isMainThread && data?.name === SCAN_THREAD_NAME) serve(data.settings)

function serve({ databaseUrl, poolLimits }: ThreadSettings): void {
  // A lost connection is noticed by the next document, which opens another one.
  const { db } = openPool(databaseUrl, 'documents', poolLimits, () => {})
  // The empty list of transferred objects tells the linter that this is not the postMessage of a browser window.
  const send = (message: ScanReply | 'ready') => parentPort?.postMessage(message, [])
  send('ready')
  parentPort?.on('message', ({ sent, options }: ScanRequest) => {
    void reply(() => scanSbom(db, sent, options)).then(send)
  })
}

async function reply(scan: () => Promise<readonly string[]>): Promise<ScanReply> {
  try {
    return { pieces: await scan() }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}
