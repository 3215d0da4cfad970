// A small HTTP balancer: it knows of its nodes only what their readiness says, and repeats nothing that may have arrived.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { call } from './call.ts'

interface NodeAddress {
  readonly port: number
  readonly opsPort: number
}

export interface Balancer {
  readonly port: number
  /** Puts a node, or the successor of one, in this place; it gets requests as soon as it says that it is ready. */
  place(name: string, address: NodeAddress): Promise<void>
  counts(): BalancerCounts
}

export interface BalancerCounts {
  readonly forwarded: Readonly<Record<string, number>>
  /** Answers that asked to leave: the node was draining and answered all the same. */
  readonly whileDraining: number
  /** Connections that a node refused although it was thought to be ready; their requests went to another one. */
  readonly refused: number
}

interface Node extends NodeAddress {
  readonly name: string
  readonly agent: Agent
  isReady: boolean
}

interface State {
  readonly nodes: Map<string, Node>
  readonly forwarded: Record<string, number>
  whileDraining: number
  refused: number
  turn: number
}

const POLL_EVERY_MS = 100
const READY_WITHIN_MS = 20_000
/** They belong to one connection, not to the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']

/** Call it at the top of a test file. */
export async function startBalancer(): Promise<Balancer> {
  const state: State = { nodes: new Map(), forwarded: {}, whileDraining: 0, refused: 0, turn: 0 }
  const server = createServer((incoming, outgoing) => forward(state, incoming, outgoing))
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const poll = setInterval(() => {
    for (const node of state.nodes.values()) void check(node)
  }, POLL_EVERY_MS)
  afterAll(() => {
    clearInterval(poll)
    for (const { agent } of state.nodes.values()) agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    place: (name, at) => place(state, name, at),
    counts: () => ({ forwarded: state.forwarded, whileDraining: state.whileDraining, refused: state.refused }),
  }
}

async function place({ nodes }: State, name: string, { port, opsPort }: NodeAddress): Promise<void> {
  nodes.get(name)?.agent.destroy()
  // First in, first out: every kept connection is used again, so one that the node has closed would be noticed.
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const node: Node = { name, port, opsPort, agent, isReady: false }
  nodes.set(name, node)
  const giveUpAt = performance.now() + READY_WITHIN_MS
  while (!node.isReady) {
    if (performance.now() > giveUpAt) throw new Error(`node ${name} was not ready within ${READY_WITHIN_MS / 1000} s`)
    await sleep(POLL_EVERY_MS)
  }
}

async function check(node: Node): Promise<void> {
  node.isReady = await call({ port: node.opsPort, path: '/ready', deadlineMs: 5000 }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

function forward(state: State, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const ready = [...state.nodes.values()].filter(({ isReady }) => isReady)
  const node = ready[state.turn++ % ready.length]
  if (!node) {
    outgoing.writeHead(503).end('the balancer has no node that is ready')
    return
  }
  const { method = 'GET', url: path = '/' } = incoming
  const headers = endToEnd(incoming.headers)
  const onward = request({ host: '127.0.0.1', port: node.port, agent: node.agent, method, path, headers }, (answer) => {
    state.forwarded[node.name] = (state.forwarded[node.name] ?? 0) + 1
    if (answer.headers.connection === 'close') state.whileDraining++
    outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', (error) => {
    if (wasRefused(error)) {
      state.refused++
      node.isReady = false
      forward(state, incoming, outgoing)
    } else if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(`the balancer lost node ${node.name}: ${error}`)
  })
  // Only requests without a body pass here, so there is nothing to be lost when one is sent to the next node.
  onward.end()
}

/** Nothing of the request can have arrived, so that it may go to another node. */
function wasRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED'
}

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[] | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)))
}
