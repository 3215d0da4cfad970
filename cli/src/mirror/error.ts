/** Error for a copy that cannot be created or continued; visctl then exits with code 1. */
export class MirrorError extends Error {
  /** Advice for the user, printed on its own line. */
  readonly advice: string

  constructor(message: string, advice: string) {
    super(message)
    this.name = 'MirrorError'
    this.advice = advice
  }
}
