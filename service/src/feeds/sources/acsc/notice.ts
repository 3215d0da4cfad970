// What the ACSC says of one notice: in its feed, on the notice's own page, or both.

export type NoticeType = 'alert' | 'advisory'

export interface RawNotice {
  /** Which feed it came in; a page that no feed names has none. */
  readonly type?: NoticeType
  readonly item?: RssItem
  /** Absent when the page was not read. */
  readonly page?: NoticePage
}

/** As the feed has it; empty where an element is missing. */
export interface RssItem {
  readonly title: string
  readonly link: string
  /** HTML. */
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
  /** The last part of the path: the same in the feed, in the listing and on the page. */
  readonly id: string
  readonly url: string
}

const MAX_URL_LENGTH = 2000
const MAX_ID_LENGTH = 300

/** Without what was added for counting visitors, so that one notice has one address. */
export function noticeAddress(link: string): NoticeAddress | undefined {
  const url = URL.parse(link.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const path = url.pathname.replace(/\/+$/, '')
  const id = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const plain = `${url.origin}${path}`
  if (id === '' || id.length > MAX_ID_LENGTH || plain.length > MAX_URL_LENGTH) return undefined
  return { id, url: plain }
}

/** The same page at the site that we were told to ask, or nothing if it lies elsewhere. */
export function onSiteOf(told: string, url: string): string | undefined {
  const [site, page] = [new URL(told), new URL(url)]
  const plain = ({ hostname, port }: URL) => `${hostname.replace(/^www\./, '')}:${port}`
  return plain(site) === plain(page) ? `${site.origin}${page.pathname}` : undefined
}

const PRIORITIES = ['Critical', 'High', 'Medium', 'Low'] as const

/** `CRITICAL`, in any letter case, as we write it. */
export function priorityOf(word: string | undefined): string | undefined {
  return PRIORITIES.find((each) => each.toLowerCase() === word?.toLowerCase())
}
