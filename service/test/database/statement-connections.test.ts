import { afterAll, describe, expect, it } from 'vitest'
import { classifyDatabaseError } from '../../src/database/classify-error.ts'
import {
  defineStatement,
  openStatementConnections,
  type RunStatement,
  type StatementConnectionLimits,
} from '../../src/database/statement-connections.ts'
import { unprepared } from '../accounts/statements.ts'
import { createTestDatabase } from '../support/database.ts'
import { createFaultyProxy } from '../support/network/faulty-proxy.ts'
import { runStatements } from '../support/run-statements.ts'

const database = await createTestDatabase()
const LIMITS = { connections: 2, statementTimeoutMs: 1000, lockTimeoutMs: 1000, acquireTimeoutMs: 2000 }

function open(limits: Partial<StatementConnectionLimits> = {}, url = database.url) {
  const idleErrors: string[] = []
  const opened = openStatementConnections(url, 'test', { ...LIMITS, ...limits }, ({ message }) =>
    idleErrors.push(message),
  )
  afterAll(() => opened.close())
  return { ...opened, idleErrors }
}

const DOUBLE = defineStatement('select $1::integer * 2 as doubled')
const SLEEP = defineStatement('select pg_sleep($1::float8)')
const SESSION = unprepared('select pg_backend_pid()')

const double = async (run: RunStatement, n: number) => (await run(DOUBLE, [String(n)]))[0]?.[0]
const readSession = async (run: RunStatement) => (await run(SESSION, []))[0]?.[0] ?? ''

/** Returns how often each connection has executed the prepared statement DOUBLE. */
const countPreparedCalls = async (run: RunStatement) =>
  await run(
    unprepared(`
      select generic_plans + custom_plans
        from pg_prepared_statements
       where statement = '${DOUBLE.text}'
    `),
    [],
  )

const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('Statement connections: prepared statements', () => {
  it('prepare a statement once and use it for all values', async () => {
    const { run } = open()
    expect([await double(run, 1), await double(run, 2), await double(run, 3)]).toEqual(['2', '4', '6'])
    expect(await countPreparedCalls(run)).toEqual([['3']])
  })

  it('keep a statement prepared even if its first execution failed', async () => {
    const { run } = open()
    const divide = defineStatement('select 1 / $1::integer')
    expect(await catchError(run(divide, ['0']))).toMatchObject({ code: '22012' })
    expect(await run(divide, ['1'])).toEqual([['1']])
    await double(run, 1)
    expect(await countPreparedCalls(run)).toEqual([['1']])
  })

  it('stop preparing after a connection pooler has switched the database session', async () => {
    const { run } = open()
    await double(run, 1)
    await run(unprepared('deallocate all'), [])
    expect([await double(run, 2), await double(run, 3)]).toEqual(['4', '6'])
    expect(await countPreparedCalls(run)).toEqual([])
  })

  it("stop preparing if the pooler's session already has a statement of the same name", async () => {
    const { run } = open()
    await run(unprepared(`prepare "${DOUBLE.name}" as select 7`), [])
    expect([await double(run, 2), await double(run, 3)]).toEqual(['4', '6'])
  })
})

describe('Statement connections: opening', () => {
  it('use one connection for consecutive statements, and two for concurrent ones', async () => {
    const { run, counts } = open()
    expect(counts()).toEqual({ total: 0, idle: 0, waiting: 0 })
    await double(run, 1)
    await double(run, 2)
    expect(counts()).toEqual({ total: 1, idle: 1, waiting: 0 })
    const both = Promise.all([run(SLEEP, ['0.2']), run(SLEEP, ['0.2'])])
    expect(counts()).toEqual({ total: 1, idle: 0, waiting: 1 })
    await both
    expect(counts()).toEqual({ total: 2, idle: 2, waiting: 0 })
  })

  it('reject a statement if no connection is opened in time, and keep the connection for the next one', async () => {
    const link = await createFaultyProxy(database.url)
    link.delayAnswers(300)
    const { run, counts } = open({ acquireTimeoutMs: 100, openTimeoutMs: 100 }, link.url)
    // The credit meter searches the message for "trying to connect" to know that no charge was sent.
    expect(await catchError(double(run, 1))).toMatchObject({ message: expect.stringContaining('trying to connect') })
    await expect.poll(() => counts().idle).toBe(1)
    expect(await double(run, 2)).toBe('4')
    expect(link.connections).toBe(1)
  })

  it('wait longer for a connection that is being opened than for a connection in use', async () => {
    const link = await createFaultyProxy(database.url)
    link.delayOpening(400)
    const { run } = open({ acquireTimeoutMs: 100, openTimeoutMs: 60_000 }, link.url)
    expect(await double(run, 1)).toBe('2')
  })

  it('are all opened by warmUp, before the first statement', async () => {
    const { warmUp, counts } = open()
    await warmUp()
    expect(counts()).toEqual({ total: 2, idle: 2, waiting: 0 })
    await expect(open({}, 'postgres://postgres@127.0.0.1:1/x').warmUp()).rejects.toThrow('ECONNREFUSED')
  })

  it('report a closed port as unreachable', async () => {
    const { run } = open({}, 'postgres://postgres@127.0.0.1:1/x')
    expect(classifyDatabaseError(await catchError(double(run, 1)))).toBe('unreachable')
  })
})

describe('Statement connections: faults', () => {
  it('keep a connection whose statement the server cancelled', async () => {
    const { run } = open({ statementTimeoutMs: 200 })
    const session = await readSession(run)
    const error = await catchError(run(SLEEP, ['2']))
    expect([error, classifyDatabaseError(error)]).toEqual([expect.objectContaining({ code: '57014' }), 'timeout'])
    expect(await readSession(run)).toBe(session)
  })

  it('replace a connection whose response did not arrive in time, and ignore the late response', async () => {
    const link = await createFaultyProxy(database.url)
    const { run } = open({ statementTimeoutMs: 200, readGraceMs: 50 }, link.url)
    await double(run, 1)
    link.holdAnswers()
    expect(await catchError(double(run, 2))).toMatchObject({ message: 'Query read timeout' })
    link.releaseAnswers()
    expect(await double(run, 3)).toBe('6')
    expect(link.connections).toBe(2)
  })

  it('report and replace a connection that the server closed while it was idle', async () => {
    const { run, counts, idleErrors } = open()
    await runStatements(database.url, `select pg_terminate_backend(${await readSession(run)})`)
    await expect.poll(() => [counts().total, idleErrors.length]).toEqual([0, 1])
    expect(await double(run, 2)).toBe('4')
  })

  it('fail the running statement when the connection is lost, and replace the connection', async () => {
    const link = await createFaultyProxy(database.url)
    const { run, idleErrors } = open({}, link.url)
    await double(run, 1)
    const sleeping = catchError(run(SLEEP, ['0.5']))
    link.resetAll()
    expect(classifyDatabaseError(await sleeping)).toBe('unreachable')
    expect(await double(run, 2)).toBe('4')
    expect(idleErrors).toEqual([])
  })

  it('replace a connection whose server has become read-only, because the primary may have moved', async () => {
    const { run } = open()
    const session = await readSession(run)
    await run(unprepared('set default_transaction_read_only = on'), [])
    const error = await catchError(run(unprepared('create table public.written (id integer)'), []))
    expect([error, classifyDatabaseError(error)]).toEqual([expect.objectContaining({ code: '25006' }), 'unreachable'])
    expect(await readSession(run)).not.toBe(session)
    expect(await run(unprepared('show default_transaction_read_only'), [])).toEqual([['off']])
  })
})

describe('Closing statement connections', () => {
  it('waits for the running statement and then refuses further ones', async () => {
    const { run, close, counts } = open()
    const sleeping = run(SLEEP, ['0.2'])
    const closed = close()
    expect(classifyDatabaseError(await catchError(double(run, 1)))).toBe('unreachable')
    expect(await sleeping).toEqual([['']])
    await closed
    expect(counts().waiting).toBe(0)
  })
})
