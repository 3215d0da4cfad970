// Classifies database errors by what the caller should do: retry later, request less, or report a bug.
import { DatabaseError } from 'pg'
import { PoolQueueFullError } from './postgres.ts'

/**
 * Kinds of database errors. `unreachable`: transient, the request may be retried. `access denied`: wrong password or no
 * such database. `timeout`: the statement took too long or waited too long for a lock. `bug`: an error in this program,
 * such as invalid SQL.
 */
export type DatabaseErrorKind = 'unreachable' | 'access denied' | 'timeout' | 'bug'

// SQLSTATEs that mean "retry later": the server is stopped, starting, stopping, out of connections, failing over or out
// of disk space, or it cancelled a statement in favour of other work. For example, a replica sends 40001 when replay
// needs the rows that a query is reading.
const UNREACHABLE_STATES = /^(08|53|57P|58|25006|40001|40P01)/
const ACCESS_DENIED_STATES = /^(28|3D000)/
const TIMEOUT_STATES = new Set(['57014', '55P03', '25P03'])
const NETWORK_CODES = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EPROTO|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)/
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/
// Error codes of a missing unix socket. The same codes for any other file mean a bug, so the system call is checked
// too.
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

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (error instanceof PoolQueueFullError) return 'unreachable'
  if (error instanceof DatabaseError) return classifyState(error.code ?? '')
  if (!(error instanceof Error)) return 'bug'
  if (isReadTimeout(error)) return 'timeout'
  return isConnectionError(error) || CLIENT_MESSAGES.test(error.message) ? 'unreachable' : 'bug'
}

/** Also true for a server that does not answer within its own statement timeout: it hangs, or packets are dropped. */
export function isServerUnreachable(error: unknown): boolean {
  return classifyDatabaseError(error) === 'unreachable' || isReadTimeout(error)
}

function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function isConnectionError(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (SOCKET_FILE_CODES.test(code)) return 'syscall' in error && error.syscall === 'connect'
  return NETWORK_CODES.test(code) || TLS_CODES.test(code)
}

function classifyState(state: string): DatabaseErrorKind {
  if (TIMEOUT_STATES.has(state)) return 'timeout'
  if (ACCESS_DENIED_STATES.test(state)) return 'access denied'
  return UNREACHABLE_STATES.test(state) ? 'unreachable' : 'bug'
}
