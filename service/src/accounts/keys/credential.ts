// The credential of a caller. Database functions that act for a caller take the digest of the credential instead of an
// account id, check its rights themselves, and refuse it with their own SQLSTATEs.
import { DatabaseError } from 'pg'
import type { Operation } from '../audit.ts'

export interface Credential {
  readonly kind: 'key' | 'session'
  /** SHA-256 digest of the API key or of the session id, in hexadecimal. */
  readonly digest: string
}

/**
 * An operator who acts for an account. The database accepts it only from a login that is a member of the owner role.
 */
interface OperatorCredential {
  readonly kind: 'operator'
  /** The id of the account and the operator's name, in hexadecimal. */
  readonly digest: string
}

export type Actor = Credential | OperatorCredential

export function actFor({ operator }: Operation, accountId: string): OperatorCredential {
  return { kind: 'operator', digest: Buffer.from(`${accountId} ${operator}`).toString('hex') }
}

const PROBLEMS = {
  VI001: 'invalid',
  VI003: 'forbidden',
  VI009: 'too many changes',
  VI022: 'wrong period',
} as const satisfies Record<string, string>

/**
 * Reason why the database refused a function call. `invalid`: the key or session was valid when the call was admitted
 * but no longer is. `forbidden`: it lacks the right. `too many changes`: the account has made 200 changes within 24
 * hours. `wrong period`: a period is not 1 to 400 days long.
 */
export type CallProblem = (typeof PROBLEMS)[keyof typeof PROBLEMS]

export class CallRefusedError extends Error {
  readonly problem: CallProblem

  constructor(problem: CallProblem, cause: Error) {
    super(cause.message, { cause })
    this.name = 'CallRefusedError'
    this.problem = problem
  }
}

export async function translateRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const problem = error instanceof DatabaseError ? findProblem(error.code) : undefined
    throw problem && error instanceof Error ? new CallRefusedError(problem, error) : error
  }
}

function findProblem(code: string | undefined): CallProblem | undefined {
  return Object.entries(PROBLEMS).find(([state]) => state === code)?.[1]
}
