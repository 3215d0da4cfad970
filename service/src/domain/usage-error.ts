/** What the operator can put right; shown without a stack. */
export class UsageError extends Error {
  override name = 'UsageError'
}
