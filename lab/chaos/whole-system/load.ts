// Load of calls to all endpoints, which start at a constant rate even if answers are slow. Every answer is recorded and
// its body is checked.
import { Agent } from 'node:http'
import type { Attempt } from '../../../service/test/faults/credits/load.ts'
import type { Payer } from '../../../service/test/faults/credits/setup.ts'
import { type CallResult, call } from '../../../service/test/faults/nodes/call.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'
import { ANSWERED_BY } from '../nodes/balancer.ts'
import { type PlannedCall, planRandomCall } from './calls.ts'
import type { CheckBody } from './check-body.ts'

/** One call to any endpoint. Calls that cost nothing are recorded too, with costHalf 0. */
export interface SystemAttempt extends Attempt {
  readonly endpoint: string
  /** Name of the node that answered; undefined if no node answered. */
  readonly node: string | undefined
  /** The error in the body of the answer; undefined if the body is right or there was no answer. */
  readonly wrongBody: string | undefined
}

export interface SystemLoad {
  readonly history: readonly SystemAttempt[]
  /** Starts no further calls and waits until the calls in flight have ended. */
  stop(): Promise<readonly SystemAttempt[]>
}

export interface LoadOptions {
  readonly port: number
  pickPayer(): Payer
  readonly perSecond: number
  readonly dice: Dice
  readonly checkBody: CheckBody
}

const TICK_MS = 5

export function startSystemLoad(options: LoadOptions): SystemLoad {
  const { perSecond } = options
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const startedAtMs = performance.now()
  const history: SystemAttempt[] = []
  const inFlight = new Set<Promise<void>>()
  let due = 0
  const send = () => {
    const attempt = recordRandomCall(options, agent, history)
    inFlight.add(attempt)
    void attempt.finally(() => inFlight.delete(attempt))
  }
  const ticker = setInterval(() => {
    for (; due < ((performance.now() - startedAtMs) * perSecond) / 1000; due += 1) send()
  }, TICK_MS)
  return {
    history,
    stop: async () => {
      clearInterval(ticker)
      await Promise.all(inFlight)
      agent.destroy()
      return history
    },
  }
}

/** Number of accounts with few credits that are used at the same time. */
const LIMITED_AT_ONCE = 4
const CALLS_PER_LIMITED = 120
const LIMITED_SHARE = 0.3

/**
 * Returns a function that picks the account of the next call. Accounts with few credits are used some at a time, one
 * after the other, so that during the whole run some account is about to use its last credits.
 */
export function createPayerPicker(payers: readonly Payer[], dice: Dice): () => Payer {
  const [ample = [], limited = []] = [true, false].map((isAmple) =>
    payers.filter(({ hasAmpleCredits }) => hasAmpleCredits === isAmple),
  )
  let picked = 0
  return () => {
    const isLimited = dice.share() < LIMITED_SHARE
    const first = Math.floor(picked / CALLS_PER_LIMITED)
    const payer = isLimited
      ? limited[(first + dice.below(LIMITED_AT_ONCE)) % limited.length]
      : ample[dice.below(ample.length)]
    if (isLimited) picked += 1
    if (!payer) throw new Error('There is no account to choose from.')
    return payer
  }
}

async function recordRandomCall(options: LoadOptions, agent: Agent, history: SystemAttempt[]): Promise<void> {
  history.push(await sendRandomCall(options, agent))
}

async function sendRandomCall({ port, dice, ...options }: LoadOptions, agent: Agent): Promise<SystemAttempt> {
  const [planned, payer] = [planRandomCall(dice), options.pickPayer()]
  const { endpoint, path, body, costHalf, requestedStatus } = planned
  const sentAtMs = performance.now()
  const result = await call({ port, path, body, agent, headers: { 'X-API-Key': payer.key } }).catch(() => undefined)
  const sent = { endpoint, payer, costHalf, requestedStatus, sentAtMs, endedAtMs: performance.now() }
  const node = result && String(result.headers[ANSWERED_BY])
  // The balancer answers itself when it has lost the connection to a node, so the outcome of the call is unknown.
  if (!result || node === 'balancer') return { ...sent, node: undefined, wrongBody: undefined, answer: undefined }
  return { ...sent, node, ...describeAnswer(planned, result, options.checkBody) }
}

function describeAnswer(planned: PlannedCall, result: CallResult, checkBody: CheckBody) {
  const { status, headers, body } = result
  return {
    wrongBody: checkBody(planned, result),
    answer: {
      status,
      code: /"code":"(\w+)"/.exec(body)?.[1],
      requestId: String(headers['x-correlation-id']).replace(/^req_/, ''),
      retryAfter: headers['retry-after'],
      isMissing: headers['x-blob-status'] === 'missing',
    },
  }
}
