import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkKind } from '../../../src/api/admission/database-turns/queue.ts'
import {
  createDatabaseTurns,
  type DatabaseTurns,
  type Turn,
  type TurnLimits,
} from '../../../src/api/admission/database-turns/turns.ts'

const LIMITS: TurnLimits = {
  turns: 10,
  turnsPerAccount: { search: 2, batch: 1 },
  budgetMsPerMinute: 60_000,
  longCallMs: 100,
  refuseAfterMs: 250,
  maxWaitMs: 10_000,
}

interface Call {
  readonly turn: Promise<Turn>
  /** The turn, once the call has one. */
  taken: Turn | undefined
  /** The message of the 503 error, once the call is refused. */
  refusal: string | undefined
}

function setUp(limits: Partial<TurnLimits> = {}) {
  const refused: string[] = []
  const turns = createDatabaseTurns(
    { ...LIMITS, ...limits },
    {
      onTurn: () => {},
      onRefusal: (kind, reason) => refused.push(`${kind} ${reason}`),
    },
  )
  return { turns, refused }
}

function call(turns: DatabaseTurns, accountId: string, kind: WorkKind = 'search'): Call {
  const made: Call = { turn: turns.take(accountId, kind), taken: undefined, refusal: undefined }
  void (async () => {
    try {
      made.taken = await made.turn
    } catch (error) {
      made.refusal = error instanceof Error ? error.message : undefined
    }
  })()
  return made
}

const callTimes = (count: number, turns: DatabaseTurns, accountId: string, kind?: WorkKind): Call[] =>
  Array.from({ length: count }, () => call(turns, accountId, kind))

/** Lets promises that are ready settle. */
const settle = () => vi.advanceTimersByTimeAsync(0)

async function countTaken(calls: readonly Call[]): Promise<number> {
  await settle()
  return calls.filter(({ taken }) => taken).length
}

async function endOne(calls: readonly Call[]): Promise<void> {
  const running = calls.find(({ taken }) => taken)
  running?.taken?.end()
  if (running) running.taken = undefined
  await settle()
}

/** Lets an account end a search of the given duration, while no other account is active. */
async function endSearch(turns: DatabaseTurns, accountId: string, ms: number): Promise<void> {
  const search = call(turns, accountId)
  await settle()
  await search.taken?.run(() => vi.advanceTimersByTimeAsync(ms))
  search.taken?.end()
  await vi.advanceTimersByTimeAsync(1100)
}

describe('Scheduling of database access (ADR 0008)', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives every connection to an account that is alone', async () => {
    const { turns } = setUp()
    expect(await countTaken(callTimes(15, turns, 'a', 'batch'))).toBe(10)
    expect(turns.counts()).toEqual({ running: 10, waiting: 5 })
  })

  it('never refuses a waiting call from an account that is alone, until the maximum wait', async () => {
    const { turns, refused } = setUp()
    callTimes(15, turns, 'a')
    await vi.advanceTimersByTimeAsync(9000)
    expect(refused).toEqual([])
    await vi.advanceTimersByTimeAsync(1100)
    expect(refused).toEqual(Array(5).fill('search busy'))
  })

  it('lets one account hold at most a third of the connections while another is active', async () => {
    const { turns } = setUp()
    call(turns, 'b', 'record')
    expect(await countTaken(callTimes(15, turns, 'a', 'record'))).toBe(3)
  })

  it('lets one account hold only a few searches and batches while another is active', async () => {
    // In a pool of 30, no other rule allows so few calls.
    const { turns } = setUp({ turns: 30 })
    call(turns, 'b', 'record')
    const [searches, batches] = [callTimes(15, turns, 'a', 'search'), callTimes(15, turns, 'a', 'batch')]
    expect([await countTaken(searches), await countTaken(batches)]).toEqual([2, 1])
  })

  it('keeps a connection free for cheap calls from an account whose searches wait', async () => {
    const { turns } = setUp()
    call(turns, 'b', 'record')
    callTimes(15, turns, 'a', 'search')
    expect(await countTaken([call(turns, 'a', 'record')])).toBe(1)
  })

  it('allows at least one call per account with a pool of one connection', async () => {
    const { turns } = setUp({ turns: 1 })
    const [first, second] = [call(turns, 'a'), call(turns, 'b')]
    expect([await countTaken([first]), await countTaken([second])]).toEqual([1, 0])
    await endOne([first])
    expect(await countTaken([second])).toBe(1)
  })

  it('counts an account as active for one second after its last call', async () => {
    const { turns } = setUp()
    const other = call(turns, 'b', 'record')
    await settle()
    await endOne([other])
    const calls = callTimes(15, turns, 'a', 'record')
    expect(await countTaken(calls)).toBe(3)
    await vi.advanceTimersByTimeAsync(1100)
    await endOne(calls)
    expect(await countTaken(calls)).toBe(10)
  })

  it('serves waiting accounts in rotation, however many calls they have', async () => {
    const { turns } = setUp({ turns: 9 })
    const held = callTimes(9, turns, 'x', 'record')
    const [many, few] = [callTimes(20, turns, 'a', 'record'), callTimes(2, turns, 'b', 'record')]
    await settle()
    await endOne(held)
    await endOne(held)
    expect([await countTaken(many), await countTaken(few)]).toEqual([1, 1])
  })

  it('makes an account that exceeds its budget of database time wait behind others', async () => {
    const { turns } = setUp({ turns: 1 })
    const held = call(turns, 'a', 'record')
    await settle()
    await held.taken?.run(() => vi.advanceTimersByTimeAsync(4000))
    const [over, within] = [call(turns, 'a', 'record'), call(turns, 'b', 'record')]
    held.taken?.end()
    expect([await countTaken([over]), await countTaken([within])]).toEqual([0, 1])
  })

  it('counts failed database work, such as a search that times out, against the budget', async () => {
    const { turns } = setUp({ turns: 1 })
    const held = call(turns, 'a', 'record')
    await settle()
    const failing = held.taken?.run(async () => {
      await vi.advanceTimersByTimeAsync(4000)
      throw new Error('canceling statement due to statement timeout')
    })
    await expect(failing).rejects.toThrow('statement timeout')
    const [over, within] = [call(turns, 'a', 'record'), call(turns, 'b', 'record')]
    held.taken?.end()
    expect([await countTaken([over]), await countTaken([within])]).toEqual([0, 1])
  })

  it('refills the budget over time', async () => {
    const { turns } = setUp({ turns: 1 })
    const held = call(turns, 'a', 'record')
    await settle()
    await held.taken?.run(() => vi.advanceTimersByTimeAsync(4000))
    await vi.advanceTimersByTimeAsync(3900)
    const [first, second] = [call(turns, 'a', 'record'), call(turns, 'b', 'record')]
    held.taken?.end()
    expect([await countTaken([first]), await countTaken([second])]).toEqual([1, 0])
  })

  it('lets all accounts over their budgets hold only a few connections together while another is active', async () => {
    const { turns } = setUp()
    const spent = ['a', 'b'].map((accountId) => call(turns, accountId, 'record'))
    await settle()
    for (const { taken } of spent) void taken?.run(() => new Promise((resolve) => setTimeout(resolve, 20_000)))
    await vi.advanceTimersByTimeAsync(20_000)
    for (const { taken } of spent) taken?.end()
    call(turns, 'within', 'record')
    const over = ['a', 'b'].flatMap((accountId) => callTimes(5, turns, accountId, 'record'))
    expect(await countTaken(over)).toBe(1)
  })

  it('refuses a call after the acquire timeout if its account exceeds its fair share while another waits', async () => {
    const { turns, refused } = setUp({ turns: 3 })
    await endSearch(turns, 'b', 20)
    const attacker = callTimes(5, turns, 'a')
    await settle()
    await attacker[0]?.taken?.run(() => vi.advanceTimersByTimeAsync(4000))
    const other = call(turns, 'b')
    await vi.advanceTimersByTimeAsync(260)
    expect(refused).toEqual(['search share', 'search share'])
    expect(attacker.at(-1)?.refusal).toBe(
      "This account's searches use more than its share of the database right now. Nothing was charged; please retry.",
    )
    expect(other.refusal).toBeUndefined()
    await endOne(attacker)
    await endOne(attacker)
    expect(await countTaken([other])).toBe(1)
  })

  it('does not refuse a call from an account that has used less database time than others', async () => {
    const { turns, refused } = setUp({ turns: 1 })
    const [attacker] = callTimes(9, turns, 'a', 'record')
    await settle()
    const other = callTimes(5, turns, 'b', 'record')
    await attacker?.taken?.run(() => vi.advanceTimersByTimeAsync(4000))
    expect(refused).toEqual([])
    await vi.advanceTimersByTimeAsync(260)
    // Refusals shorten the first account's queue to the length of the other one's.
    expect(refused).toEqual(Array(4).fill('record share'))
    attacker?.taken?.end()
    await settle()
    await other[0]?.taken?.run(() => vi.advanceTimersByTimeAsync(1500))
    expect(other.filter(({ refusal }) => refusal !== undefined)).toEqual([])
  })

  it('does not refuse a call above the fair share while no other account waits', async () => {
    const { turns, refused } = setUp()
    call(turns, 'b', 'record')
    callTimes(15, turns, 'a')
    await vi.advanceTimersByTimeAsync(5000)
    expect(refused).toEqual([])
  })

  it('refuses a call above the fair share after the maximum wait even if no other account waits', async () => {
    const { turns, refused } = setUp()
    call(turns, 'b', 'record')
    callTimes(3, turns, 'a')
    await vi.advanceTimersByTimeAsync(10_100)
    expect(refused).toEqual(['search share', 'search share'])
  })

  it('reserves a third of the connections for cheap calls, however many accounts search', async () => {
    const { turns } = setUp()
    const accounts = Array.from({ length: 20 }, (_, index) => `account ${index}`)
    for (const account of accounts) await endSearch(turns, account, 20)
    expect(await countTaken(accounts.map((account) => call(turns, account)))).toBe(7)
    expect(await countTaken(callTimes(3, turns, 'b', 'record'))).toBe(3)
  })

  it('lets all new accounts together, whose first searches may be long, start one search at a time', async () => {
    const { turns } = setUp()
    const searches = Array.from({ length: 5 }, (_, index) => call(turns, `account ${index}`))
    expect(await countTaken(searches)).toBe(1)
    await endOne(searches)
    expect(await countTaken(searches)).toBe(1)
  })

  it('lets all accounts with long searches together run one search at a time, alongside ordinary searches', async () => {
    const { turns } = setUp()
    for (const account of ['a', 'b', 'c']) await endSearch(turns, account, 400)
    for (const account of ['d', 'e']) await endSearch(turns, account, 20)
    const long = ['a', 'b', 'c'].map((account) => call(turns, account))
    const ordinary = ['d', 'e'].map((account) => call(turns, account))
    expect([await countTaken(long), await countTaken(ordinary)]).toEqual([1, 2])
  })

  it('expects long searches only from the slowest accounts while the whole database is slow', async () => {
    const { turns } = setUp()
    for (const account of ['a', 'b', 'c']) await endSearch(turns, account, 900)
    for (const account of ['d', 'e']) await endSearch(turns, account, 150)
    const slowest = ['a', 'b', 'c'].map((account) => call(turns, account))
    const others = ['d', 'e'].map((account) => call(turns, account))
    expect([await countTaken(slowest), await countTaken(others)]).toEqual([1, 2])
  })

  it('expects long searches from an account until several ordinary ones have followed', async () => {
    const startsBesideLongSearch = async (ordinarySearches: number) => {
      const { turns } = setUp()
      await endSearch(turns, 'other', 20)
      await endSearch(turns, 'a', 400)
      for (let ended = 0; ended < ordinarySearches; ended += 1) await endSearch(turns, 'a', 20)
      call(turns, 'new')
      return (await countTaken([call(turns, 'a')])) === 1
    }
    expect([await startsBesideLongSearch(2), await startsBesideLongSearch(6)]).toEqual([false, true])
  })

  it('limits further searches after a long one while another account is active, but not after an ordinary one', async () => {
    const { turns } = setUp()
    await endSearch(turns, 'a', 20)
    call(turns, 'b', 'record')
    const [first, second, third] = callTimes(3, turns, 'a', 'search')
    await settle()
    await first?.taken?.run(() => vi.advanceTimersByTimeAsync(75))
    first?.taken?.end()
    await vi.advanceTimersByTimeAsync(190)
    expect(third?.taken).toBeUndefined()
    await vi.advanceTimersByTimeAsync(20)
    expect(third?.taken).toBeDefined()
    const fourth = call(turns, 'a', 'search')
    await second?.taken?.run(() => vi.advanceTimersByTimeAsync(20))
    second?.taken?.end()
    expect(await countTaken([fourth])).toBe(1)
  })

  it('does not limit further searches after a long one from an account that is alone', async () => {
    const { turns } = setUp({ turns: 1 })
    const [first, second] = callTimes(2, turns, 'a', 'search')
    await settle()
    await first?.taken?.run(() => vi.advanceTimersByTimeAsync(1500))
    first?.taken?.end()
    expect(await countTaken(second ? [second] : [])).toBe(1)
  })

  it('does not expect long searches from an account because one of many was slow', async () => {
    const { turns } = setUp()
    for (const ms of [20, 20, 300]) await endSearch(turns, 'a', ms)
    call(turns, 'new')
    expect(await countTaken([call(turns, 'a')])).toBe(1)
  })

  it('does not treat a search that never ran as a short one', async () => {
    const { turns } = setUp()
    const refused = call(turns, 'a')
    await endOne([refused])
    await settle()
    refused.taken?.end()
    await vi.advanceTimersByTimeAsync(1100)
    expect(await countTaken(['a', 'b'].map((account) => call(turns, account)))).toBe(1)
  })

  it('starts waiting calls when the other accounts have become inactive', async () => {
    const { turns } = setUp()
    const other = call(turns, 'b', 'record')
    await settle()
    await endOne([other])
    const searches = callTimes(5, turns, 'a')
    expect(await countTaken(searches)).toBe(1)
    await vi.advanceTimersByTimeAsync(1300)
    expect(await countTaken(searches)).toBe(5)
  })

  it("refuses a search that waited too long for other accounts' long searches, and says so", async () => {
    const { turns, refused } = setUp()
    call(turns, 'a')
    const waiting = call(turns, 'b')
    await vi.advanceTimersByTimeAsync(10_100)
    expect(refused).toEqual(['search long'])
    expect(waiting.refusal).toContain('Too many long calls of other accounts run right now')
  })

  it('releases a connection once, even if the end is reported twice', async () => {
    const { turns } = setUp()
    const { turn } = call(turns, 'a')
    const taken = await turn
    taken.end()
    taken.end()
    expect(turns.counts()).toEqual({ running: 0, waiting: 0 })
  })
})
