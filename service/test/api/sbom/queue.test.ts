import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../../../src/api/documents/body-memory.ts'
import { createDocumentQueue } from '../../../src/matching/sbom/thread/queue.ts'

const ignore = () => {}

describe('Document queue', () => {
  const run = async (senders: readonly string[], maxWaiting = 10) => {
    const queue = createDocumentQueue({ maxWaiting, maxWaitMs: 60_000 })
    const [served, refused]: [string[], string[]] = [[], []]
    const calls = senders.map(async (name) => {
      const [account = ''] = name
      const turn = await queue.take(account).catch(() => undefined)
      if (turn === undefined) return refused.push(name)
      return turn.run(async () => served.push(name))
    })
    await Promise.all(calls)
    return { served, refused, counts: queue.counts() }
  }

  it("serves accounts in rotation, and each account's documents in order", async () => {
    const { served } = await run(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
    expect(served).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('refuses the last document from the account with the most waiting documents if the queue is full', async () => {
    const { refused, counts } = await run(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'], 3)
    expect(refused).toEqual(['a4', 'b2', 'a3'])
    expect(counts).toEqual({ waiting: 0, refused: 3 })
  })

  it('refuses a document with 503 after the maximum waiting time', async () => {
    const queue = createDocumentQueue({ maxWaiting: 3, maxWaitMs: 20 })
    const first = await queue.take('a')
    await expect(queue.take('b')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      extras: { headers: { 'Retry-After': '5' } },
    })
    first.end()
    first.end()
    const second = await queue.take('b')
    await expect(queue.take('c')).rejects.toThrow('waited too long')
    second.end()
  })
})

describe('Memory for documents', () => {
  it('refuses bytes above the limit of an account or the node until others are released', () => {
    const memory = createBodyMemory({ perOwner: 10, perNode: 15 })
    const [one, two] = [memory.open('a', ignore), memory.open('b', ignore)]
    one.complete()
    one.add(10)
    expect(() => memory.open('a', ignore).add(1)).toThrow('This account sends too many documents at once.')
    two.add(5)
    expect(() => two.add(1)).toThrow('the node has none left')
    one.release()
    one.release()
    two.add(5)
    expect(memory.bytes()).toBe(10)
  })

  it('takes the newest unfinished document from the largest account for one below its equal share', () => {
    const memory = createBodyMemory({ perOwner: 12, perNode: 16 })
    const ended: string[] = []
    const open = (owner: string, name: string) => memory.open(owner, ({ message }) => ended.push(`${name}: ${message}`))
    const [complete, older, newer] = [open('a', 'complete'), open('a', 'older'), open('a', 'newer')]
    complete.add(4)
    complete.complete()
    older.add(4)
    newer.add(4)
    open('b', 'b').add(4)

    open('c', 'c').add(4)

    expect(ended).toEqual([expect.stringMatching(/^newer: This account has its share of the memory for documents/)])
    expect(memory.bytes()).toBe(16)
    expect(() => newer.add(1)).toThrow('the node has none left')
  })
})
