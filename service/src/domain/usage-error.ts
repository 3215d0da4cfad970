/** The operator can correct it, such as a wrong option. Commands print the message without a stack trace. */
export class UsageError extends Error {
  override name = 'UsageError'
}
