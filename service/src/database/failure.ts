// What a failed query means for the caller: come back soon, ask for less, or our mistake.
import { DatabaseError } from 'pg'
import { PoolQueueFull } from './postgres.ts'

/** `refused`: the server is there, but not for us: wrong password, or no such database. */
export type Failure = 'unreachable' | 'refused' | 'too slow' | 'mistake'

// SQLSTATE classes of a server that is away, starting, stopping, full or failing over.
const UNREACHABLE_STATES = /^(08|53|57P|25006)/
const REFUSED_STATES = /^(28|3D000)/
const TOO_SLOW_STATES = new Set(['57014', '55P03', '25P03'])
const NETWORK_CODES = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/
const CLIENT_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i

export function failureOf(error: unknown): Failure {
  if (error instanceof PoolQueueFull) return 'unreachable'
  if (error instanceof DatabaseError) return failureOfState(error.code ?? '')
  if (!(error instanceof Error)) return 'mistake'
  if (error.message === 'Query read timeout') return 'too slow'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return NETWORK_CODES.test(code) || CLIENT_MESSAGES.test(error.message) ? 'unreachable' : 'mistake'
}

function failureOfState(state: string): Failure {
  if (TOO_SLOW_STATES.has(state)) return 'too slow'
  if (REFUSED_STATES.test(state)) return 'refused'
  return UNREACHABLE_STATES.test(state) ? 'unreachable' : 'mistake'
}
