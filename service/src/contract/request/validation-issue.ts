// A validation issue: one problem with one parameter, in the form in which the error response shows it (decision B3).
import { containsKey } from '../../domain/account/key-form.ts'
import { findNearest } from './did-you-mean.ts'
import { suggestName } from './suggest-name.ts'

export interface ValidationIssue {
  readonly parameter: string
  /** The value of the parameter as sent, truncated. Null if the value is missing or the list has too many items. */
  readonly value: unknown
  readonly message: string
  /** The accepted values of the parameter, or one phrase that describes them. */
  readonly allowed?: readonly string[]
  readonly suggestion?: string
  /**
   * Subject of the error message if the problem does not concern the whole parameter, such as "each of severity". It is
   * used only to build the message and is not part of the response.
   */
  readonly subject?: string
  /**
   * Message without the list of accepted values. It replaces `message` if an earlier issue in the response already
   * states that list and the response would become too large. It is not part of the response.
   */
  readonly brief?: string
}

export type Reading<T> = { readonly value: T } | { readonly issues: readonly ValidationIssue[] }

const MAX_ECHO_LENGTH = 200
const MAX_NAME_LENGTH = 64

/**
 * Returns the value as the error response repeats it: at most 200 characters, and never text that looks like an API key
 * (threat T-4).
 */
function echo(value: unknown): unknown {
  if (typeof value === 'string')
    return containsKey(value) ? '[redacted]' : value.slice(0, MAX_ECHO_LENGTH).toWellFormed()
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return echo(toJson(value))
}

/** Returns the name of an unknown parameter as the error response repeats it. */
export function echoName(name: string): string {
  return String(echo(name)).slice(0, MAX_NAME_LENGTH).toWellFormed()
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // JSON.stringify throws for very deeply nested JSON, even if JSON.parse can read it.
    return '[nested too deeply to repeat]'
  }
}

/**
 * Creates a validation issue. `expects` completes the message "must be …". `choices` lists the accepted values, if they
 * can be listed.
 */
export function createIssue(
  parameter: string,
  value: unknown,
  expects: string,
  choices?: readonly string[],
): ValidationIssue {
  const suggestion = choices && typeof value === 'string' ? findNearest(value, choices) : undefined
  return {
    parameter,
    value: echo(value),
    message: `must be ${expects}`,
    allowed: choices ?? [expects],
    ...(choices === undefined ? {} : { brief: 'is not one of the allowed values' }),
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

/** Creates the validation issue for a required parameter or body field that is missing. */
export function createMissingIssue(parameter: string, expects: string, choices?: readonly string[]): ValidationIssue {
  return { ...createIssue(parameter, null, expects, choices), message: `is required: ${expects}` }
}

/** Creates the validation issue for one invalid item of a list parameter. */
export function createItemIssue(
  parameter: string,
  value: unknown,
  expects: string,
  choices?: readonly string[],
): ValidationIssue {
  return { ...createIssue(parameter, value, expects, choices), subject: `each of ${parameter}` }
}

/**
 * The type of an unknown name, such as "query parameter", and what defines the known names, such as "this endpoint".
 */
interface NameKind {
  readonly kind: string
  readonly owner: string
}

/** Creates the validation issue for an unknown parameter, body field or member. */
export function createUnknownNameIssue(
  name: string,
  value: unknown,
  knownNames: readonly string[],
  { kind, owner }: NameKind,
): ValidationIssue {
  const suggestion = suggestName(name, knownNames)
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  const allowed = knownNames.length === 0 ? `${owner} takes no ${kind}s` : `allowed are ${knownNames.join(', ')}`
  const brief = `is not a ${kind} of ${owner}${hint}`
  return {
    parameter: echoName(name),
    value: echo(value),
    message: hint === '' ? `${brief}; ${allowed}` : brief,
    brief,
    allowed: knownNames,
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}
