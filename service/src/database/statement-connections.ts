// A few database connections for statements that run all the time. They use no connection pool and no query builder,
// which take more processor time than such a statement itself.
//
// Each connection runs one statement at a time, and the caller never starts more statements at once than there are
// connections, so no statement waits for another. A connection is opened on first use. It is replaced if it is lost, if
// a reply does not arrive in time, or if the server becomes read-only.
//
// State: the open connections, in the memory of this process. If the process dies, the server rolls back statements
// that it has not committed.
import { Client, type ClientConfig } from 'pg'
import {
  buildClientConfig,
  type ConnectionCounts,
  type ConnectionLimits,
  createConnectTimeoutError,
  getOpenTimeoutMs,
  isConnectionUsable,
} from './postgres.ts'
import { createStatementName, isFromOtherSession } from './prepare.ts'
import { type PreparedStatement, runPreparedQuery, type TextRow } from './prepared-query.ts'

/** Runs a statement and returns its rows. Values and columns are strings. */
export type RunStatement = (statement: PreparedStatement, values: readonly string[]) => Promise<readonly TextRow[]>

export interface StatementConnections {
  readonly run: RunStatement
  warmUp(): Promise<void>
  counts(): ConnectionCounts
  close(): Promise<void>
}

export interface StatementConnectionLimits extends ConnectionLimits {
  readonly connections: number
}

/** Keep-alive probes keep the connection open in firewalls, and reveal a lost one before a statement needs it. */
const KEEP_ALIVE_DELAY_MS = 30_000

/** Defines a statement that each connection prepares once. The placeholders of `text` are $1, $2 and so on. */
export function defineStatement(text: string): PreparedStatement {
  return { name: createStatementName(text), text }
}

export function openStatementConnections(
  url: string,
  name: string,
  { connections, ...limits }: StatementConnectionLimits,
  onIdleError: (error: Error) => void,
): StatementConnections {
  const config = { ...buildClientConfig(url, name, limits), keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS }
  const slots = Array.from({ length: connections }, () => createSlot(config, onIdleError))
  const send = createSender()
  const openTimeoutMs = getOpenTimeoutMs(limits)
  const idle = Promise.withResolvers<void>()
  let isClosing = false
  const resolveIfIdle = () => {
    if (isClosing && !slots.some(({ isBusy }) => isBusy)) idle.resolve()
  }
  return {
    run: async (statement, values) => {
      if (isClosing) throw new Error('Client was closed and is not queryable')
      const slot = takeSlot(slots)
      try {
        return await send(slot.client ?? (await waitForClient(slot, openTimeoutMs)), statement, values)
      } catch (error) {
        if (!isConnectionUsable(error)) slot.discard()
        throw error
      } finally {
        slot.isBusy = false
        resolveIfIdle()
      }
    },
    warmUp: async () => {
      await Promise.all(slots.filter(({ client }) => !client).map((slot) => slot.connect()))
    },
    counts: () => ({
      total: slots.filter(({ client }) => client).length,
      idle: slots.filter(({ client, isBusy }) => client && !isBusy).length,
      waiting: slots.filter(({ client, isBusy }) => !client && isBusy).length,
    }),
    close: async () => {
      isClosing = true
      resolveIfIdle()
      await idle.promise
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

interface Slot {
  isBusy: boolean
  readonly client: Client | undefined
  readonly isConnecting: boolean
  /** Opens the connection. Concurrent calls share one attempt. */
  connect(): Promise<Client>
  /** Closes the open connection at once. A connection that is being opened is kept. */
  discard(): void
  close(): Promise<void>
}

function createSlot(config: ClientConfig, onIdleError: (error: Error) => void): Slot {
  let client: Client | undefined
  let connecting: Promise<Client> | undefined
  const open = async () => {
    const opened = new Client(config)
    opened.on('error', (error) => {
      if (client === opened) slot.discard()
      if (!slot.isBusy) onIdleError(error)
    })
    try {
      await opened.connect()
      client = opened
      return opened
    } finally {
      connecting = undefined
    }
  }
  const slot: Slot = {
    isBusy: false,
    get client() {
      return client
    },
    get isConnecting() {
      return connecting !== undefined
    },
    connect: () => {
      connecting ??= open()
      return connecting
    },
    discard: () => {
      // While a query is active, `end` closes the socket at once instead of waiting for the query.
      void client?.end()
      client = undefined
    },
    close: async () => {
      await connecting?.catch(() => {})
      await client?.end()
    },
  }
  return slot
}

/** Prefers an open connection, so that few calls keep few connections open. */
function takeSlot(slots: readonly Slot[]): Slot {
  const slot =
    slots.find(({ isBusy, client }) => !isBusy && client) ??
    slots.find(({ isBusy, isConnecting }) => !isBusy && isConnecting) ??
    slots.find(({ isBusy }) => !isBusy)
  if (!slot) throw new Error(`More than ${slots.length} statements were started at once.`)
  slot.isBusy = true
  return slot
}

/**
 * Opens the connection within a time limit. After that, the attempt continues in the background for the next statement.
 */
function waitForClient(slot: Slot, timeoutMs: number): Promise<Client> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createConnectTimeoutError()), timeoutMs)
    slot
      .connect()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

type SendStatement = (client: Client, ...statement: Parameters<RunStatement>) => ReturnType<RunStatement>

/** Returns a function that prepares statements until a connection pooler switches the database session. */
function createSender(): SendStatement {
  let isPreparing = true
  const sendUnprepared: SendStatement = (client, { text }, values) =>
    runPreparedQuery(client, { name: '', text }, values)
  return async (client, statement, values) => {
    if (!isPreparing) return sendUnprepared(client, statement, values)
    try {
      return await runPreparedQuery(client, statement, values)
    } catch (error) {
      if (!isFromOtherSession(error)) throw error
      isPreparing = false
      return sendUnprepared(client, statement, values)
    }
  }
}
