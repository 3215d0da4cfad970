// Shares the connections of a database pool fairly between accounts (threat A-29, decision E18). A call takes a turn
// before it uses the database; there are as many turns as connections.
//
// While no other account is active, an account may hold every turn. While others are active, one account holds at most a
// third of the turns and few turns of an expensive kind, a pause follows each long call, accounts are served in rotation,
// accounts that have used up their budget of database time wait behind all others, and few long calls run at once.
//
// The state is in the memory of this process and nothing else writes it; each node shares its own connections. If the
// process dies, its waiting calls end unanswered; none of them has been charged.
import { type ApiError, unavailable } from '../../../contract/errors.ts'
import { createActivity } from './activity.ts'
import { createBudget, type DatabaseBudget } from './budget.ts'
import { createExpectedTimes } from './expected-time.ts'
import { createTurnQueue, type Flow, isExpensive, type WaitingCall, type WorkKind } from './queue.ts'
import { createSharePolicy, type ShareLimits } from './share.ts'

export interface TurnLimits extends ShareLimits {
  /** Database time per minute that an account may use before its calls wait behind those of other accounts. */
  readonly budgetMsPerMinute: number
  /** Waiting time after which a call is refused if its account uses more than its share while others wait. */
  readonly refuseAfterMs: number
  /** Waiting time after which any call is refused. */
  readonly maxWaitMs: number
}

/** Reason for refusing a waiting call: its account uses more than its share, or no turn became free in time. */
type TurnRefusal = 'share' | 'busy'

export interface TurnEvents {
  onTurn(kind: WorkKind, waitedMs: number): void
  onRefusal(kind: WorkKind, reason: TurnRefusal): void
}

export interface Turn {
  /** Runs the database work of the call. Its duration counts against the budget of the account. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  end(): void
}

export interface DatabaseTurns {
  /** Waits for a turn. Throws a 503 error if the call is refused. */
  take(accountId: string, kind: WorkKind): Promise<Turn>
  counts(): { readonly running: number; readonly waiting: number }
}

export function createDatabaseTurns(
  limits: TurnLimits,
  events: TurnEvents,
  nowMs: () => number = () => performance.now(),
): DatabaseTurns {
  const queue = createTurnQueue()
  const [budget, activity] = [createBudget(limits.budgetMsPerMinute, nowMs), createActivity(nowMs)]
  const expectedTimes = createExpectedTimes()
  const policy = createSharePolicy(limits, { queue, budget, expectedTimes, activity })

  const startCalls = () => {
    for (let flow = policy.findNext(); flow; flow = policy.findNext()) queue.startFirst(flow)?.start()
  }

  const endTurn = (flow: Flow, usedMs: number) => {
    activity.note(flow.account.id)
    if (isExpensive(flow.kind)) expectedTimes.record(flow.account.id, usedMs)
    const restMs = policy.mustRest(flow) ? computeRestMs(usedMs) : 0
    queue.end(flow, restMs > 0)
    startCalls()
    if (restMs > 0) setTimeout(endRest, restMs, flow).unref()
  }

  const endRest = (flow: Flow) => {
    queue.endRest(flow)
    startCalls()
  }

  const chooseRefusal = (flow: Flow, waitedMs: number): TurnRefusal | undefined => {
    const doOthersWait = queue.waiting > flow.account.waiting
    if (doOthersWait && policy.isOverShare(flow)) return 'share'
    if (waitedMs < limits.maxWaitMs) return undefined
    return policy.isOverShare(flow) || policy.isLimited(flow) ? 'share' : 'busy'
  }

  return {
    take: (accountId, kind) =>
      new Promise<Turn>((resolve, reject) => {
        activity.note(accountId)
        const queuedMs = nowMs()
        let timer: NodeJS.Timeout | undefined
        const call: WaitingCall = {
          start: () => {
            clearInterval(timer)
            events.onTurn(kind, nowMs() - queuedMs)
            resolve(createTurn(flow, budget, nowMs, endTurn))
          },
        }
        const refuseLateCall = () => {
          const reason = chooseRefusal(flow, nowMs() - queuedMs)
          if (!reason) return
          clearInterval(timer)
          queue.remove(flow, call)
          events.onRefusal(kind, reason)
          reject(refuse(kind, reason))
          // The refusal may leave a single active account, which may then hold more turns.
          startCalls()
        }
        const flow = queue.add(accountId, kind, call)
        startCalls()
        if (flow.waiting.has(call)) timer = setInterval(refuseLateCall, limits.refuseAfterMs)
      }),
    counts: () => ({ running: queue.running, waiting: queue.waiting }),
  }
}

/** Duration of an ordinary search or batch call. No pause follows a call that takes no longer. */
const ORDINARY_MS = 25
const REST_FACTOR = 4
const MAX_REST_MS = 1000

/**
 * Returns the pause after a search or batch call while other accounts are active. The pause is a multiple of the time by
 * which the call was longer than an ordinary one, so that the longest calls of one account use a small part of the time
 * of the database and of the event loop.
 */
function computeRestMs(usedMs: number): number {
  return Math.min(MAX_REST_MS, Math.max(0, usedMs - ORDINARY_MS) * REST_FACTOR)
}

function createTurn(
  flow: Flow,
  budget: DatabaseBudget,
  nowMs: () => number,
  onEnd: (flow: Flow, usedMs: number) => void,
): Turn {
  let [hasEnded, usedMs] = [false, 0]
  return {
    run: async (work) => {
      const startedMs = nowMs()
      try {
        return await work()
      } finally {
        const ms = nowMs() - startedMs
        usedMs += ms
        budget.spend(flow.account.id, ms)
      }
    },
    end: () => {
      if (hasEnded) return
      hasEnded = true
      onEnd(flow, usedMs)
    },
  }
}

const PLURALS: Readonly<Record<WorkKind, string>> = {
  record: 'calls for single CVEs',
  search: 'searches',
  batch: 'batch calls',
  account: 'usage calls',
}

function refuse(kind: WorkKind, reason: TurnRefusal): ApiError {
  return reason === 'share'
    ? unavailable(`This account's ${PLURALS[kind]} use more than its share of the database right now.`)
    : unavailable('No database connection became free for this call in time.')
}
