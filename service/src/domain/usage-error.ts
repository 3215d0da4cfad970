/**
 * An error that the operator can correct, such as a wrong option. Commands print the message of the error without a
 * stack trace.
 */
export class UsageError extends Error {
  override name = 'UsageError'
}
