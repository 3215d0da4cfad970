// An HTTP client on one keep-alive connection: sends a request, waits for the answer, pauses, and repeats until an
// answer has `Connection: close`.
import { connect } from 'node:net'
import { parseAnswers, type WireAnswer } from './http-answers.ts'

export interface KeepAliveOptions {
  readonly port: number
  readonly key: string
  readonly path: string
  readonly pauseMs: number
}

export interface KeepAliveReport {
  readonly sent: number
  readonly answers: readonly WireAnswer[]
  /**
   * How the connection ended: `end` if the server closed it normally; otherwise the error, or `still open` if it did
   * not end.
   */
  readonly ending: string
}

export interface KeepAliveClient {
  /** Returns the number of answers so far. */
  answered(): number
  /** Resolves when the connection has ended. */
  readonly report: Promise<KeepAliveReport>
}

const TIMEOUT_MS = 100_000

export function startKeepAliveClient({ port, key, path, pauseMs }: KeepAliveOptions): KeepAliveClient {
  const answers: WireAnswer[] = []
  const socket = connect({ host: '127.0.0.1', port })
  socket.setEncoding('latin1')
  const report = new Promise<KeepAliveReport>((resolve) => {
    let [sent, received] = [0, '']
    let timer: NodeJS.Timeout | undefined
    const send = () => {
      sent++
      socket.write(`GET ${path} HTTP/1.1\r\nHost: keep-alive.test\r\nX-API-Key: ${key}\r\n\r\n`)
    }
    const end = (ending: string) => {
      clearTimeout(timer)
      resolve({ sent, answers, ending })
      socket.destroy()
    }
    socket.once('connect', send)
    socket.on('data', (chunk: string) => {
      received += chunk
      const [answer] = parseAnswers(received)
      if (!answer) return
      received = ''
      answers.push(answer)
      if (!answer.announcesClose) timer = setTimeout(send, pauseMs)
    })
    socket.on('error', (error) => end(String(error)))
    socket.on('end', () => end('end'))
    setTimeout(end, TIMEOUT_MS, 'still open').unref()
  })
  return { report, answered: () => answers.length }
}
