import type { NoticeType } from './notice.ts'

export interface AcscSettings {
  readonly alertsUrl: string
  readonly advisoriesUrl: string
  /** The list of all notices, paged, for those that left the feeds long ago. */
  readonly listingUrl: string
  /** How many pages of that list are walked, once. */
  readonly historyPages: number
  /** Beside the two feeds: the site is slow and wary of robots. */
  readonly pagesPerRun: number
  /** Between one page and the next. */
  readonly pauseMs: number
}

export const MAX_FEED_BYTES = 5 * 1024 * 1024
export const MAX_PAGE_BYTES = 5 * 1024 * 1024

export function feedUrl({ alertsUrl, advisoriesUrl }: AcscSettings, type: NoticeType): string {
  return type === 'alert' ? alertsUrl : advisoriesUrl
}
