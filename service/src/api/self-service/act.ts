// Calls functions of the accounts database with the caller's own credential.
import { type CallProblem, CallRefusedError, type Credential } from '../../accounts/keys/credential.ts'
import { createIssue } from '../../contract/request/validation-issue.ts'
import {
  ApiError,
  badKey,
  invalidParameters,
  noSession,
  roleRefused,
  scopeRefused,
  triageRefused,
} from '../../contract/response/errors.ts'
import { PERIOD_LIMIT } from '../../contract/usage-breakdown.ts'
import type { Database } from '../../database/postgres.ts'
import type { Scope } from '../../domain/account/scope.ts'
import { requireCaller, type Services } from '../services.ts'

const MAX_CHANGES_PER_DAY = 200

/** Throws 401 or 403 if the credential lost its rights after the call was admitted. */
export async function actForCaller<T>(
  services: Services,
  work: (accounts: Database, credential: Credential) => Promise<T>,
  scope: Scope = 'manage',
): Promise<T> {
  const { credential } = requireCaller(services)
  try {
    return await work(services.accounts, credential)
  } catch (error) {
    throw error instanceof CallRefusedError ? toApiError(error.problem, credential, scope) : error
  }
}

/** A session that was made from a key has the rights of the key, so only the database knows its right to triage. */
function refuseSession(scope: Scope): ApiError {
  return scope === 'triage' ? triageRefused() : roleRefused('viewer')
}

function toApiError(problem: CallProblem, { kind }: Credential, scope: Scope): unknown {
  switch (problem) {
    case 'invalid':
      return kind === 'key' ? badKey('revoked') : noSession('ended')
    case 'forbidden':
      return kind === 'key' ? scopeRefused(scope) : refuseSession(scope)
    case 'too many changes':
      return new ApiError(
        'CONFLICT',
        `The keys and members of this account have made ${MAX_CHANGES_PER_DAY} changes within 24 hours, which is the limit. Wait, or ask an operator.`,
        { details: { limit: MAX_CHANGES_PER_DAY } },
      )
    case 'wrong period':
      return invalidParameters([{ ...createIssue('from', null, PERIOD_LIMIT), message: PERIOD_LIMIT }])
  }
}
