// A TCP proxy in front of PostgreSQL that parses the client's messages, counts the database calls, and injects a fault
// at one call.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUpAfterTests } from '../cleanup.ts'

export interface NthFaultProxy {
  /** URL of the database, with the port replaced by the port of the proxy. */
  readonly url: string
  /** Database calls since `arm` was called, in order: `connect`, SQL statements, `copy data`, `copy end`. */
  readonly calls: readonly string[]
  /** Whether the database call at which the fault is injected was reached. */
  readonly hasTriggered: boolean
  /** Restarts the count of calls at 1 and accepts connections again. Without `fault`, the proxy only counts. */
  arm(fault?: Fault): void
  /** Closes all connections, and every new connection until `arm` is called again. */
  refuseConnections(): void
  close(): void
}

/** A fault of a database connection that the proxy triggers once. */
export interface Fault {
  /** Call at which the fault is triggered: its number, from 1, or a pattern for its SQL text. */
  readonly call: number | RegExp
  readonly moment: Moment
  /**
   * Callback for the time when the chosen database call is reached. The connection is blocked until a method of `held`
   * is called.
   */
  trigger(held: HeldCall): void
}

/**
 * Time of the fault. `before`: the server has not received the call. `answered`: the client has not received the
 * answer.
 */
export type Moment = 'before' | 'answered'

export interface HeldCall {
  disconnect(): void
  forward(): void
}

interface State {
  calls: string[]
  fault: Fault | undefined
  hasTriggered: boolean
  isRefusing: boolean
  readonly connections: Set<ProxiedConnection>
}

interface ProxiedConnection {
  disconnect(): void
}

export async function createNthFaultProxy(target: string): Promise<NthFaultProxy> {
  const state: State = { calls: [], fault: undefined, hasTriggered: false, isRefusing: false, connections: new Set() }
  const server = createServer((client) => {
    if (state.isRefusing) client.destroy()
    else openConnection(state, client, target)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const disconnectAll = () => {
    for (const connection of state.connections) connection.disconnect()
  }
  const close = () => {
    disconnectAll()
    server.close()
  }
  cleanUpAfterTests(close)
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get calls() {
      return state.calls
    },
    get hasTriggered() {
      return state.hasTriggered
    },
    arm: (fault) => Object.assign(state, { calls: [], fault, hasTriggered: false, isRefusing: false }),
    refuseConnections: () => {
      state.isRefusing = true
      disconnectAll()
    },
    close,
  }
}

function openConnection(state: State, client: Socket, target: string): void {
  const { hostname, port } = new URL(target)
  const upstream = connect(Number(port), hostname)
  const disconnect = () => {
    client.destroy()
    upstream.destroy()
    state.connections.delete(connection)
  }
  const connection = { disconnect }
  state.connections.add(connection)
  const answers = createGate((bytes: Buffer) => void client.write(bytes))
  const calls = createGate((call: Call) => {
    upstream.write(call.bytes)
    if (!isFaultAt(state, call, 'answered')) return
    if (call.hasAnswer) answers.holdNext(triggerAt(answers))
    else triggerAt(calls)()
  })
  const triggerAt =
    (gate: Gate<never>): (() => void) =>
    () => {
      gate.close()
      state.hasTriggered = true
      state.fault?.trigger({ disconnect, forward: () => gate.open() })
    }
  const assemble = createCallAssembler((call) => {
    state.calls.push(call.text)
    const numbered = { ...call, number: state.calls.length }
    if (isFaultAt(state, numbered, 'before')) triggerAt(calls)()
    calls.put(numbered)
  })
  client.on('data', assemble)
  upstream.on('data', (chunk) => answers.put(chunk))
  for (const socket of [client, upstream]) socket.on('error', disconnect).on('close', disconnect)
}

function isFaultAt({ fault, hasTriggered }: State, { number, text }: Call, moment: Moment): boolean {
  if (fault?.moment !== moment || hasTriggered) return false
  return typeof fault.call === 'number' ? fault.call === number : fault.call.test(text)
}

interface Call {
  readonly number: number
  readonly text: string
  readonly bytes: Buffer
  /**
   * Whether the server answers the call. False for CopyData, because the server does not answer single messages of a
   * COPY.
   */
  readonly hasAnswer: boolean
}

interface Gate<T> {
  put(item: T): void
  close(): void
  open(): void
  /**
   * Calls `callback` once, before the next item passes the queue. If the callback closes the queue, the item stays in
   * it.
   */
  holdNext(callback: () => void): void
}

/** A queue that passes items on in order while it is open and holds them while it is closed. */
function createGate<T>(pass: (item: T) => void): Gate<T> {
  const waiting: T[] = []
  let isClosed = false
  let onNext: (() => void) | undefined
  const passNext = () => {
    if (isClosed || waiting.length === 0) return
    for (const item of waiting.splice(0, 1)) pass(item)
    passNext()
  }
  return {
    put: (item) => {
      waiting.push(item)
      onNext?.()
      onNext = undefined
      passNext()
    },
    close: () => {
      isClosed = true
    },
    open: () => {
      isClosed = false
      passNext()
    },
    holdNext: (callback) => {
      onNext = callback
    },
  }
}

/** Types of the PostgreSQL client messages that end a database call: Query, Sync, CopyData, CopyDone, CopyFail. */
const LAST_MESSAGE_TYPES = new Set(['Q', 'S', 'd', 'c', 'f'])
const TYPE_BYTES = 1
const LENGTH_BYTES = 4

/**
 * Splits the bytes that a PostgreSQL client sends into database calls. The client's first message, which opens the
 * connection, has no type byte.
 */
function createCallAssembler(onCall: (call: Omit<Call, 'number'>) => void): (chunk: Buffer) => void {
  let [rest, parts, text, isFirst]: [Buffer, Buffer[], string, boolean] = [Buffer.alloc(0), [], '', true]
  const take = (length: number): Buffer => {
    const message = rest.subarray(0, length)
    rest = rest.subarray(length)
    return message
  }
  const finish = (callText: string, hasAnswer = true) => {
    onCall({ text: callText, hasAnswer, bytes: Buffer.concat(parts) })
    ;[parts, text] = [[], '']
  }
  const parseNext = (): boolean => {
    const header = isFirst ? 0 : TYPE_BYTES
    if (rest.length < header + LENGTH_BYTES) return false
    const length = header + rest.readInt32BE(header)
    if (rest.length < length) return false
    const message = take(length)
    parts.push(message)
    const type = isFirst ? 'Q' : message.toString('latin1', 0, TYPE_BYTES)
    text ||= isFirst ? 'connect' : describeMessage(type, message)
    isFirst = false
    if (LAST_MESSAGE_TYPES.has(type)) finish(text || type, type !== 'd')
    return true
  }
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (parseNext());
  }
}

function describeMessage(type: string, message: Buffer): string {
  if (type === 'd') return 'copy data'
  if (type === 'c') return 'copy end'
  if (type === 'f') return 'copy fail'
  const strings = message.toString('utf8', TYPE_BYTES + LENGTH_BYTES).split('\0')
  // A Parse message starts with the name of the prepared statement, which is empty for unnamed statements; the SQL text
  // follows.
  const statement = type === 'Q' ? strings[0] : type === 'P' ? strings[1] : ''
  return (statement ?? '').replaceAll(/\s+/g, ' ').trim()
}
