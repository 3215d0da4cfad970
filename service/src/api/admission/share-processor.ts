// Shares the processor between owners before anything is read or charged (decision E52). Invalid calls cost no credits
// and take no database slot, so nothing else limits them. While others are active, an owner may begin only a few calls
// per event loop iteration; its other calls wait for later iterations. Calls are refused only while the node is
// overloaded, and only for an owner with many waiting calls.
import { unavailable } from '../../contract/response/errors.ts'
import { type AccountActivity, createActivity } from './database-turns/activity.ts'
import { nameOwner, type Owner } from './owner.ts'

export interface ProcessorShare {
  /**
   * Returns undefined if the call may continue at once, and throws 503 if it is refused. A call that takes much
   * processor time, such as sending a large file, counts as several.
   */
  enter(owner: Owner, weight?: number): Promise<void> | undefined
}

/** Calls per owner and event loop iteration; this many take one or two milliseconds. */
const CALLS_PER_TURN = 16
/** The weight of a public page or file: four fit into one iteration. */
export const FILE_WEIGHT = 4
/** Waiting calls per owner; further calls are refused while the node is overloaded. */
const MAX_WAITING = 256

interface Share {
  /** Total weight of the calls begun in this iteration. */
  begun: number
  readonly waiting: WaitingCall[]
}

interface WaitingCall {
  readonly weight: number
  readonly start: () => void
}

interface State {
  readonly shares: Map<Owner, Share>
  readonly activity: AccountActivity
  isScheduled: boolean
}

export function shareProcessor(
  isOverloaded: () => boolean,
  onRefusal: (reason: 'overload') => void,
  nowMs: () => number = () => performance.now(),
): ProcessorShare {
  const state: State = { shares: new Map(), activity: createActivity(nowMs), isScheduled: false }
  const { shares, activity } = state
  return {
    enter: (owner, weight = 1) => {
      activity.note(owner)
      const share = shares.get(owner) ?? openShare(state, owner)
      const mayBegin = share.waiting.length === 0 && share.begun < CALLS_PER_TURN
      if (mayBegin || !activity.wasOtherActive(owner)) {
        share.begun += weight
        return undefined
      }
      if (share.waiting.length >= MAX_WAITING && isOverloaded()) {
        onRefusal('overload')
        throw unavailable(`This node is overloaded. ${nameOwner(owner)} has ${share.waiting.length} calls waiting.`)
      }
      return new Promise((start) => share.waiting.push({ weight, start }))
    },
  }
}

function openShare(state: State, owner: Owner): Share {
  const share: Share = { begun: 0, waiting: [] }
  state.shares.set(owner, share)
  scheduleTurn(state)
  return share
}

function scheduleTurn(state: State): void {
  if (state.isScheduled) return
  state.isScheduled = true
  setImmediate(beginTurn, state)
}

/** Removes and returns the calls that fit into one iteration. */
function takeTurn(share: Share): readonly WaitingCall[] {
  share.begun = 0
  let count = 0
  for (const { weight } of share.waiting) {
    if (share.begun >= CALLS_PER_TURN) break
    share.begun += weight
    count += 1
  }
  return share.waiting.splice(0, count)
}

function beginTurn(state: State): void {
  state.isScheduled = false
  for (const [owner, share] of state.shares) {
    const starting = takeTurn(share)
    if (starting.length === 0) state.shares.delete(owner)
    for (const { start } of starting) start()
  }
  if (state.shares.size > 0) scheduleTurn(state)
}
