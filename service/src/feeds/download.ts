// Interface of the downloader that feeds use; download/open-download.ts implements it.

export interface Download {
  /** The file at `path` exists only after the promise is fulfilled. Every failure is a FeedError. */
  file(request: DownloadRequest, path: string): Promise<DownloadResult>
}

export interface DownloadRequest {
  readonly url: string
  readonly maxBytes: number
  /**
   * Sent only to the host of `url`, because headers may contain keys. An HTML response is an error unless the `accept`
   * header names text/html.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** ETag or Last-Modified of our copy; upstream may then answer 304 Not Modified. */
  readonly validators?: Validators
  /** Hosts that a single redirect may lead to. If undefined, every redirect is an error. */
  readonly redirectHosts?: readonly string[]
  /** HTTP statuses with which this upstream signals rate limiting, in addition to 429 and 503. */
  readonly throttleStatuses?: readonly number[]
}

export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export type DownloadResult =
  | { readonly isUnchanged: true }
  | {
      readonly isUnchanged: false
      readonly bytes: number
      readonly validators: Validators
      /** Value of the HTTP Link header, in which some upstreams announce the next page. It is not validated. */
      readonly link?: string
    }
