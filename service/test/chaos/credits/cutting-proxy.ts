// A TCP proxy in front of PostgreSQL that loses replies: the server has committed, and nobody is told.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../../support/cleanup.ts'

export interface CuttingLink {
  /** The same address, but through the proxy. */
  readonly url: string
  /** Replies that were lost so far, by what they replied to. */
  readonly cut: { charge: number; refund: number }
}

/** A statement is sent once on each connection, under a name; from then on it is called by that name. */
const STATEMENT = /P[\s\S]{4}([^\0]*)\0[^\0]*accounts\.(charge|refund)_batch\(/
/** The last message of a reply outside a transaction: ReadyForQuery, idle. What was asked for is committed. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** `share` of the replies to charges and refunds are lost, each together with its connection. */
export async function cuttingLink(target: string, share: number): Promise<CuttingLink> {
  const cut = { charge: 0, refund: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname)
    for (const each of [client, upstream]) sockets.add(each)
    forward(client, upstream, (what) => {
      if (Math.random() >= share) return false
      cut[what] += 1
      return true
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEnd(() => {
    for (const each of sockets) each.destroy()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, cut }
}

type Statement = 'charge' | 'refund'

function forward(client: Socket, upstream: Socket, isCut: (what: Statement) => boolean): void {
  const names = new Map<string, Statement>()
  let asked: Statement | undefined
  let held: Buffer[] = []
  client.on('data', (chunk) => {
    asked = statementIn(chunk, names) ?? asked
    upstream.write(chunk)
  })
  upstream.on('data', (chunk) => {
    held.push(chunk)
    // Half a reply is no reply: it is kept until the rest is there.
    if (asked && !chunk.subarray(-READY.length).equals(READY)) return
    if (asked && isCut(asked)) client.destroy()
    else for (const each of held) client.write(each)
    held = []
    asked = undefined
  })
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

function statementIn(chunk: Buffer, names: Map<string, Statement>): Statement | undefined {
  const text = chunk.toString('latin1')
  const [, name, found] = STATEMENT.exec(text) ?? []
  if (found === 'charge' || found === 'refund') {
    if (name) names.set(name, found)
    return found
  }
  return [...names].find(([known]) => text.includes(`\0${known}\0`))?.[1]
}
