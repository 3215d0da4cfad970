import { describe, expect, it } from 'vitest'
import { nameOwner, toNetworkOwner } from '../../../src/api/admission/owner.ts'
import { createQuota, type Holding, type Quota } from '../../../src/api/admission/quota.ts'

function take(quota: Quota, owner: string, amount: number, onReclaim?: () => void): Holding {
  const taken = quota.take(owner, amount, onReclaim)
  if (typeof taken === 'string') throw new Error(`refused: ${taken}`)
  return taken
}

describe('Quota: what fits', () => {
  it('refuses an amount that would put an owner above its maximum, until the owner releases something', () => {
    const quota = createQuota({ perOwner: 2, perNode: 10 })
    const first = take(quota, 'a', 2)
    expect(quota.take('a', 1)).toBe('owner')
    first.release()
    first.release()
    expect(quota.counts()).toMatchObject({ used: 0, owners: 0 })
    expect(quota.take('a', 2)).toMatchObject({ amount: 2 })
  })

  it("refuses an owner that has an equal share once the node's maximum is reached", () => {
    const quota = createQuota({ perOwner: 8, perNode: 8 })
    take(quota, 'a', 4)
    take(quota, 'b', 4)
    expect([quota.take('a', 1), quota.take('b', 1)]).toEqual(['node', 'node'])
  })

  it('opens a holding without an amount for an owner that holds too much', () => {
    const quota = createQuota({ perOwner: 2, perNode: 2 })
    take(quota, 'a', 0).set(5)
    expect(quota.take('a', 0)).toMatchObject({ amount: 0 })
  })

  it('counts amounts added later like those taken at first', () => {
    const quota = createQuota({ perOwner: 4, perNode: 6 })
    const [a, b] = [take(quota, 'a', 1), take(quota, 'b', 1)]
    expect([a.add(3), a.add(1), b.add(1), b.add(2)]).toEqual([undefined, 'owner', undefined, 'node'])
    expect([a.amount, b.amount, quota.used('a')]).toEqual([4, 2, 4])
  })
})

describe('Quota: what is taken back', () => {
  it('takes back the newest holdings of the largest owner for one below its equal share', () => {
    const quota = createQuota({ perOwner: 9, perNode: 12 })
    const lost: string[] = []
    for (const name of ['a1', 'a2', 'a3']) take(quota, 'a', 3, () => lost.push(name))
    take(quota, 'b', 3, () => lost.push('b1'))

    take(quota, 'c', 4)

    expect(lost).toEqual(['a3', 'a2'])
    expect([quota.used('a'), quota.used('b'), quota.used('c')]).toEqual([3, 3, 4])
  })

  it("never exceeds the node's maximum, however many owners come", () => {
    const quota = createQuota({ perOwner: 32, perNode: 96 })
    for (let owner = 0; owner < 40; owner += 1) {
      const holding = quota.take(`${owner}`, 0, () => {})
      if (typeof holding === 'string') continue
      for (let step = 0; step < 32; step += 1) holding.add(1)
    }
    expect(quota.counts().used).toBeLessThanOrEqual(96)
    expect(quota.used('39')).toBeGreaterThan(0)
  })

  it('takes nothing from owners at or below their share, nor holdings that are to be kept', () => {
    const quota = createQuota({ perOwner: 8, perNode: 8 })
    const lost: string[] = []
    take(quota, 'a', 7, () => lost.push('a')).keep()
    take(quota, 'b', 1, () => lost.push('b'))

    expect(quota.take('c', 2)).toBe('node')
    expect(lost).toEqual([])
  })

  it('refuses to add to a holding that was taken back', () => {
    const quota = createQuota({ perOwner: 8, perNode: 8 })
    const lost = take(quota, 'a', 8, () => {})
    take(quota, 'b', 4)
    expect(lost.add(1)).toBe('node')
    lost.release()
    expect(quota.counts().used).toBe(4)
  })
})

describe('Quota: waiting', () => {
  const never = new AbortController().signal

  it('starts the waiter of the smallest owner first, and waiters of one owner in order', async () => {
    const quota = createQuota({ perOwner: 2, perNode: 2 })
    const [first, second] = [take(quota, 'a', 1), take(quota, 'a', 1)]
    const started: string[] = []
    const wait = (owner: string, name: string) => quota.wait(owner, 1, never).then(() => started.push(name))
    const waits = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b1')]

    first.release()
    await waits[2]
    expect(started).toEqual(['b1'])
    second.release()
    await waits[0]
    expect(started).toEqual(['b1', 'a1'])
    expect(quota.counts()).toMatchObject({ waiting: 1, waited: 3 })
  })

  it('leaves the queue when its signal aborts, and lets smaller amounts behind it start', async () => {
    const quota = createQuota({ perOwner: 4, perNode: 4 })
    take(quota, 'a', 3)
    const client = new AbortController()
    const large = quota.wait('a', 2, client.signal)
    const small = quota.wait('a', 1, never)
    client.abort(new Error('gone'))

    await expect(large).rejects.toThrow('gone')
    expect((await small).amount).toBe(1)
  })
})

describe('Owner of what a caller without credentials uses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.200', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    [undefined, 'unknown/0'],
  ])('is the network of %s: %s', (address, owner) => {
    expect(toNetworkOwner(address)).toBe(owner)
    expect(nameOwner(owner)).toBe('This network')
  })

  it('is an account if it is an account id', () => {
    expect(nameOwner('4711')).toBe('This account')
  })
})
