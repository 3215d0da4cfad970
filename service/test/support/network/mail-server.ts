// A real mail server on a loopback address, for tests.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { cleanUpAfterTests } from '../cleanup.ts'

export interface ReceivedMail {
  readonly to: string
  readonly from: string
  /** The mail as it was sent, with its headers. Soft line breaks of quoted-printable are removed. */
  readonly source: string
}

export interface MailServerOptions {
  /** Called with a mail that has arrived completely, before the server confirms it. */
  beforeAnswer?(mail: ReceivedMail): Promise<void>
  /** Returns true for an address that the server cannot serve at the moment. */
  isDeferred?(address: string): boolean
}

export interface TestMailServer {
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Waits for the next mail to an address, after those that `receive` has already returned. */
  receive(to: string): Promise<ReceivedMail>
  stop(): Promise<void>
  /** Starts the server again on the same port. */
  restart(): Promise<void>
  countConnections(): number
}

const MAX_WAIT_MS = 15_000

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const seen = new Set<ReceivedMail>()
  let server = await listen(received, 0, options)
  const { port } = server.server.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  cleanUpAfterTests(stop)
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop,
    restart: async () => {
      server = await listen(received, port, options)
    },
    countConnections: () => server.connections.size,
    receive: async (to) => {
      for (const started = performance.now(); performance.now() - started < MAX_WAIT_MS; await sleep(10)) {
        const mail = received.find((each) => each.to === to && !seen.has(each))
        if (!mail) continue
        seen.add(mail)
        return mail
      }
      throw new Error(`no mail to ${to} arrived`)
    },
  }
}

async function listen(received: ReceivedMail[], port: number, options: MailServerOptions): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      // An address that the mail server does not know.
      if (address.startsWith('nobody@')) callback(Object.assign(new Error('no such user'), { responseCode: 550 }))
      else if (options.isDeferred?.(address)) callback(Object.assign(new Error('try later'), { responseCode: 451 }))
      else callback()
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join(',')
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const source = Buffer.concat(chunks).toString('utf8')
        const mail = { to, from, source: source.replaceAll('=\r\n', '') }
        received.push(mail)
        const confirm = async () => {
          await options.beforeAnswer?.(mail)
          callback()
        }
        void confirm()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return server
}

/** Returns the token of the link in a mail. */
export function readToken({ source }: ReceivedMail): string {
  const token = /\/console\/enter#([\w-]{43})/.exec(source.replaceAll('=3D', '='))?.[1]
  if (token === undefined) throw new Error(`the mail has no link: ${source}`)
  return token
}
