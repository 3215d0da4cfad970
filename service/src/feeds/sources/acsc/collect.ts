// Puts both RSS feeds and the pages of notices into a bundle, as many pages as one run may request. The pages of earlier
// collections are kept.
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CollectContext, Collection } from '../../collect.ts'
import { readWholeFile } from '../../formats/decompress.ts'
import { toFeedEntry } from './cursor.ts'
import { parseListLinks } from './history.ts'
import { type NoticeType, parseNoticeAddress, resolveOnSite } from './notice.ts'
import { type AcscSettings, createPageFetcher, type PageFetcher } from './page-fetcher.ts'
import { MAX_FEED_BYTES, parseRequestedPage, parseRss } from './parse.ts'

interface Notice {
  readonly url: string
  readonly id: string
  /** Changes with the RSS item of the notice. */
  readonly version: string
}

interface Run {
  readonly settings: AcscSettings
  readonly context: CollectContext
  readonly pages: PageFetcher
}

const PAGE_NAME = /^[a-z0-9_-][a-z0-9_.-]*$/

export async function collectNotices(settings: AcscSettings, context: CollectContext): Promise<Collection> {
  const run: Run = { settings, context, pages: createPageFetcher(settings, context) }
  const current = [...(await collectFeed('alert', run)), ...(await collectFeed('advisory', run))]
  for (const notice of current) await collectPage(notice, run)
  await collectHistory(current, run)
  for (const name of context.earlier) if (name.endsWith('.html')) await context.keep(name)
  return { index: null }
}

async function collectFeed(type: NoticeType, { settings, context }: Run): Promise<readonly Notice[]> {
  const [name, url] =
    type === 'alert' ? ['acsc-alerts.xml', settings.alertsUrl] : ['acsc-advisories.xml', settings.advisoriesUrl]
  const path = await context.file({ name, url, maxBytes: MAX_FEED_BYTES })
  const items = parseRss(await readWholeFile(path, { maxBytes: MAX_FEED_BYTES }), {
    what: name,
    maxBytes: MAX_FEED_BYTES,
  })
  return items.flatMap((item) => {
    const address = parseNoticeAddress(item.link)
    const page = address && resolveOnSite(url, address.url)
    return page === undefined ? [] : [{ url: page, id: address?.id ?? '', version: toFeedEntry(type, item).hash }]
  })
}

/** Returns false if the page was not collected. */
async function collectPage({ url, id, version }: Notice, { context, pages }: Run): Promise<boolean> {
  const name = `${PAGE_NAME.test(id) ? id : hash('sha256', id, 'hex')}.html`
  if (await context.keep(name, version)) return true
  if (!pages.canFetch()) return false
  const bytes = await pages.fetch(url, (content, options) => {
    parseRequestedPage(url, content, options)
    return content
  })
  if (!bytes) return false
  const path = join(context.spool, name)
  await writeFile(path, bytes)
  await context.add({ name, url, version, path })
  return true
}

/** Reads the list of all notices from its beginning, because the pages that were collected before cost no request. */
async function collectHistory(current: readonly Notice[], run: Run): Promise<void> {
  const { settings, context, pages } = run
  const known = new Set(current.map(({ id }) => id))
  let last = ''
  for (let page = 0; page < settings.historyPages && pages.canFetch(); page += 1) {
    const url = new URL(settings.listingUrl)
    url.searchParams.set('page', String(page))
    const links = await pages.fetch(url.href, (bytes, options) => parseListLinks(url, bytes, options))
    if (!links || links.length === 0 || links.join() === last) return
    last = links.join()
    for (const link of links) {
      const id = parseNoticeAddress(link)?.id ?? ''
      const isCollected = known.has(id) || (await collectPage({ url: link, id, version: 'listed' }, run))
      if (!isCollected && !pages.canFetch())
        return context.notice('Older notices are left for the next downloads (FEED_ACSC_PAGES_PER_RUN).')
    }
  }
}
