// Interface of the downloader that feeds use. download/open-download.ts implements it for upstreams that may be slow,
// broken or hostile.

export interface Download {
  /** Saves the response body at `path`. The file exists only after this resolves. Every failure is a FeedError. */
  file(request: DownloadRequest, path: string): Promise<DownloadResult>
}

export interface DownloadRequest {
  readonly url: string
  /** Maximum size of the response body, as transferred. */
  readonly maxBytes: number
  /**
   * Request headers. They are sent to the host of `url` only and dropped on a redirect to another host, because they
   * may contain keys. An HTML response is an error unless the `accept` header names text/html.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Validators of the copy we have. With them the upstream may answer 304 Not Modified. */
  readonly validators?: Validators
  /**
   * Hosts to which one redirect may lead, in addition to the allowed hosts. Without this list every redirect is an
   * error.
   */
  readonly redirectHosts?: readonly string[]
  /** HTTP statuses by which this upstream signals rate limiting, in addition to 429 and 503. */
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
      /** Value of the Link header, by which some upstreams announce the next page. It is not validated. */
      readonly link?: string
    }
