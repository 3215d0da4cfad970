// Simulates one history: nodes with the real meter and the real refund queue charge calls to a few accounts in a model
// of the database, while the network fails and nodes are killed. Returns the violations of the invariants.
import type { Call, ChargeResult } from '../../../src/accounts/credits/charge-batch.ts'
import { createMeter, type Meter, MeterUnavailableError } from '../../../src/accounts/credits/meter.ts'
import { createRefunds, type Refunds } from '../../../src/accounts/credits/refunds.ts'
import { createLink, type FaultRates, type NodeLink } from './network.ts'
import { createStore, type Store } from './store.ts'
import { createWorld, type World } from './world.ts'

export interface History {
  readonly violations: readonly string[]
  readonly calls: number
  readonly charged: number
  readonly refunded: number
  readonly unanswered: number
}

interface SimulatedNode {
  readonly meter: Meter
  readonly refunds: Refunds
  readonly link: NodeLink
  isDead: boolean
  /** Refunds that the database had not confirmed when the node was killed. They are lost (fault F-1). */
  readonly lostRefunds: Set<string>
  readonly pendingRefunds: Set<string>
}

interface SimulatedCall {
  readonly requestId: string
  readonly accountId: string
  readonly costHalf: number
  readonly node: SimulatedNode
  /** Undefined if the node died before it answered. */
  status: number | undefined
}

const NO_FAULTS: FaultRates = { refused: 0, lostRequest: 0, lostReply: 0, late: 0, failed: 0 }
const COSTS_HALF = [1, 2, 4, 10, 70]
/** Time for which an error response waits for its refund, as in api/admission/charge.ts. */
const MAX_REFUND_WAIT_MS = 250
const MAX_BATCHES_IN_FLIGHT = 2

export async function simulateHistory(seed: number): Promise<History> {
  const world = createWorld(seed)
  const limits = new Map(Array.from({ length: world.between(1, 3) }, (_, n) => [String(n + 1), world.between(20, 400)]))
  const durationMs = world.between(200, 4000)
  const monthEndsAtMs = world.random() < 0.3 ? world.between(0, durationMs) : Number.POSITIVE_INFINITY
  const store = createStore(limits, () => (world.nowMs() < monthEndsAtMs ? 0 : 1))
  const rates = drawRates(world)
  const getRates = () => (world.nowMs() < durationMs ? rates : NO_FAULTS)
  const nodes = Array.from({ length: world.between(1, 3) }, () => startNode(world, store, getRates))
  const calls = Array.from({ length: world.between(5, 60) }, (_, n) => {
    const accountId = world.pick([...limits.keys()])
    return {
      requestId: `r${n}`,
      accountId,
      costHalf: world.pick(COSTS_HALF),
      node: world.pick(nodes),
      status: undefined,
    }
  })
  for (const call of calls) world.after(world.between(0, durationMs), () => void answerCall(world, call))
  for (const node of nodes.slice(1))
    if (world.random() < 0.4) world.after(world.between(0, durationMs), () => kill(node))
  await world.run()
  return {
    violations: findViolations(store, limits, nodes, calls),
    calls: calls.length,
    charged: store.charges.size,
    refunded: store.refunds.size,
    unanswered: calls.filter(({ status }) => status === undefined).length,
  }
}

/** Some histories have no faults of a given type, and some have many. */
function drawRates(world: World): FaultRates {
  const draw = () => world.pick([0, 0.02, 0.1, 0.25])
  const [refused, lostRequest, lostReply, late] = [draw(), draw(), draw(), draw()]
  return { refused, lostRequest, lostReply, late, failed: world.pick([0, 0, 0.05]) }
}

function startNode(world: World, store: Store, getRates: () => FaultRates): SimulatedNode {
  const link = createLink(world, getRates)
  const refundLink = createLink(world, getRates)
  const refunds = createRefunds(
    (calls) => refundLink.send(() => store.refund(calls)),
    () => {},
    (ms) => world.sleep(ms),
  )
  const pendingRefunds = new Set<string>()
  const watched: Refunds = {
    ...refunds,
    add: async (call) => {
      pendingRefunds.add(call.requestId)
      await refunds.add(call)
      pendingRefunds.delete(call.requestId)
    },
    get pending() {
      return refunds.pending
    },
  }
  const meter = createMeter((charges) => link.send(() => store.charge(charges)), watched, world.nowMs)
  const cut = () => {
    link.cut()
    refundLink.cut()
  }
  return { meter, refunds: watched, link: { ...link, cut }, isDead: false, lostRefunds: new Set(), pendingRefunds }
}

function kill(node: SimulatedNode): void {
  node.isDead = true
  node.link.cut()
  for (const requestId of node.pendingRefunds) node.lostRefunds.add(requestId)
}

/** Charges a call and answers it, as withCharge in api/admission/charge.ts does. */
async function answerCall(world: World, call: SimulatedCall): Promise<void> {
  const { node } = call
  if (node.isDead) return
  const endpoint = 'test'
  const paid: Call = { requestId: call.requestId, accountId: call.accountId, keyId: '1', endpoint, admission: '' }
  const outcome = await node.meter.charge({ ...paid, costHalf: call.costHalf }).then(toOutcome, toRefusal)
  let status = outcome
  if (outcome === 200) {
    await world.sleep(world.between(0, 50))
    if (world.random() < 0.25) {
      status = 404
      await Promise.race([node.refunds.add(paid), world.sleep(MAX_REFUND_WAIT_MS)])
    }
  }
  if (!node.isDead) call.status = status
}

function toOutcome({ outcome }: ChargeResult): number {
  if (outcome === 'exceeded') return 429
  return outcome === 'refunded' ? 503 : 200
}

function toRefusal(error: unknown): number {
  if (error instanceof MeterUnavailableError) return 503
  throw error
}

function findViolations(
  store: Store,
  limits: ReadonlyMap<string, number>,
  nodes: readonly SimulatedNode[],
  calls: readonly SimulatedCall[],
): readonly string[] {
  return [
    ...[...limits].flatMap(([accountId, limitHalf]) =>
      [0, 1].flatMap((period) => findBalanceViolations(store, accountId, period, limitHalf)),
    ),
    ...calls.flatMap((call) => findCallViolations(store, call)),
    ...nodes.flatMap((node) => findNodeViolations(node)),
  ]
}

/** Invariants I1 and I2. */
function findBalanceViolations(store: Store, accountId: string, period: number, limitHalf: number): string[] {
  const [used, ledger] = [store.usedHalf(accountId, period), store.ledgerHalf(accountId, period)]
  return [
    ...(used === ledger ? [] : [`account ${accountId}: the meter has ${used}, the ledger ${ledger}`]),
    ...(used > limitHalf ? [`account ${accountId}: ${used} used of ${limitHalf}`] : []),
    ...(used < 0 ? [`account ${accountId}: ${used} used`] : []),
  ]
}

/** Invariants I3 to I5: compares the answer to a call with its net charge. */
function findCallViolations(store: Store, { requestId, costHalf, node, status }: SimulatedCall): string[] {
  const sum = (entries: readonly { readonly costHalf: number }[] = []) =>
    entries.reduce((total, entry) => total + entry.costHalf, 0)
  const net = sum(store.charges.get(requestId)) - sum(store.refunds.get(requestId))
  const isLost = node.lostRefunds.has(requestId)
  if (status === 200 && net !== costHalf) return [`${requestId} got 200 and paid ${net} instead of ${costHalf}`]
  if (status === undefined && !node.isDead) return [`${requestId} was never answered`]
  if (status === undefined || isLost)
    return net === 0 || net === costHalf ? [] : [`${requestId} had no known outcome and paid ${net}`]
  return status !== 200 && net !== 0 ? [`${requestId} got ${status} and paid ${net}`] : []
}

function findNodeViolations({ isDead, refunds, link }: SimulatedNode): string[] {
  return [
    ...(isDead || refunds.pending === 0 ? [] : [`${refunds.pending} refunds were never confirmed`]),
    ...(link.highestInFlight() <= MAX_BATCHES_IN_FLIGHT ? [] : [`${link.highestInFlight()} batches in flight at once`]),
  ]
}
