// A file of the built console, as it is served.

export interface ConsoleFile {
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly etag: string
  readonly isImmutable: boolean
}
