// Errors identify the faulty member of the document by its path.

import { createIssue } from '../../../contract/request/validation-issue.ts'
import { type ApiError, invalidParameters } from '../../../contract/response/errors.ts'

export function notSupported(path: string, value: unknown, allowed: readonly string[]): ApiError {
  return invalidParameters([createIssue(path, value ?? null, `one of ${allowed.join(', ')}`, allowed)])
}

export function notExpected(path: string, value: unknown, expects: string): ApiError {
  return invalidParameters([createIssue(path, value ?? null, expects)])
}

/** `message` completes a sentence that starts with the path. */
export function documentIssue(path: string, allowed: string, message: string): ApiError {
  return invalidParameters([{ ...createIssue(path, null, allowed), message }])
}
