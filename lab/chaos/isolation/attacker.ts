// The attacker: concurrent loops of calls, bursts of many calls at once, calls whose client leaves, or connections that
// read nothing.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATTACKER_ADDRESS } from '../../../service/test/faults/isolation/loopback-clients.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { type Answer, type Connection, openConnection } from '../../../service/test/support/load/connection.ts'
import { median, percentile } from '../../../service/test/support/load/percentile.ts'
import { type AttackName, findAttack } from './attacks.ts'
import type { Subjects } from './subjects.ts'

export interface AttackTask {
  readonly role: 'attacker'
  readonly port: number
  readonly attack: AttackName
  /** API keys of the attacking accounts. Every account has as many concurrent calls as the others. */
  readonly keys: readonly string[]
  /** Concurrent calls of each account. */
  readonly concurrency: number
  readonly ms: number
  /** Whether a refused loop waits as long as Retry-After says. */
  readonly honoursRetryAfter: boolean
  readonly subjects: Subjects
  readonly seed: number
}

/** Number of answers by status and error code, and an example of each. */
export interface AttackResult {
  readonly seconds: number
  /** Calls that were abandoned, held, or not answered yet when the attack ended. The attacker closes their connections. */
  readonly unanswered: number
  readonly answers: readonly AnswerGroup[]
}

export interface AnswerGroup {
  /** HTTP status, or 0 if the connection broke. */
  readonly status: number
  /** Error code of the answer's body; empty if the answer is not an error. */
  readonly code: string
  readonly message: string
  readonly retryAfter: string | undefined
  readonly count: number
  readonly medianMs: number
  readonly maxMs: number
}

/** Time after which the client of an abandoned call closes its connection. */
const ABANDON_AFTER_MS = 100
/** Pause before a connection that the server closed is opened again. */
const REOPEN_MS = 250

export async function runAttack(task: AttackTask): Promise<AttackResult> {
  const { manner, burstEveryMs, prepare } = findAttack(task.attack)
  const [startedAt, record] = [performance.now(), createRecord()]
  const build = prepare(task.subjects)
  const run = { loop: runLoop, abandon: abandonCalls, hold: holdConnection }[manner]
  const loops = task.keys.flatMap((key, account) =>
    Array.from({ length: task.concurrency }, (_, index) => {
      const dice = createDice(task.seed, account, index)
      const deadline = startedAt + task.ms
      return run({ task, burstEveryMs, buildNext: () => build({ key, dice }), startedAt, deadline, record })
    }),
  )
  await Promise.all(loops)
  return { seconds: (performance.now() - startedAt) / 1000, ...record.read() }
}

interface Loop {
  readonly task: AttackTask
  readonly burstEveryMs: number | undefined
  readonly buildNext: () => string
  readonly startedAt: number
  readonly deadline: number
  readonly record: AttackRecord
}

async function runLoop({ task, burstEveryMs, buildNext, startedAt, deadline, record }: Loop): Promise<void> {
  let connection: Connection | undefined
  const timer = setTimeout(() => connection?.close(), task.ms)
  for (let round = 0; performance.now() < deadline; round += 1) {
    connection ??= await openConnection(task.port, ATTACKER_ADDRESS)
    const sentAt = performance.now()
    const answer = await connection.exchange(buildNext())
    if (performance.now() >= deadline) record.addUnanswered()
    else record.add(answer, performance.now() - sentAt)
    if (answer.status === 0) connection = undefined
    if (burstEveryMs !== undefined) await sleepUntil(Math.min(startedAt + (round + 1) * burstEveryMs, deadline))
    else if (task.honoursRetryAfter && answer.retryAfter !== undefined) await sleep(Number(answer.retryAfter) * 1000)
  }
  clearTimeout(timer)
  connection?.close()
}

const sleepUntil = (moment: number) => sleep(Math.max(0, moment - performance.now()))

/** Sends calls and closes the connection of each before it can be answered. */
async function abandonCalls({ task, buildNext, deadline, record }: Loop): Promise<void> {
  while (performance.now() < deadline) {
    const socket = await open(task.port)
    socket.write(buildNext())
    await sleep(ABANDON_AFTER_MS)
    socket.destroy()
    record.addUnanswered()
  }
}

/** Sends bytes and reads nothing. If the server closes the connection, another one follows. */
async function holdConnection({ task, buildNext, deadline, record }: Loop): Promise<void> {
  while (performance.now() < deadline) {
    const socket = await open(task.port)
    const closed = once(socket, 'close')
    socket.write(buildNext())
    await Promise.race([closed, sleepUntil(deadline)])
    socket.destroy()
    record.addUnanswered()
    if (performance.now() < deadline) await sleep(REOPEN_MS)
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: ATTACKER_ADDRESS, noDelay: true })
  // The server may reset the connection of an attacker.
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

interface AttackRecord {
  add(answer: Answer, ms: number): void
  addUnanswered(): void
  read(): Pick<AttackResult, 'answers' | 'unanswered'>
}

function createRecord(): AttackRecord {
  const groups = new Map<string, { answer: Answer; code: string; message: string; times: number[] }>()
  let unanswered = 0
  return {
    add: (answer, ms) => {
      const { code, message } = readProblem(answer)
      const name = `${answer.status} ${code} ${message.replaceAll(/\d+/g, 'N')}`
      const group = groups.get(name) ?? { answer, code, message, times: [] }
      group.times.push(ms)
      groups.set(name, group)
    },
    addUnanswered: () => {
      unanswered += 1
    },
    read: () => {
      const answers = [...groups.values()].map(({ answer: { status, retryAfter }, code, message, times }) => {
        const [medianMs, maxMs] = [median(times), percentile(times, 1)]
        return { status, code, message, retryAfter, count: times.length, medianMs, maxMs }
      })
      return { unanswered, answers: answers.sort((a, b) => b.count - a.count) }
    },
  }
}

function readProblem({ status, body }: Answer): { code: string; message: string } {
  if (status >= 200 && status < 300) return { code: '', message: '' }
  try {
    const { error }: { error?: { code?: string; message?: string } } = JSON.parse(body)
    return { code: error?.code ?? 'no code', message: error?.message ?? body.slice(0, 200) }
  } catch {
    return { code: 'no envelope', message: body.slice(0, 200) }
  }
}
