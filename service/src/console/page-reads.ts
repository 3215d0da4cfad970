// Counts the reads of one page of the console as one. A page names its reads with a random id; the first read with an id
// counts, and further ones within a few seconds are part of the same page.
//
// An id is chosen by the browser, so whoever reuses one gains at most MAX_READS for each counted read. Ids belong to the
// session that sent them. They are in this process's memory: another node, and this one after a restart, counts the page
// once more.
import type { Caller } from '../accounts/keys/find-caller.ts'
import type { ConsoleReads } from '../accounts/people/console-reads.ts'

type Counted = Awaited<ReturnType<ConsoleReads['count']>>

export interface PageReads {
  readonly limits: ConsoleReads['limits']
  count(caller: Caller, pageId: string | undefined, reads: number): Promise<Counted>
}

/** A CVE page with all its tabs takes about twelve. */
const MAX_READS = 24
const MAX_AGE_MS = 15_000
/** About 200 bytes each. */
const MAX_PAGES = 10_000
const PAGE_ID = /^[\w-]{16,64}$/

interface Page {
  readonly endsAtMs: number
  readsLeft: number
  readonly first: Promise<Counted>
}

export function createPageReads(reads: ConsoleReads, nowMs: () => number = () => performance.now()): PageReads {
  const pages = new Map<string, Page>()
  return {
    limits: reads.limits,
    count: (caller, pageId, asked) => {
      const { accountId, keyId, credential } = caller
      // A call that costs several reads, such as the check of many components, is no part of showing a page.
      if (pageId === undefined || !PAGE_ID.test(pageId) || asked > 1) return reads.count(accountId, keyId, asked)
      const name = `${credential.digest} ${pageId}`
      const known = pages.get(name)
      if (known && known.endsAtMs > nowMs() && known.readsLeft > 0) {
        known.readsLeft -= 1
        return known.first
      }
      const first = reads.count(accountId, keyId, 1)
      const page = { endsAtMs: nowMs() + MAX_AGE_MS, readsLeft: MAX_READS - 1, first }
      // Deleted first, so that the oldest page is always the first of the map.
      pages.delete(name)
      pages.set(name, page)
      const oldest = pages.size > MAX_PAGES ? pages.keys().next().value : undefined
      if (oldest !== undefined) pages.delete(oldest)
      // A read that was refused or not counted opens no page.
      const forget = () => void (pages.get(name) === page && pages.delete(name))
      first.then(({ isAllowed }) => isAllowed || forget(), forget)
      return first
    },
  }
}
