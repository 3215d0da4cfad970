// Downloads single pages of the ACSC website, which is slow and blocks crawlers: a limited number of pages per run, one
// after another with a pause, and no further pages after two failures.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DownloadContext } from '../../download.ts'
import { FeedError } from '../../feed.ts'
import { readWholeFile } from '../../formats/decompress.ts'
import type { MarkupOptions } from '../../formats/markup.ts'
import { MAX_PAGE_BYTES } from './parse.ts'

export interface AcscSettings {
  readonly alertsUrl: string
  readonly advisoriesUrl: string
  readonly listingUrl: string
  /** Number of list pages to read for older notices. The list is read once; 0 disables the import. */
  readonly historyPages: number
  /** Maximum number of HTML pages per run, in addition to the two RSS feeds: the site is slow and blocks crawlers. */
  readonly pagesPerRun: number
  readonly pauseMs: number
}

export interface NetworkRun {
  readonly settings: AcscSettings
  readonly context: DownloadContext
  readonly pages: PageFetcher
}

export interface PageFetcher {
  canFetch(): boolean
  /** Reports a failure as a notice and returns undefined. */
  fetch<Page>(url: string, parse: (bytes: Buffer, options: MarkupOptions) => Page): Promise<Page | undefined>
}

const MAX_FAILURES = 2

export function createPageFetcher(settings: AcscSettings, context: DownloadContext): PageFetcher {
  let [requests, failures] = [0, 0]
  return {
    canFetch: () => requests < settings.pagesPerRun && failures < MAX_FAILURES,
    async fetch(url, parse) {
      if (requests > 0) await pause(settings.pauseMs, undefined, { signal: context.signal })
      requests += 1
      try {
        return parse(await downloadPage(url, join(context.spool, `page-${requests}`), context), {
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

async function downloadPage(url: string, path: string, context: DownloadContext): Promise<Buffer> {
  const headers = { accept: 'text/html' }
  const redirectHosts = [new URL(url).host]
  await context.download.file({ url, headers, redirectHosts, maxBytes: MAX_PAGE_BYTES }, path)
  return readWholeFile(path, { maxBytes: MAX_PAGE_BYTES })
}
