export interface AcscSettings {
  readonly alertsUrl: string
  readonly advisoriesUrl: string
  /** URL of the paged list of all notices, for notices that the RSS feeds no longer contain. */
  readonly listingUrl: string
  /** Maximum number of list pages read to import older notices. The list is read once; 0 disables this import. */
  readonly historyPages: number
  /** Maximum number of HTML pages per run, in addition to the two RSS feeds: the site is slow and blocks crawlers. */
  readonly pagesPerRun: number
  /** Pause between two page requests. */
  readonly pauseMs: number
}
