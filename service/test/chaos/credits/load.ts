// Open-loop load of charged calls, of which every answer is remembered: the history that the ledger is compared with.
import { Agent } from 'node:http'
import { pathOfPrice } from '../../support/price-probes.ts'
import { call } from '../nodes/call.ts'
import type { Payer } from './setup.ts'

/** One call, as its client saw it. Times are of performance.now(). */
export interface Attempt {
  readonly payer: Payer
  readonly costHalf: number
  /** How the probe was told to end. */
  readonly asked: Ending
  readonly sentAtMs: number
  readonly endedAtMs: number
  /** Nothing when no answer came. */
  readonly answer: Answer | undefined
}

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly requestId: string
  readonly retryAfter: string | undefined
}

type Ending = '200' | '404' | '500'

interface Wish {
  readonly payer: Payer
  readonly credits: number
  readonly asked: Ending
  readonly afterMs?: number
}

export interface CreditsLoad {
  /** Everything that was answered so far. */
  readonly history: readonly Attempt[]
  /** One more call, beside the steady ones. */
  send(wish: Wish): Promise<Attempt>
  /** Starts no more calls and waits for those under way. */
  stop(): Promise<readonly Attempt[]>
}

const TICK_MS = 5
const PRICES = [0.5, 1, 2, 5, 35]
const ENDINGS: readonly Ending[] = ['200', '200', '200', '200', '200', '200', '200', '200', '404', '500']

export function startCreditsLoad(port: number, payers: readonly Payer[], perSecond: number): CreditsLoad {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  const startedAtMs = performance.now()
  const history: Attempt[] = []
  const underWay = new Set<Promise<Attempt>>()
  let due = 0
  const send = (wish: Wish) => {
    const attempt = attemptOf(port, agent, wish)
    underWay.add(attempt)
    return attempt.then((ended) => {
      underWay.delete(attempt)
      history.push(ended)
      return ended
    })
  }
  const ticker = setInterval(() => {
    for (; due < ((performance.now() - startedAtMs) * perSecond) / 1000; due += 1) {
      void send({ payer: anyOf(payers), credits: anyOf(PRICES), asked: anyOf(ENDINGS) })
    }
  }, TICK_MS)
  return {
    history,
    send,
    stop: async () => {
      clearInterval(ticker)
      await Promise.all(underWay)
      agent.destroy()
      return history
    },
  }
}

async function attemptOf(port: number, agent: Agent, wish: Wish): Promise<Attempt> {
  const { payer, credits, asked, afterMs } = wish
  const path = `${pathOfPrice(credits)}?end=${asked}${afterMs === undefined ? '' : `&after_ms=${afterMs}`}`
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
  return { payer, costHalf: credits * 2, asked, sentAtMs, endedAtMs: performance.now(), answer }
}

function anyOf<T>(choices: readonly T[]): T {
  const choice = choices[Math.floor(Math.random() * choices.length)]
  if (choice === undefined) throw new Error('there is nothing to choose from')
  return choice
}

/** How often each status was seen, such as "200 × 310, 503 × 12". */
export function statusesOf(history: readonly Attempt[]): string {
  const counts = Map.groupBy(history, ({ answer }) => answer?.status ?? 'no answer')
  return [...counts]
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([status, those]) => `${status} × ${those.length}`)
    .join(', ')
}
