// What a failed query means for the caller: come back soon, ask for less, or our mistake.
import { DatabaseError } from 'pg'
import { PoolQueueFull } from './postgres.ts'

/** `refused`: the server is there, but not for us: wrong password, or no such database. */
export type Failure = 'unreachable' | 'refused' | 'too slow' | 'mistake'

// SQLSTATEs of a server that is away, starting, stopping, full, failing over or in trouble with its disk; and of work
// that it gave up for the sake of other work: 40001 is also what a replica says when replay needs the rows being read.
const UNREACHABLE_STATES = /^(08|53|57P|58|25006|40001|40P01)/
const REFUSED_STATES = /^(28|3D000)/
const TOO_SLOW_STATES = new Set(['57014', '55P03', '25P03'])
const NETWORK_CODES = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EPROTO|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)/
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/
// Of a socket in the file system. The same codes of a file that cannot be read are a mistake.
const SOCKET_FILE_CODES = /^(ENOENT|EACCES)$/
const CLIENT_MESSAGES = new RegExp(
  [
    'connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'client has encountered a connection error',
    'client was closed and is not queryable',
    'cannot use a pool after calling end on the pool',
  ].join('|'),
  'i',
)

export function classifyDatabaseError(error: unknown): Failure {
  if (error instanceof PoolQueueFull) return 'unreachable'
  if (error instanceof DatabaseError) return failureOfState(error.code ?? '')
  if (!(error instanceof Error)) return 'mistake'
  if (error.message === 'Query read timeout') return 'too slow'
  return isOfConnection(error) || CLIENT_MESSAGES.test(error.message) ? 'unreachable' : 'mistake'
}

function isOfConnection(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (SOCKET_FILE_CODES.test(code)) return 'syscall' in error && error.syscall === 'connect'
  return NETWORK_CODES.test(code) || TLS_CODES.test(code)
}

function failureOfState(state: string): Failure {
  if (TOO_SLOW_STATES.has(state)) return 'too slow'
  if (REFUSED_STATES.test(state)) return 'refused'
  return UNREACHABLE_STATES.test(state) ? 'unreachable' : 'mistake'
}
