// Texts about a failed sign-in.
import { isVisError } from 'vis-sdk'
import { formatSeconds } from '../../text/format.ts'

/** The text under the key field. */
export function describeKeyError(error: unknown): string {
  if (!isVisError(error)) return 'The sign-in failed because of an error in the console.'
  if (error.status === 401) return 'The service does not accept this key. Check that you copied all of it.'
  if (error.status === 429) {
    const wait = error.retryAfter === undefined ? 'in a minute' : `in ${formatSeconds(error.retryAfter)}`
    return `Too many attempts. Try again ${wait}.`
  }
  if (error.code === 'NETWORK_ERROR') return 'The service does not answer. Check your connection and try again.'
  return error.message
}

/** Words in the address after a failed sign-in at the OpenID provider. */
const PROBLEMS: Readonly<Record<string, string>> = {
  denied: 'The provider did not sign you in. Try again, or ask the people who run it.',
  domain: 'The domain of your e-mail address may not sign in here. Ask the operator of this service.',
  elsewhere: 'Your e-mail address belongs to a member of another account, and can belong to one account only.',
  email: 'The provider states no confirmed e-mail address for you. Confirm your address there, then try again.',
  group: 'None of your groups at the provider may sign in here. Ask the operator of this service.',
  identity: 'Your e-mail address belongs to another identity at the provider. Ask an owner of the account.',
  provider: 'The provider does not answer as expected. Try again in a moment, or choose another way.',
  state: 'The sign-in took too long or began in another browser. Try again.',
  suspended: 'Your account is suspended. Ask the operator of this service.',
  'too-many': 'Too many sign-ins. Wait a while, then try again.',
  unknown: 'You are not a member of any account. Ask an owner of the account to invite you.',
}

/** Describes the word in `?problem=…`, or returns undefined if there is none. Anyone may have written the address. */
export function describeProblem(word: unknown): string | undefined {
  if (typeof word !== 'string' || word === '') return undefined
  return Object.hasOwn(PROBLEMS, word) ? PROBLEMS[word] : 'The sign-in failed. Try again, or choose another way.'
}
