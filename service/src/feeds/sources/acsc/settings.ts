export interface AcscSettings {
  readonly alertsUrl: string
  readonly advisoriesUrl: string
  /** URL of the paged list of all notices, from which older notices are imported. */
  readonly listingUrl: string
  /** List pages to read for older notices. The list is read once; 0 disables the import. */
  readonly historyPages: number
  /** Maximum number of HTML pages per run, in addition to the two RSS feeds: the site is slow and blocks crawlers. */
  readonly pagesPerRun: number
  readonly pauseMs: number
}
