// Raw data of one ACSC notice: from its RSS item, from its HTML page, from both, or from a file that an operator wrote.

export const NOTICE_TYPES = ['alert', 'advisory'] as const
export type NoticeType = (typeof NOTICE_TYPES)[number]

export type RawNotice = SiteNotice | WrittenNotice

export interface WrittenNotice {
  /** File and line, by which a rejection names the notice. */
  readonly place: string
  readonly written: unknown
}

export interface SiteNotice {
  /** Type of the RSS feed that contains the notice; undefined for a page that no RSS feed links to. */
  readonly type?: NoticeType
  readonly item?: RssItem
  readonly page?: NoticePage
}

/** A missing element becomes an empty string. */
export interface RssItem {
  readonly title: string
  readonly link: string
  readonly description: string
  readonly published: string
  readonly guid: string
}

export interface NoticePage {
  readonly address: NoticeAddress
  readonly title: string | undefined
  readonly summary: string | undefined
  readonly priority: string | undefined
  readonly firstPublished: string | undefined
  readonly lastUpdated: string | undefined
  readonly affectedProducts: readonly string[]
  readonly cveIds: readonly string[]
  readonly isAlert: boolean
}

export interface NoticeAddress {
  /** Last segment of the URL path, which the RSS feed, the list of notices and the notice page share. */
  readonly id: string
  readonly url: string
}

const MAX_URL_LENGTH = 2000
const MAX_ID_LENGTH = 300

/** Removes the query and the fragment, which may contain tracking parameters, so that each notice has a single URL. */
export function parseNoticeAddress(link: string): NoticeAddress | undefined {
  const url = URL.parse(link.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  const id = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const plain = `${url.origin}${path}`
  if (id === '' || id.length > MAX_ID_LENGTH || plain.length > MAX_URL_LENGTH) return undefined
  return { id, url: plain }
}

/** Returns undefined if the page is on another site. */
export function resolveOnSite(siteUrl: string, pageUrl: string): string | undefined {
  const [site, page] = [new URL(siteUrl), new URL(pageUrl)]
  const withoutWww = ({ hostname, port }: URL) => `${hostname.replace(/^www\./, '')}:${port}`
  return withoutWww(site) === withoutWww(page) ? `${site.origin}${page.pathname}` : undefined
}

export const PRIORITIES = ['Critical', 'High', 'Medium', 'Low'] as const

export function parsePriority(word: string | undefined): string | undefined {
  return PRIORITIES.find((each) => each.toLowerCase() === word?.toLowerCase())
}
