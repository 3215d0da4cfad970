// Interface of the downloader that feeds use. The file download/open-download.ts implements it for upstream servers
// that may be slow, broken or hostile.

export interface Download {
  /**
   * Saves the body of an HTTP response at `path`. The file exists only after the returned promise is fulfilled. Every
   * failure is thrown as a FeedError.
   */
  file(request: DownloadRequest, path: string): Promise<DownloadResult>
}

export interface DownloadRequest {
  readonly url: string
  /** Maximum size of the response body in bytes, as transferred. */
  readonly maxBytes: number
  /**
   * Request headers. They may contain keys, so they are sent only to the host of `url` and dropped on a redirect to
   * another host. An HTML response is an error unless the `accept` header names text/html.
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * HTTP validators (ETag, Last-Modified) of the copy that was downloaded before. With them the upstream may answer 304
   * Not Modified.
   */
  readonly validators?: Validators
  /**
   * Hosts to which one redirect may lead, in addition to the hosts that every download may connect to. Without
   * `redirectHosts` every redirect is an error.
   */
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
      /** Value of the HTTP header Link, in which some upstreams announce the next page. The value is not validated. */
      readonly link?: string
    }
