import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { classifyDatabaseError, type DatabaseErrorKind } from '../../src/database/classify-error.ts'
import { PoolQueueFullError } from '../../src/database/postgres.ts'

function createServerError(code: string): DatabaseError {
  const error = new DatabaseError(`server error ${code}`, 0, 'error')
  error.code = code
  return error
}

const createSystemError = (code: string, syscall = 'connect') => Object.assign(new Error(code), { code, syscall })

describe('classifyDatabaseError: errors from the server', () => {
  it.each<[string, string, DatabaseErrorKind]>([
    ['08006', 'the connection failed', 'unreachable'],
    ['25006', 'a primary has become a replica', 'unreachable'],
    ['40001', 'replay on a replica needs the rows being read', 'unreachable'],
    ['40P01', 'a deadlock was broken', 'unreachable'],
    ['53100', "the server's disk is full", 'unreachable'],
    ['53200', 'the server is out of memory', 'unreachable'],
    ['53300', 'the server has too many connections', 'unreachable'],
    ['57P01', 'the server is stopping', 'unreachable'],
    ['57P03', 'the server is starting', 'unreachable'],
    ['58030', "the server's disk fails", 'unreachable'],
    ['58P01', 'a file is missing on the server', 'unreachable'],
    ['28000', 'the login does not exist', 'access denied'],
    ['28P01', 'the password is wrong', 'access denied'],
    ['3D000', 'the database does not exist', 'access denied'],
    ['57014', 'the statement took too long', 'timeout'],
    ['55P03', 'the lock was not released in time', 'timeout'],
    ['25P03', 'the transaction was idle', 'timeout'],
    ['42P01', 'the table does not exist', 'bug'],
    ['42501', 'permission is denied', 'bug'],
    ['23505', 'a unique key is violated', 'bug'],
    ['40002', 'a constraint is violated at commit', 'bug'],
    ['22P02', 'the text is not a number', 'bug'],
  ])('classifies SQLSTATE %s (%s) as %s', (code, _, kind) => {
    expect(classifyDatabaseError(createServerError(code))).toBe(kind)
  })
})

describe('classifyDatabaseError: connection errors', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
    'EACCES',
    'EMFILE',
    'ENFILE',
    'EPROTO',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('classifies the error code %s as unreachable', (code) => {
    expect(classifyDatabaseError(createSystemError(code))).toBe('unreachable')
  })

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('classifies the message "%s" as unreachable', (message) => {
    expect(classifyDatabaseError(new Error(message))).toBe('unreachable')
  })

  it('classifies a full queue of queries waiting for a connection as unreachable', () => {
    expect(classifyDatabaseError(new PoolQueueFullError(100))).toBe('unreachable')
  })

  it('classifies a read timeout as timeout', () => {
    expect(classifyDatabaseError(new Error('Query read timeout'))).toBe('timeout')
  })

  it.each(['ENOENT', 'EACCES'])('classifies the error code %s for a file that is not a socket as bug', (code) => {
    expect(classifyDatabaseError(createSystemError(code, 'open'))).toBe('bug')
  })

  it.each([new TypeError('x is not a function'), 'thrown text', undefined])(
    'classifies other thrown values as bug: %s',
    (thrown) => {
      expect(classifyDatabaseError(thrown)).toBe('bug')
    },
  )
})
