// A small HTTP load balancer for tests. The balancer polls the readiness of its nodes, and never sends a request again
// if the request may have reached a node.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { call } from '../../../service/test/faults/nodes/call.ts'

interface NodeAddress {
  readonly port: number
  readonly opsPort: number
}

export interface Balancer {
  readonly port: number
  /** Registers a node under a name and replaces the previous node of that name. Resolves when the node is ready. */
  register(name: string, address: NodeAddress): Promise<void>
  counts(): BalancerCounts
}

export interface BalancerCounts {
  readonly forwarded: Readonly<Record<string, number>>
  /** Number of answers with the header `Connection: close`, which a draining node sends. */
  readonly whileDraining: number
  /** Number of connections that a node marked as ready refused. The balancer sent the requests to another node. */
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

const READY_TIMEOUT_MS = 100_000
const READY_CHECK_MS = 100
/** HTTP headers that apply to a single connection, so that a proxy must not forward them (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']
/**
 * Response header with the name of the node that answered. Answers of the balancer itself have the name "balancer".
 */
export const ANSWERED_BY = 'x-answered-by'

interface BalancerOptions {
  /** A node that does not answer a readiness check within this time receives no requests until it answers one. */
  readonly readyTimeoutMs?: number
  /** Time between two readiness checks. */
  readonly pollIntervalMs?: number
}

/** Starts the load balancer. Must be called at the top of a test file, not inside a test. */
export async function startBalancer({
  readyTimeoutMs = 20_000,
  pollIntervalMs = 100,
}: BalancerOptions = {}): Promise<Balancer> {
  const state: State = { nodes: new Map(), forwarded: {}, whileDraining: 0, refused: 0, turn: 0 }
  const server = createServer((incoming, outgoing) => {
    buffer(incoming).then(
      (body) => forward(state, { incoming, body }, outgoing),
      () => outgoing.destroy(),
    )
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const poll = setInterval(() => {
    for (const node of state.nodes.values()) void checkReadiness(node, readyTimeoutMs)
  }, pollIntervalMs)
  afterAll(() => {
    clearInterval(poll)
    for (const { agent } of state.nodes.values()) agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    register: (name, address) => register(state, name, address),
    counts: () => ({ forwarded: state.forwarded, whileDraining: state.whileDraining, refused: state.refused }),
  }
}

async function register({ nodes }: State, name: string, { port, opsPort }: NodeAddress): Promise<void> {
  nodes.get(name)?.agent.destroy()
  // The fifo strategy uses all kept connections in turn, so that the balancer soon notices which connections the node
  // has closed.
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const node: Node = { name, port, opsPort, agent, isReady: false }
  nodes.set(name, node)
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!node.isReady) {
    if (performance.now() > deadline) throw new Error(`Node ${name} was not ready within ${READY_TIMEOUT_MS / 1000} s.`)
    await sleep(READY_CHECK_MS)
  }
}

async function checkReadiness(node: Node, timeoutMs: number): Promise<void> {
  node.isReady = await call({ port: node.opsPort, path: '/ready', timeoutMs }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** A request whose body was read completely, so that it can be sent to a second node if the first one refuses it. */
interface ReceivedRequest {
  readonly incoming: IncomingMessage
  readonly body: Buffer
}

function forward(state: State, received: ReceivedRequest, outgoing: ServerResponse): void {
  const ready = [...state.nodes.values()].filter(({ isReady }) => isReady)
  const node = ready[state.turn++ % ready.length]
  if (!node) {
    outgoing.writeHead(503, { [ANSWERED_BY]: 'balancer' }).end('The balancer has no ready node.')
    return
  }
  const { method = 'GET', url: path = '/' } = received.incoming
  const headers = removeHopByHop(received.incoming.headers)
  const onward = request({ host: '127.0.0.1', port: node.port, agent: node.agent, method, path, headers }, (answer) => {
    state.forwarded[node.name] = (state.forwarded[node.name] ?? 0) + 1
    if (answer.headers.connection === 'close') state.whileDraining++
    outgoing.writeHead(answer.statusCode ?? 502, { ...removeHopByHop(answer.headers), [ANSWERED_BY]: node.name })
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', (error) => {
    if (wasRefused(error)) {
      state.refused++
      node.isReady = false
      forward(state, received, outgoing)
    } else if (outgoing.headersSent) outgoing.destroy()
    else
      outgoing
        .writeHead(502, { [ANSWERED_BY]: 'balancer' })
        .end(`The balancer lost its connection to node ${node.name}: ${error}`)
  })
  onward.end(received.body)
}

/** A refused connection means that the node received nothing, so the request may be sent to another node. */
function wasRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED'
}

function removeHopByHop(headers: IncomingHttpHeaders): Record<string, string | string[] | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)))
}
