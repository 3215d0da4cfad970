// Load of charged calls, which start at a constant rate even if answers are slow. Every answer is recorded, so that a
// test can compare the answers with the ledger.
import { Agent } from 'node:http'
import { buildPricePath } from '../../support/price-probes.ts'
import { call } from '../nodes/call.ts'
import type { Payer } from './setup.ts'

/** One call with the answer that the client received. Times are values of performance.now(). */
export interface Attempt {
  readonly payer: Payer
  readonly costHalf: number
  /** HTTP status that the test endpoint is asked to return. */
  readonly requestedStatus: RequestedStatus
  readonly sentAtMs: number
  readonly endedAtMs: number
  /** Answer of the API node; undefined if the call was not answered. */
  readonly answer: Answer | undefined
}

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly requestId: string
  readonly retryAfter: string | undefined
  /** True for a detail response without a record, whose credits are refunded (decision A9). */
  readonly isMissing?: boolean
}

type RequestedStatus = '200' | '404' | '500'

interface CallOptions {
  readonly payer: Payer
  readonly credits: number
  readonly requestedStatus: RequestedStatus
  readonly afterMs?: number
}

export interface CreditsLoad {
  /** Calls of the load that have ended so far. */
  readonly history: readonly Attempt[]
  /** Sends one call in addition to the steady load. */
  send(options: CallOptions): Promise<Attempt>
  /** Starts no further calls and waits until the calls in flight have ended. */
  stop(): Promise<readonly Attempt[]>
}

const TICK_MS = 5
const PRICES = [0.5, 1, 2, 5, 35]
const REQUESTED_STATUSES: readonly RequestedStatus[] = [
  '200',
  '200',
  '200',
  '200',
  '200',
  '200',
  '200',
  '200',
  '404',
  '500',
]

export function startCreditsLoad(port: number, payers: readonly Payer[], perSecond: number): CreditsLoad {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const startedAtMs = performance.now()
  const history: Attempt[] = []
  const inFlight = new Set<Promise<Attempt>>()
  let due = 0
  const send = (options: CallOptions) => {
    const attempt = sendCall(port, agent, options)
    inFlight.add(attempt)
    return attempt.then((ended) => {
      inFlight.delete(attempt)
      history.push(ended)
      return ended
    })
  }
  const ticker = setInterval(() => {
    for (; due < ((performance.now() - startedAtMs) * perSecond) / 1000; due += 1) {
      void send({
        payer: pickRandom(payers),
        credits: pickRandom(PRICES),
        requestedStatus: pickRandom(REQUESTED_STATUSES),
      })
    }
  }, TICK_MS)
  return {
    history,
    send,
    stop: async () => {
      clearInterval(ticker)
      await Promise.all(inFlight)
      agent.destroy()
      return history
    },
  }
}

async function sendCall(port: number, agent: Agent, options: CallOptions): Promise<Attempt> {
  const { payer, credits, requestedStatus, afterMs } = options
  const path = `${buildPricePath(credits)}?end=${requestedStatus}${afterMs === undefined ? '' : `&after_ms=${afterMs}`}`
  const sentAtMs = performance.now()
  const answer = await call({ port, path, agent, headers: { 'X-API-Key': payer.key } }).then(
    ({ status, headers, body }) => ({
      status,
      code: /"code":"(\w+)"/.exec(body)?.[1],
      requestId: String(headers['x-correlation-id']).replace(/^req_/, ''),
      retryAfter: headers['retry-after'],
    }),
    () => undefined,
  )
  return { payer, costHalf: credits * 2, requestedStatus, sentAtMs, endedAtMs: performance.now(), answer }
}

function pickRandom<T>(choices: readonly T[]): T {
  const choice = choices[Math.floor(Math.random() * choices.length)]
  if (choice === undefined) throw new Error('The list of choices is empty.')
  return choice
}

/** Formats the number of answers per status, such as "200 × 310, 503 × 12". */
export function formatStatuses(history: readonly Attempt[]): string {
  const counts = Map.groupBy(history, ({ answer }) => answer?.status ?? 'no answer')
  return [...counts]
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([status, attempts]) => `${status} × ${attempts.length}`)
    .join(', ')
}
