import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { type Failure, classifyDatabaseError } from '../../src/database/classify-error.ts'
import { PoolQueueFull } from '../../src/database/postgres.ts'

function ofServer(code: string): DatabaseError {
  const error = new DatabaseError(`the server said ${code}`, 0, 'error')
  error.code = code
  return error
}

const ofSystem = (code: string, syscall = 'connect') => Object.assign(new Error(code), { code, syscall })

describe('What an answer of the server means', () => {
  it.each<[string, string, Failure]>([
    ['08006', 'the connection failed', 'unreachable'],
    ['25006', 'a primary has become a replica', 'unreachable'],
    ['40001', 'replay on a replica needs the rows that are read', 'unreachable'],
    ['40P01', 'a deadlock was broken', 'unreachable'],
    ['53100', 'its disk is full', 'unreachable'],
    ['53200', 'it is out of memory', 'unreachable'],
    ['53300', 'it has too many connections', 'unreachable'],
    ['57P01', 'it is stopping', 'unreachable'],
    ['57P03', 'it is starting', 'unreachable'],
    ['58030', 'its disk fails', 'unreachable'],
    ['58P01', 'it misses a file', 'unreachable'],
    ['28000', 'no such login', 'refused'],
    ['28P01', 'a wrong password', 'refused'],
    ['3D000', 'no such database', 'refused'],
    ['57014', 'the statement took too long', 'too slow'],
    ['55P03', 'the lock was not free', 'too slow'],
    ['25P03', 'the transaction was idle', 'too slow'],
    ['42P01', 'no such table', 'mistake'],
    ['42501', 'no right to do it', 'mistake'],
    ['23505', 'not unique', 'mistake'],
    ['40002', 'a rule broken at commit', 'mistake'],
    ['22P02', 'not a number', 'mistake'],
  ])('%s (%s): %s', (code, _, failure) => {
    expect(classifyDatabaseError(ofServer(code))).toBe(failure)
  })
})

describe('What a failure on the way means', () => {
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
  ])('%s: unreachable', (code) => {
    expect(classifyDatabaseError(ofSystem(code))).toBe('unreachable')
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
  ])('"%s": unreachable', (message) => {
    expect(classifyDatabaseError(new Error(message))).toBe('unreachable')
  })

  it('a full queue: unreachable', () => {
    expect(classifyDatabaseError(new PoolQueueFull(100))).toBe('unreachable')
  })

  it('an answer that never came: too slow', () => {
    expect(classifyDatabaseError(new Error('Query read timeout'))).toBe('too slow')
  })

  it.each(['ENOENT', 'EACCES'])('%s of a file rather than a socket: our mistake', (code) => {
    expect(classifyDatabaseError(ofSystem(code, 'open'))).toBe('mistake')
  })

  it.each([new TypeError('x is not a function'), 'thrown text', undefined])('%s: our mistake', (thrown) => {
    expect(classifyDatabaseError(thrown)).toBe('mistake')
  })
})
