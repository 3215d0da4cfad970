// A TCP proxy in front of a server, with the bad manners of a network.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../cleanup.ts'

export interface FaultyLink {
  /** The same address, but through the proxy. */
  readonly url: string
  /** How many connections were opened through it so far. */
  readonly connections: number
  /** From now on the server's answers are kept back, though requests still reach it. */
  holdAnswers(): void
  releaseAnswers(): void
  /** Ends the connections of this name (PostgreSQL's application_name). */
  cut(name: string): void
  /** Keeps back the answers to all connections of this name, also to new ones, until it is called off. */
  silence(name: string): () => void
}

interface Passage {
  readonly client: Socket
  readonly upstream: Socket
  /** What the client said first, in which PostgreSQL's clients give their name. */
  opening: string
}

export async function faultyLink(target: string): Promise<FaultyLink> {
  const passages = new Set<Passage>()
  const { admit, cut, silence } = faultsByName(passages)
  const server = createServer((client) => {
    const passage = forward(client, target)
    passages.add(passage)
    client.once('data', (chunk) => admit(passage, chunk.toString('latin1')))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEnd(() => {
    for (const { upstream } of passages) upstream.destroy()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() {
      return passages.size
    },
    holdAnswers: () => {
      for (const { upstream } of passages) upstream.pause()
    },
    releaseAnswers: () => {
      for (const { upstream } of passages) upstream.resume()
    },
    cut,
    silence,
  }
}

function faultsByName(passages: ReadonlySet<Passage>) {
  const silenced = new Set<string>()
  const named = (name: string) => [...passages].filter((each) => isNamed(each, name))
  return {
    admit: (passage: Passage, opening: string) => {
      passage.opening = opening
      if ([...silenced].some((name) => isNamed(passage, name))) passage.upstream.pause()
    },
    cut: (name: string) => {
      for (const { client } of named(name)) client.destroy()
    },
    silence: (name: string) => {
      silenced.add(name)
      for (const { upstream } of named(name)) upstream.pause()
      return () => {
        silenced.delete(name)
        for (const { upstream } of named(name)) upstream.resume()
      }
    },
  }
}

function isNamed({ opening }: Passage, name: string): boolean {
  return opening.includes(`application_name\0${name}\0`)
}

function forward(client: Socket, target: string): Passage {
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
  return { client, upstream, opening: '' }
}
