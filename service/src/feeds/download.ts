// Interface of the downloader that feeds use; download/open-download.ts implements it.

export interface Download {
  /** The file at `path` exists only after the promise is fulfilled. Every failure is a FeedError. */
  file(request: DownloadRequest, path: string): Promise<DownloadResult>
}

/** The clock, the connection and the folder that a feed downloads with. */
export interface DownloadContext {
  readonly now: Date
  readonly download: Download
  /** Folder for downloaded files. */
  readonly spool: string
  /** Aborted when the worker has lost its lease on the feed or the process is stopping. */
  readonly signal: AbortSignal
  /** Records a notice: a message for operators that is not an error. */
  notice(sentence: string): void
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
  /** Called with the number of bytes that were received so far; a further attempt starts again. */
  readonly onBytes?: (received: number) => void
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
