// Sends raw bytes over one connection and returns every response, parsed strictly.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openByteConnection } from './byte-connection.ts'
import { type ParsedResponses, parseResponses, type WireResponse } from './http-responses.ts'

/** One write to the socket, or the number of responses (interim ones included) to wait for before the next write. */
export type Step = string | { readonly untilResponses: number }

interface ExchangeResult {
  readonly responses: readonly WireResponse[]
  /** Whether the server closed the connection. */
  readonly isClosed: boolean
}

interface ExchangeOptions {
  readonly port: number
  readonly steps: readonly Step[]
  /** Number of responses after which the exchange ends if the server keeps the connection open. */
  readonly expectedResponses: number
  /** Whether the exchange continues until the server closes the connection. */
  readonly untilClosed?: boolean
  readonly timeoutMs?: number
}

const PAUSE_MS = 20
/** How long an exchange waits for further bytes after its last expected response. */
const QUIET_MS = 50

/** Text of a step is sent as latin1: one character is one byte. */
export async function exchange({ port, steps, expectedResponses, untilClosed, timeoutMs = 60_000 }: ExchangeOptions) {
  const connection = await openConnection(port, findMethods(steps))
  const deadline = performance.now() + timeoutMs
  try {
    for (const [index, step] of steps.entries()) {
      if (typeof step === 'string' && index > 0) await sleep(PAUSE_MS)
      if (typeof step === 'string') connection.write(step)
      else await connection.waitFor(step.untilResponses, deadline)
    }
    await connection.waitFor(untilClosed ? Number.POSITIVE_INFINITY : expectedResponses, deadline)
    await connection.waitUntilQuiet()
    return connection.result()
  } finally {
    connection.destroy()
  }
}

function findMethods(steps: readonly Step[]): string[] {
  const text = steps.filter((step) => typeof step === 'string').join('')
  return [...text.matchAll(/(?:^|\r\n\r\n)([A-Z]+) \S+ HTTP\/1\.[01]\r\n/g)].map(([, method = '']) => method)
}

async function openConnection(port: number, methods: readonly string[]) {
  const connection = openByteConnection(port)
  const { received } = connection
  await once(connection.socket, 'connect')
  const parse = (): ParsedResponses => parseResponses(Buffer.concat(received), methods)
  return {
    write: connection.write,
    waitFor: async (count: number, deadline: number) => {
      while (!connection.isClosed && parse().responses.length < count && performance.now() < deadline)
        await connection.waitForEvent(deadline - performance.now())
    },
    waitUntilQuiet: async () => {
      let seen = -1
      while (seen !== received.length) {
        seen = received.length
        if (!connection.isClosed) await connection.waitForEvent(QUIET_MS)
      }
    },
    result: (): ExchangeResult => {
      const { responses, rest } = parse()
      if (rest.length > 0) throw new Error(`A response is incomplete: ${JSON.stringify(rest.toString('latin1'))}`)
      return { responses, isClosed: connection.isClosed }
    },
    destroy: connection.destroy,
  }
}
