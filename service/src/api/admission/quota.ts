// Shares one resource of the node between owners (accounts or networks, owner.ts): calls in flight, bytes of documents
// and of unread answers, calls that wait for changes, or lookups of credentials. Every owner has a maximum. Once the
// node's maximum is reached, an owner gets more only up to an equal share, and what others hold above theirs is taken
// back where possible.
//
// The counts are in memory, so each node has its own quotas. A holding is released when the work it guards has ended or
// the answer has been sent (decision E41).
import type { Owner } from './owner.ts'

export interface QuotaLimits {
  readonly perOwner: number
  readonly perNode: number
  /**
   * Set if the resource cannot be taken back. An owner below its equal share then gets more even if the node's maximum
   * is reached, and an owner that holds nothing may take more than its maximum at once.
   */
  readonly isElastic?: boolean
}

/** `owner`: the owner would exceed its maximum. `node`: the node has nothing left. */
type QuotaRefusal = 'owner' | 'node'

export interface Holding {
  readonly amount: number
  /** Returns why the amount does not fit, or undefined if it does. */
  add(amount: number): QuotaRefusal | undefined
  /** Replaces the amount regardless of the limits. */
  set(amount: number): void
  /** After this, the holding cannot be taken back. */
  keep(): void
  release(): void
}

export interface Quota {
  /**
   * With `onReclaim`, the holding can be taken back for an owner below its share: it is released, then the function is
   * called.
   */
  take(owner: Owner, amount: number, onReclaim?: () => void): Holding | QuotaRefusal
  /** Waits behind earlier waiters of the same owner. Throws the signal's reason if it aborts. */
  wait(owner: Owner, amount: number, signal: AbortSignal): Promise<Holding>
  used(owner: Owner): number
  countWaiting(owner: Owner): number
  counts(): QuotaCounts
}

interface QuotaCounts {
  readonly used: number
  /** Number of owners that hold something or are waiting. */
  readonly owners: number
  readonly waiting: number
  /** Number of waits since the process started. */
  readonly waited: number
}

interface Waiter {
  readonly amount: number
  start(): void
}

interface Share {
  readonly owner: Owner
  used: number
  held: number
  /** Oldest first. Created only when needed, because most calls need neither set. */
  reclaimable: Set<HeldAmount> | undefined
  waiters: Set<Waiter> | undefined
}

interface State {
  readonly limits: QuotaLimits
  /** Ordered so that the owner served last is at the end. */
  readonly shares: Map<Owner, Share>
  readonly totals: { used: number; waiting: number; waited: number }
}

export function createQuota(limits: QuotaLimits): Quota {
  const state: State = { limits, shares: new Map(), totals: { used: 0, waiting: 0, waited: 0 } }
  const { shares, totals } = state
  return {
    take: (owner, amount, onReclaim) => {
      const share = shares.get(owner) ?? createShare(owner)
      const refusal = findRefusal(state, share, amount)
      return refusal ?? hold(state, share, amount, onReclaim)
    },
    wait: async (owner, amount, signal) => {
      signal.throwIfAborted()
      const share = shares.get(owner) ?? createShare(owner)
      const fits = countWaiters(share) === 0 && findRefusal(state, share, amount) === undefined
      return fits ? hold(state, share, amount) : waitForRoom(state, share, amount, signal)
    },
    used: (owner) => shares.get(owner)?.used ?? 0,
    countWaiting: (owner) => shares.get(owner)?.waiters?.size ?? 0,
    counts: () => ({ ...totals, owners: shares.size }),
  }
}

function createShare(owner: Owner): Share {
  return { owner, used: 0, held: 0, reclaimable: undefined, waiters: undefined }
}

const countWaiters = ({ waiters }: Share) => waiters?.size ?? 0

function removeIfUnused({ shares }: State, share: Share): void {
  if (share.held === 0 && countWaiters(share) === 0) shares.delete(share.owner)
}

/** If that makes the amount fit, takes back what others hold above their share. */
function findRefusal(state: State, share: Share, amount: number): QuotaRefusal | undefined {
  const { limits, shares, totals } = state
  const { perOwner, perNode, isElastic = false } = limits
  // An empty holding is allowed even if its owner already holds too much.
  if (amount === 0) return undefined
  if (isElastic && share.held === 0) return undefined
  if (share.used + amount > perOwner) return 'owner'
  if (totals.used + amount <= perNode) return undefined
  const equalShare = perNode / (shares.has(share.owner) ? shares.size : shares.size + 1)
  if (share.used + amount > equalShare) return 'node'
  if (isElastic) return undefined
  return reclaim(state, totals.used + amount - perNode, equalShare) ? undefined : 'node'
}

/** Takes back the newest holdings of the largest owners, or nothing if that would not be enough. */
function reclaim(state: State, needed: number, equalShare: number): boolean {
  const taken: [Share, HeldAmount][] = []
  const left = new Map([...state.shares.values()].map((share) => [share, share.used]))
  const candidates = [...left.keys()].map((share) => ({
    share,
    newestFirst: [...(share.reclaimable ?? [])].toReversed(),
  }))
  for (let freed = 0; freed < needed; ) {
    const above = candidates.filter(({ share }) => (left.get(share) ?? 0) > equalShare)
    const [largest] = above.sort((a, b) => (left.get(b.share) ?? 0) - (left.get(a.share) ?? 0))
    if (!largest) return false
    const held = largest.newestFirst.shift()
    if (!held) {
      left.delete(largest.share)
      continue
    }
    taken.push([largest.share, held])
    left.set(largest.share, (left.get(largest.share) ?? 0) - held.amount)
    freed += held.amount
  }
  for (const [share, held] of taken) {
    held.end()
    removeIfUnused(state, share)
    held.onReclaim?.()
  }
  return true
}

function hold(state: State, share: Share, amount: number, onReclaim?: () => void): Holding {
  const { shares, totals } = state
  const held = new HeldAmount(state, share, onReclaim)
  held.change(amount)
  share.held += 1
  if (onReclaim) share.reclaimable = (share.reclaimable ?? new Set()).add(held)
  // Among owners that use the same amount, the one served last comes last.
  if (totals.waiting > 0) shares.delete(share.owner)
  shares.set(share.owner, share)
  return held
}

/** A class, because a call has several of these and closures would take up most of its memory. */
class HeldAmount implements Holding {
  amount = 0
  isOpen = true
  readonly state: State
  readonly share: Share
  readonly onReclaim: (() => void) | undefined

  constructor(state: State, share: Share, onReclaim: (() => void) | undefined) {
    this.state = state
    this.share = share
    this.onReclaim = onReclaim
  }

  change(amount: number): void {
    this.share.used += amount - this.amount
    this.state.totals.used += amount - this.amount
    this.amount = amount
  }

  end(): void {
    this.change(0)
    this.isOpen = false
    this.share.held -= 1
    this.share.reclaimable?.delete(this)
  }

  add(more: number): QuotaRefusal | undefined {
    // After a reclaim there is no one to refuse: the work has been told to end.
    if (!this.isOpen) return 'node'
    const refusal = findRefusal(this.state, this.share, more)
    if (refusal === undefined && this.isOpen) this.change(this.amount + more)
    return refusal
  }

  set(amount: number): void {
    if (!this.isOpen) return
    const isLess = amount < this.amount
    this.change(amount)
    if (isLess) startWaiters(this.state)
  }

  keep(): void {
    this.share.reclaimable?.delete(this)
  }

  release(): void {
    if (!this.isOpen) return
    this.end()
    removeIfUnused(this.state, this.share)
    startWaiters(this.state)
  }
}

/** Starts with the owners that use the least. */
function startWaiters(state: State): void {
  if (state.totals.waiting === 0) return
  const queues = [...state.shares.values()].filter((share) => countWaiters(share) > 0)
  for (const share of queues.sort((a, b) => a.used - b.used)) {
    for (const waiter of share.waiters ?? []) {
      if (findRefusal(state, share, waiter.amount) !== undefined) break
      waiter.start()
    }
  }
}

function waitForRoom(state: State, share: Share, amount: number, signal: AbortSignal): Promise<Holding> {
  const { shares, totals } = state
  return new Promise((resolve, reject) => {
    const leave = () => {
      signal.removeEventListener('abort', abort)
      share.waiters?.delete(waiter)
      totals.waiting -= 1
    }
    const waiter: Waiter = {
      amount,
      start: () => {
        leave()
        resolve(hold(state, share, amount))
      },
    }
    const abort = () => {
      leave()
      removeIfUnused(state, share)
      reject(signal.reason)
      // Waiters with smaller amounts may have been queued behind this one.
      startWaiters(state)
    }
    signal.addEventListener('abort', abort, { once: true })
    shares.set(share.owner, share)
    share.waiters = (share.waiters ?? new Set()).add(waiter)
    totals.waiting += 1
    totals.waited += 1
  })
}
