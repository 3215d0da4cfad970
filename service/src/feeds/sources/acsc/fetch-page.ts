// Pages of a site that is slow and wary of robots: few, one after another, and no more once it refuses.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FeedError, type FetchContext } from '../../feed.ts'
import type { Expected } from '../../formats/markup.ts'
import { readWhole } from './read-all.ts'
import { type AcscSettings, MAX_PAGE_BYTES } from './settings.ts'

/** What the parts of one run share. */
export interface Walk {
  readonly settings: AcscSettings
  readonly context: FetchContext
  readonly pages: PageAsker
}

export interface PageAsker {
  /** Whether there may be another page in this run. */
  mayAsk(): boolean
  /** Undefined when the page could not be read; the operator has been told. */
  ask<Page>(url: string, read: (bytes: Buffer, expected: Expected) => Page): Promise<Page | undefined>
}

const MAX_FAILURES = 2

export function pageAsker(settings: AcscSettings, context: FetchContext): PageAsker {
  let [asked, failures] = [0, 0]
  return {
    mayAsk: () => asked < settings.pagesPerRun && failures < MAX_FAILURES,
    async ask(url, read) {
      if (asked > 0) await pause(settings.pauseMs, undefined, { signal: context.signal })
      asked += 1
      try {
        return read(await download(url, join(context.spool, `page-${asked}`), context), {
          what: url,
          maxBytes: MAX_PAGE_BYTES,
        })
      } catch (error) {
        context.signal.throwIfAborted()
        if (!(error instanceof FeedError)) throw error
        failures += 1
        context.notice(error.message)
        return undefined
      }
    },
  }
}

async function download(url: string, path: string, context: FetchContext): Promise<Buffer> {
  const headers = { accept: 'text/html' }
  const redirectHosts = [new URL(url).host]
  await context.download.file({ url, headers, redirectHosts, maxBytes: MAX_PAGE_BYTES }, path)
  return readWhole(path, MAX_PAGE_BYTES)
}
