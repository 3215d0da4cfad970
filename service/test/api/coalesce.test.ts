import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { coalesce } from '../../src/api/coalesce.ts'

const at = (seconds: number) => new Date(seconds * 1000)

/**
 * A fake database query that returns 1 for its first call, 2 for its second, and so on. Each call waits until the test
 * ends it.
 */
function controlledQuery() {
  const calls: { resolve(): void; reject(error: Error): void }[] = []
  const query = () =>
    new Promise<number>((resolve, reject) => {
      const result = calls.length + 1
      calls.push({ resolve: () => resolve(result), reject })
    })
  return { query, calls }
}

describe('coalesce: concurrent requests', () => {
  it.each([0, 60_000])('runs one query for all concurrent requests if maxAgeMs is %i', async (maxAgeMs) => {
    const { query, calls } = controlledQuery()
    const read = coalesce(query, { maxAgeMs })
    const source = {}

    const results = [read(source, at(0)), read(source, at(1)), read(source, at(2))]
    calls[0]?.resolve()

    expect(await Promise.all(results)).toEqual([1, 1, 1])
    expect(calls.length).toBe(1)
  })

  it('runs a separate query for each source that is queried', async () => {
    const { query, calls } = controlledQuery()
    const read = coalesce(query, { maxAgeMs: 60_000 })

    const results = [read({}, at(0)), read({}, at(0))]
    for (const call of calls) call.resolve()

    expect(await Promise.all(results)).toEqual([1, 2])
  })

  it('rejects every request that waits for a failed query, and runs the query again for the next request', async () => {
    const { query, calls } = controlledQuery()
    const read = coalesce(query, { maxAgeMs: 60_000 })
    const source = {}

    const failed = Promise.allSettled([read(source, at(0)), read(source, at(0))])
    calls[0]?.reject(new Error('unreachable'))
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

    const next = read(source, at(0))
    calls[1]?.resolve()
    expect(await next).toBe(2)
  })
})

describe('coalesce: finished queries', () => {
  /** Sends two requests one after the other and returns their results. */
  async function readTwice(maxAgeMs: number, first: Date, second: Date): Promise<number[]> {
    let count = 0
    const read = coalesce(
      async () => {
        count += 1
        return count
      },
      { maxAgeMs },
    )
    const source = {}
    const results = [await read(source, first)]
    await nextTick()
    results.push(await read(source, second))
    return results
  }

  it('reuses a result that is younger than maxAgeMs', async () => {
    expect(await readTwice(60_000, at(0), at(59))).toEqual([1, 1])
  })

  it('runs the query again when the result is as old as maxAgeMs', async () => {
    expect(await readTwice(60_000, at(0), at(60))).toEqual([1, 2])
  })

  it('runs the query again when the clock was set back', async () => {
    expect(await readTwice(60_000, at(10), at(9))).toEqual([1, 2])
  })

  it('never reuses a finished result when maxAgeMs is 0', async () => {
    expect(await readTwice(0, at(0), at(0))).toEqual([1, 2])
  })
})
