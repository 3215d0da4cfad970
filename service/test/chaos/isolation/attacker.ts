// The attacker: concurrent loops of expensive calls, each of which sends its next call as soon as the previous one is
// answered, or bursts of many calls at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice, type Dice } from '../../bench/data/dice.ts'
import {
  type Answer,
  buildGetRequest,
  buildPostRequest,
  type Connection,
  openConnection,
} from '../../bench/load/connection.ts'
import { median, percentile } from '../../bench/load/percentile.ts'
import { buildExpensiveSearch, buildLargeBatch, buildMostExpensiveSearch, type Call } from './calls.ts'

export interface AttackTask {
  readonly role: 'attacker'
  readonly port: number
  /** API keys of the attacking accounts. Every account has as many concurrent calls as the others. */
  readonly keys: readonly string[]
  readonly calls: 'searches' | 'slowest searches' | 'batches' | 'gzip batches'
  /** Concurrent calls of each account. */
  readonly concurrency: number
  readonly ms: number
  /** Time between two bursts. Without it, the calls follow each other without a pause. */
  readonly burstEveryMs?: number
  /** Whether a refused loop waits as long as Retry-After says. */
  readonly honoursRetryAfter: boolean
  readonly largestIds: readonly string[]
  readonly seed: number
}

/** Number of answers by status and error code, and an example of each. */
export interface AttackResult {
  readonly seconds: number
  /** Calls that were not answered yet when the attack ended. The attacker closes their connections. */
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

export async function runAttack(task: AttackTask): Promise<AttackResult> {
  const [startedAt, record] = [performance.now(), createRecord()]
  const deadline = startedAt + task.ms
  const loops = task.keys.flatMap((key, account) =>
    Array.from({ length: task.concurrency }, (_, index) =>
      runLoop({ task, key, dice: createDice(task.seed, account, index), startedAt, deadline, record }),
    ),
  )
  await Promise.all(loops)
  return { seconds: (performance.now() - startedAt) / 1000, ...record.read() }
}

interface Loop {
  readonly task: AttackTask
  readonly key: string
  readonly dice: Dice
  readonly startedAt: number
  readonly deadline: number
  readonly record: AttackRecord
}

async function runLoop({ task, key, dice, startedAt, deadline, record }: Loop): Promise<void> {
  let connection: Connection | undefined
  const timer = setTimeout(() => connection?.close(), task.ms)
  for (let round = 0; performance.now() < deadline; round += 1) {
    connection ??= await openConnection(task.port)
    const sentAt = performance.now()
    const answer = await connection.exchange(buildRequest(task, key, dice))
    if (performance.now() >= deadline) record.addUnanswered()
    else record.add(answer, performance.now() - sentAt)
    if (answer.status === 0) connection = undefined
    const nextBurstAt = startedAt + (round + 1) * (task.burstEveryMs ?? 0)
    await pause(task, Math.min(nextBurstAt, deadline), answer)
  }
  clearTimeout(timer)
  connection?.close()
}

async function pause(task: AttackTask, nextBurstAt: number, { retryAfter }: Answer): Promise<void> {
  if (task.burstEveryMs !== undefined) await sleep(Math.max(0, nextBurstAt - performance.now()))
  else if (task.honoursRetryAfter && retryAfter !== undefined) await sleep(Number(retryAfter) * 1000)
}

function buildRequest({ calls, largestIds }: AttackTask, key: string, dice: Dice): string {
  const call = buildCall(calls, largestIds, dice)
  if (call.body === undefined) return buildGetRequest(call.path, key)
  return buildPostRequest(call.path, key, call.body, calls === 'gzip batches' ? 'Accept-Encoding: gzip\r\n' : '')
}

function buildCall(calls: AttackTask['calls'], largestIds: readonly string[], dice: Dice): Call {
  if (calls === 'searches') return buildExpensiveSearch(dice)
  if (calls === 'slowest searches') return buildMostExpensiveSearch(dice)
  return buildLargeBatch(largestIds, dice)
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
