// A TCP proxy in front of a server, with the bad manners of a network.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

export interface FaultyLink {
  /** The same address, but through the proxy. */
  readonly url: string
  /** How many connections were opened through it so far. */
  readonly connections: number
  /** From now on the server's answers are kept back, though requests still reach it. */
  holdAnswers(): void
  releaseAnswers(): void
}

export async function faultyLink(target: string): Promise<FaultyLink> {
  const upstreams = new Set<Socket>()
  const server = createServer((client) => upstreams.add(forward(client, target)))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEnd(() => {
    for (const each of upstreams) each.destroy()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() {
      return upstreams.size
    },
    holdAnswers: () => {
      for (const upstream of upstreams) upstream.pause()
    },
    releaseAnswers: () => {
      for (const upstream of upstreams) upstream.resume()
    },
  }
}

function forward(client: Socket, target: string): Socket {
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
  return upstream
}
