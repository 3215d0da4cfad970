export interface RedHatSettings {
  /** The folder of all that follows, with a slash at its end. */
  readonly url: string
  /** How many changed files are asked for in one run. */
  readonly filesPerRun: number
  /** Between one file and the next. */
  readonly pauseMs: number
}

/** The largest known have some megabytes; parsed, one takes ten times its size. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 ** 2
