// A TCP proxy in front of a server that delays answers and closes connections.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUpAfterTests } from '../cleanup.ts'

export interface FaultyProxy {
  /** URL of the server, with the port replaced by the port of the proxy. */
  readonly url: string
  /** Number of connections that clients opened so far. */
  readonly connections: number
  /** Holds back the server's answers on all open connections. Requests still reach the server. */
  holdAnswers(): void
  releaseAnswers(): void
  /** Closes the connections that have the given PostgreSQL application_name. */
  closeNamed(name: string): void
  /**
   * Holds back answers on open and new connections with the given application_name. Returns a function that stops the
   * delay.
   */
  holdAnswersTo(name: string): () => void
}

interface ProxiedConnection {
  readonly client: Socket
  readonly upstream: Socket
  /**
   * First bytes that the client sent on the connection. They contain the application_name, which is part of
   * PostgreSQL's startup message.
   */
  startup: string
}

export async function createFaultyProxy(target: string): Promise<FaultyProxy> {
  const connections = new Set<ProxiedConnection>()
  const { admit, closeNamed, holdAnswersTo } = createFaultsByName(connections)
  const server = createServer((client) => {
    const connection = forward(client, target)
    connections.add(connection)
    client.once('data', (chunk) => admit(connection, chunk.toString('latin1')))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanUpAfterTests(() => {
    for (const { upstream } of connections) upstream.destroy()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() {
      return connections.size
    },
    holdAnswers: () => {
      for (const { upstream } of connections) upstream.pause()
    },
    releaseAnswers: () => {
      for (const { upstream } of connections) upstream.resume()
    },
    closeNamed,
    holdAnswersTo,
  }
}

function createFaultsByName(connections: ReadonlySet<ProxiedConnection>) {
  const heldNames = new Set<string>()
  const findNamed = (name: string) => [...connections].filter((connection) => isNamed(connection, name))
  return {
    admit: (connection: ProxiedConnection, startup: string) => {
      connection.startup = startup
      if ([...heldNames].some((name) => isNamed(connection, name))) connection.upstream.pause()
    },
    closeNamed: (name: string) => {
      for (const { client } of findNamed(name)) client.destroy()
    },
    holdAnswersTo: (name: string) => {
      heldNames.add(name)
      for (const { upstream } of findNamed(name)) upstream.pause()
      return () => {
        heldNames.delete(name)
        for (const { upstream } of findNamed(name)) upstream.resume()
      }
    },
  }
}

function isNamed({ startup }: ProxiedConnection, name: string): boolean {
  return startup.includes(`application_name\0${name}\0`)
}

function forward(client: Socket, target: string): ProxiedConnection {
  const { hostname, port } = new URL(target)
  const upstream = connect(Number(port), hostname)
  client.pipe(upstream)
  upstream.on('data', (chunk) => client.write(chunk))
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  return { client, upstream, startup: '' }
}
