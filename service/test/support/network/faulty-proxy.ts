// A TCP proxy in front of a server that delays answers and closes connections.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
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
  /** Holds back the answers on all open and new connections. Returns a function that stops the delay. */
  holdAll(): () => void
  /** Delays the first answer on each new connection by the given time, like a server that is slow to accept. */
  delayOpening(ms: number): void
  /** Delays every answer by the given time, until it is set to 0. */
  delayAnswers(ms: number): void
  /** Resets all open connections, like a firewall that has lost its state. */
  resetAll(): void
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

/** `target` may be a function, which is called for every new connection: the server may move to another address. */
export async function createFaultyProxy(target: string | (() => string)): Promise<FaultyProxy> {
  const getTarget = typeof target === 'string' ? () => target : target
  const connections = new Set<ProxiedConnection>()
  const { admit, ...faultsByName } = createFaultsByName(connections)
  const delay = { ms: 0 }
  let [opened, openingMs] = [0, 0]
  const server = createServer((client) => {
    const connection = forward(client, getTarget(), delay)
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
    opened += 1
    client.once('data', (chunk) => admit(connection, chunk.toString('latin1')))
    if (openingMs > 0) delayFirstAnswer(connection, openingMs)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanUpAfterTests(() => {
    for (const { upstream } of connections) upstream.destroy()
    server.close()
  })
  const url = new URL(getTarget())
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() {
      return opened
    },
    holdAnswers: () => {
      for (const { upstream } of connections) upstream.pause()
    },
    releaseAnswers: () => {
      for (const { upstream } of connections) upstream.resume()
    },
    delayOpening: (ms) => {
      openingMs = ms
    },
    delayAnswers: (ms) => {
      delay.ms = ms
    },
    resetAll: () => {
      for (const { client } of connections) client.resetAndDestroy()
    },
    ...faultsByName,
  }
}

function delayFirstAnswer({ upstream }: ProxiedConnection, ms: number): void {
  upstream.pause()
  setTimeout(() => upstream.resume(), ms)
}

function createFaultsByName(connections: ReadonlySet<ProxiedConnection>) {
  const heldNames = new Set<string>()
  let isHoldingAll = false
  const findNamed = (name: string) => [...connections].filter((connection) => isNamed(connection, name))
  return {
    admit: (connection: ProxiedConnection, startup: string) => {
      connection.startup = startup
      if (isHoldingAll || [...heldNames].some((name) => isNamed(connection, name))) connection.upstream.pause()
    },
    closeNamed: (name: string) => {
      for (const { client } of findNamed(name)) client.destroy()
    },
    holdAll: () => {
      isHoldingAll = true
      for (const { upstream } of connections) upstream.pause()
      return () => {
        isHoldingAll = false
        for (const { upstream } of connections) upstream.resume()
      }
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

function forward(client: Socket, target: string, delay: { readonly ms: number }): ProxiedConnection {
  const { hostname, port } = new URL(target)
  const upstream = connect(Number(port), hostname)
  client.pipe(upstream)
  upstream.on('data', createDelayedWriter(client, delay))
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  return { client, upstream, startup: '' }
}

/** While a chunk is delayed, no later chunk of the connection may overtake it. */
function createDelayedWriter(client: Socket, delay: { readonly ms: number }): (chunk: Buffer) => void {
  let last: Promise<void> | undefined
  const writeLater = async (chunk: Buffer, previous: Promise<void> | undefined) => {
    await Promise.all([previous, sleep(delay.ms)])
    client.write(chunk)
  }
  return (chunk) => {
    if (delay.ms === 0 && last === undefined) {
      client.write(chunk)
      return
    }
    const written = writeLater(chunk, last)
    last = written
    void written.finally(() => {
      if (last === written) last = undefined
    })
  }
}
