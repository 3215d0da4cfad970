// A client on one bare connection: it sends, waits for the whole answer, pauses, and sends again until asked to leave.
import { connect } from 'node:net'
import { type WireAnswer, wholeAnswers } from './http-answers.ts'

export interface KeepAliveOptions {
  readonly port: number
  readonly key: string
  readonly path: string
  readonly pauseMs: number
}

export interface KeepAliveReport {
  readonly sent: number
  readonly answers: readonly WireAnswer[]
  /** `end`: in order. Otherwise the error, or that it never ended. */
  readonly ending: string
}

export interface KeepAliveClient {
  /** How many answers it has received so far. */
  answered(): number
  /** Resolves when the connection has ended. */
  readonly report: Promise<KeepAliveReport>
}

const GIVE_UP_AFTER_MS = 20_000

export function keepCalling({ port, key, path, pauseMs }: KeepAliveOptions): KeepAliveClient {
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
      const [answer] = wholeAnswers(received)
      if (!answer) return
      received = ''
      answers.push(answer)
      if (!answer.announcesClose) timer = setTimeout(send, pauseMs)
    })
    socket.on('error', (error) => end(String(error)))
    socket.on('end', () => end('end'))
    setTimeout(end, GIVE_UP_AFTER_MS, 'still open').unref()
  })
  return { report, answered: () => answers.length }
}
