// Clients with their own loopback addresses. Linux lets a client use any address in 127.0.0.0/8, so attackers and
// victims on one machine can be in different networks.
import { once } from 'node:events'
import { type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { cleanUpAfterTests } from '../../support/cleanup.ts'

/** Address of all attackers, unless a test specifies another. */
export const ATTACKER_ADDRESS = '127.0.7.1'

/** Returns an address in a network (/24) of its own for each number, which is never the attackers' network. */
export const toVictimAddress = (number: number): string => `127.8.${number}.1`

export interface ClientCall {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface ClientAnswer {
  /** HTTP status, or 0 if the connection broke. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends one call over a new connection. */
export function callFrom(address: string, port: number, call: ClientCall): Promise<ClientAnswer> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, headers: {}, text: error.message })
    const { method = 'GET', path, headers = {}, body } = call
    const target = { host: '127.0.0.1', port, localAddress: address, agent: false }
    const outgoing = sendRequest(
      { ...target, method, path, headers: { Connection: 'close', ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

/** Opens a plain connection that is closed after the tests. Nothing is read from it until the caller does so. */
export async function openSocketFrom(address: string, port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: address, noDelay: true })
  // The server may close an attacker's connection at any time.
  socket.on('error', () => {})
  cleanUpAfterTests(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/**
 * Opens connections that send these bytes and read nothing. Resolves when the server has started to answer all of them.
 */
export async function openUnread(port: number, packets: readonly string[]): Promise<readonly Socket[]> {
  const sockets = await Promise.all(packets.map(() => openSocketFrom(ATTACKER_ADDRESS, port)))
  for (const [index, socket] of sockets.entries()) socket.write(packets[index] ?? '')
  await Promise.all(sockets.map(waitForFirstBytes))
  return sockets
}

/** A socket without a reader accepts the first bytes into its buffer, and no more. */
async function waitForFirstBytes(socket: Socket): Promise<void> {
  while (socket.bytesRead === 0 && !socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 10))
}

interface WrittenCall extends Omit<ClientCall, 'headers' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function buildRequest({ method = 'GET', path, headers = {}, body }: WrittenCall): string {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** Counts the statuses of answers, such as { 200: 20 }. */
export function countStatuses(answers: readonly Pick<ClientAnswer, 'status'>[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(answers, ({ status }) => String(status))
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]))
}
