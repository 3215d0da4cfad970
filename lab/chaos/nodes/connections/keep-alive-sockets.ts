// Holds many keep-alive connections to a node and sends requests over them in turn.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAnswers } from '../../../../service/test/faults/nodes/http-answers.ts'

export interface KeepAliveTask {
  readonly kind: 'keep-alive'
  readonly port: number
  readonly key: string
  readonly connections: number
  readonly openedPerSecond: number
  readonly requestsPerSecond: number
  readonly durationMs: number
}

export interface KeepAliveResult {
  readonly opened: number
  /** Connections that failed, were reset or were closed by the node, with the reason. */
  readonly broken: readonly string[]
  /** Number of answers by status, while the requests are sent in turn. */
  readonly statuses: Readonly<Record<string, number>>
  /** Time at which every connection sends a request at once. */
  readonly atOnceFromMs: number
  /** Number of answers by status to these requests. */
  readonly atOnce: Readonly<Record<string, number>>
  readonly latenciesMs: readonly number[]
}

interface KeptSocket {
  readonly socket: Socket
  /** Sends a request and resolves with the status of its answer; undefined if the connection broke. */
  request(): Promise<number | undefined>
  isBusy: boolean
}

const PATH = '/api/v1/ping-lite'
const TICK_MS = 5

export async function runKeepAlive(task: KeepAliveTask): Promise<KeepAliveResult> {
  const broken: string[] = []
  const sockets: KeptSocket[] = []
  const firstAnswers: Promise<number | undefined>[] = []
  await pace(task.connections, task.openedPerSecond, () => {
    const kept = openSocket(task, (reason) => broken.push(reason))
    sockets.push(kept)
    // A connection without a request would be closed after 10 s.
    firstAnswers.push(kept.request())
  })
  const opened = (await Promise.all(firstAnswers)).filter((status) => status === 200).length
  const { statuses, latenciesMs } = await sendInTurn(sockets, task)
  const atOnceFromMs = Date.now()
  const atOnce = countStatuses(await Promise.all(sockets.map((kept) => kept.request())))
  for (const { socket } of sockets) {
    socket.removeAllListeners('close')
    socket.destroy()
  }
  return { opened, broken, statuses, atOnceFromMs, atOnce, latenciesMs }
}

/** Sends requests at a constant rate over all connections in turn. */
async function sendInTurn(sockets: readonly KeptSocket[], { requestsPerSecond, durationMs }: KeepAliveTask) {
  const [answers, latenciesMs]: [Promise<number | undefined>[], number[]] = [[], []]
  const send = async (kept: KeptSocket) => {
    const sentAt = performance.now()
    const status = await kept.request()
    latenciesMs.push(performance.now() - sentAt)
    return status
  }
  let next = 0
  await pace(Math.round((requestsPerSecond * durationMs) / 1000), requestsPerSecond, () => {
    // A connection has at most one request, so a slow node gets fewer requests than planned.
    for (let tries = 0; tries < sockets.length && sockets[next % sockets.length]?.isBusy; tries += 1) next += 1
    const kept = sockets[next % sockets.length]
    next += 1
    if (kept && !kept.isBusy) answers.push(send(kept))
  })
  return { statuses: countStatuses(await Promise.all(answers)), latenciesMs }
}

function countStatuses(statuses: readonly (number | undefined)[]): Readonly<Record<string, number>> {
  const counts = Map.groupBy(statuses, (status) => String(status ?? 'broken'))
  return Object.fromEntries([...counts].map(([status, those]) => [status, those.length]))
}

function openSocket({ port, key }: KeepAliveTask, onBroken: (reason: string) => void): KeptSocket {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.setEncoding('latin1')
  let [received, settle]: [string, ((status: number | undefined) => void) | undefined] = ['', undefined]
  let reason = 'closed by the node'
  const finish = (status: number | undefined) => {
    kept.isBusy = false
    settle?.(status)
    settle = undefined
  }
  const kept: KeptSocket = {
    socket,
    isBusy: false,
    request: () =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(undefined)
        kept.isBusy = true
        settle = resolve
        socket.write(`GET ${PATH} HTTP/1.1\r\nHost: keep-alive.test\r\nX-API-Key: ${key}\r\n\r\n`)
      }),
  }
  socket.on('data', (chunk: string) => {
    received += chunk
    const [answer] = parseAnswers(received)
    if (!answer) return
    received = ''
    finish(answer.status)
  })
  socket.on('error', (error) => {
    reason = String(error)
  })
  socket.on('close', () => {
    onBroken(reason)
    finish(undefined)
  })
  return kept
}

/** Calls `action` `count` times at a constant rate. */
export async function pace(count: number, perSecond: number, action: () => void): Promise<void> {
  const startedAt = performance.now()
  for (let done = 0; done < count; ) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) * perSecond) / 1000))
    for (; done < due; done += 1) action()
    await sleep(TICK_MS)
  }
}
