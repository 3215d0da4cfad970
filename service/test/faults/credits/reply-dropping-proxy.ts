// A TCP proxy in front of PostgreSQL that drops replies after PostgreSQL has committed, so that the client does not
// learn of the commit.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUpAfterTests } from '../../support/cleanup.ts'

export interface ReplyDroppingProxy {
  /** URL of the database, with the port replaced by the port of the proxy. */
  readonly url: string
  /** Number of dropped database replies so far, for charges and for refunds. */
  readonly dropped: { charge: number; refund: number }
  /** Share of the replies to charges and refunds that are dropped from now on, between 0 and 1. */
  share: number
}

/**
 * Matches a PostgreSQL Parse message that prepares a call of charge_batch or refund_batch, and captures the name of the
 * prepared statement. Later messages contain only that name.
 */
const STATEMENT = /P[\s\S]{4}([^\0]*)\0[^\0]*accounts\.(charge|refund)_batch\(/
/**
 * PostgreSQL message ReadyForQuery with status idle, the last message of a reply outside a transaction. When it is
 * sent, the statement is committed.
 */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/**
 * Drops the given share of the database replies to charges and refunds, and closes their connections. `target` may be a
 * function, which is called for every new connection: the server may move to another address.
 */
export async function createReplyDroppingProxy(
  target: string | (() => string),
  share: number,
): Promise<ReplyDroppingProxy> {
  const getTarget = typeof target === 'string' ? () => target : target
  const sockets = new Set<Socket>()
  const url = new URL(getTarget())
  const server = createServer((client) => {
    const { hostname, port } = new URL(getTarget())
    const upstream = connect(Number(port), hostname)
    for (const each of [client, upstream]) {
      sockets.add(each)
      each.once('close', () => sockets.delete(each))
    }
    forward(client, upstream, (statement) => {
      if (Math.random() >= proxy.share) return false
      proxy.dropped[statement] += 1
      return true
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url.port = String((server.address() as AddressInfo).port)
  const proxy: ReplyDroppingProxy = { url: url.href, dropped: { charge: 0, refund: 0 }, share }
  cleanUpAfterTests(() => {
    for (const each of sockets) each.destroy()
    server.close()
  })
  return proxy
}

type Statement = 'charge' | 'refund'

function forward(client: Socket, upstream: Socket, shouldDrop: (statement: Statement) => boolean): void {
  const statementNames = new Map<string, Statement>()
  let pending: Statement | undefined
  let held: Buffer[] = []
  client.on('data', (chunk) => {
    pending = findStatement(chunk, statementNames) ?? pending
    upstream.write(chunk)
  })
  upstream.on('data', (chunk) => {
    held.push(chunk)
    // A database reply may arrive in several chunks, which the proxy holds until the reply is complete.
    if (pending && !chunk.subarray(-READY.length).equals(READY)) return
    if (pending && shouldDrop(pending)) client.destroy()
    else for (const each of held) client.write(each)
    held = []
    pending = undefined
  })
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

function findStatement(chunk: Buffer, statementNames: Map<string, Statement>): Statement | undefined {
  const text = chunk.toString('latin1')
  const [, name, found] = STATEMENT.exec(text) ?? []
  if (found === 'charge' || found === 'refund') {
    if (name) statementNames.set(name, found)
    return found
  }
  return [...statementNames].find(([known]) => text.includes(`\0${known}\0`))?.[1]
}
