import { describe, expect, it } from 'vitest'
import { createFeedLookups } from '../../../src/api/watch-feeds/feed-lookups.ts'

function setUp() {
  const statements: (readonly string[])[] = []
  let now = 0
  const lookups = createFeedLookups(
    async (digests) => {
      statements.push(digests)
      await new Promise((resolve) => setTimeout(resolve, 10))
      return digests.filter((digest) => digest.startsWith('valid'))
    },
    () => now,
  )
  const advance = (ms: number) => {
    now += ms
  }
  return { statements, lookups, advance }
}

describe('createFeedLookups', () => {
  it('asks for 1,000 addresses that arrive together with three statements', async () => {
    const { statements, lookups } = setUp()
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => lookups.isValid(`${index % 2 === 0 ? 'valid' : 'wrong'} ${index}`)),
    )
    expect(answers.filter(Boolean)).toHaveLength(500)
    expect(statements.length).toBe(3)
  })

  it('asks again after three seconds, for wrong addresses too', async () => {
    const { statements, lookups, advance } = setUp()
    for (const digest of ['valid', 'wrong', 'valid', 'wrong']) await lookups.isValid(digest)
    expect(statements).toEqual([['valid'], ['wrong']])
    advance(3000)
    for (const digest of ['valid', 'wrong']) await lookups.isValid(digest)
    expect(statements.length).toBe(4)
  })
})
