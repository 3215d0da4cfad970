/** An error that the operator can correct, such as a wrong option. Commands print its message without a stack trace. */
export class UsageError extends Error {
  override name = 'UsageError'
}
