// Pages of a site that is slow and wary of robots: few, one after another, and no more once it refuses.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FeedFault, type Visit } from '../feed.ts'
import type { Expected } from '../reading/markup.ts'
import { readWhole } from './read-whole.ts'
import { type AcscSettings, MOST_PAGE_BYTES } from './settings.ts'

/** What the parts of one run share. */
export interface Walk {
  readonly settings: AcscSettings
  readonly visit: Visit
  readonly pages: PageAsker
}

export interface PageAsker {
  /** Whether there may be another page in this run. */
  mayAsk(): boolean
  /** Undefined when the page could not be read; the operator has been told. */
  ask<Page>(url: string, read: (bytes: Buffer, expected: Expected) => Page): Promise<Page | undefined>
}

const MOST_FAILURES = 2

export function pageAsker(settings: AcscSettings, visit: Visit): PageAsker {
  let [asked, failures] = [0, 0]
  return {
    mayAsk: () => asked < settings.pagesPerRun && failures < MOST_FAILURES,
    async ask(url, read) {
      if (asked > 0) await pause(settings.pauseMs, undefined, { signal: visit.signal })
      asked += 1
      try {
        return read(await download(url, join(visit.spool, `page-${asked}`), visit), {
          what: url,
          mostBytes: MOST_PAGE_BYTES,
        })
      } catch (error) {
        visit.signal.throwIfAborted()
        if (!(error instanceof FeedFault)) throw error
        failures += 1
        visit.notice(error.message)
        return undefined
      }
    },
  }
}

async function download(url: string, path: string, visit: Visit): Promise<Buffer> {
  const headers = { accept: 'text/html' }
  const redirectHosts = [new URL(url).host]
  await visit.download.file({ url, headers, redirectHosts, mostBytes: MOST_PAGE_BYTES }, path)
  return readWhole(path, MOST_PAGE_BYTES)
}
