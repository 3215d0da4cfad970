// Gets a file from an upstream that may be slow, broken or hostile. What is promised; open-download.ts keeps it.

export interface Download {
  /** Into the given file, which is there and complete only when this resolves. Every failure is a FeedError. */
  file(request: DownloadRequest, path: string): Promise<Downloaded>
}

export interface DownloadRequest {
  readonly url: string
  /** On the wire, at most. */
  readonly maxBytes: number
  /**
   * Sent to the host of the url only, never along a redirect to another: keys may be among them. An HTML page is a
   * fault unless `accept` names text/html.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** What the upstream said of the copy we have; it may then answer that nothing changed. */
  readonly validators?: Validators
  /** Hosts to which one redirect may lead; they need not be allowed otherwise. None by default: a redirect is a fault. */
  readonly redirectHosts?: readonly string[]
  /** Statuses by which this upstream means "slower", beside 429 and 503. */
  readonly throttledBy?: readonly number[]
}

export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export type Downloaded =
  | { readonly isUnchanged: true }
  | {
      readonly isUnchanged: false
      readonly bytes: number
      readonly validators: Validators
      /** The header of this name, by which some upstreams tell where the next page is. It is theirs, and not checked. */
      readonly link?: string
    }
