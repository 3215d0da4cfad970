import { describe, it } from 'vitest'
import { expectFaultsInWords, failEachCall, summaryOf } from './nth-database-call.ts'
import { FEEDS, feedsWorld, fromDirectory } from './setup.ts'
import { carriedSlice } from './slice.ts'

describe('A feed of 5,000 records whose every call to the database fails in turn', () => {
  it('fails in words, leaves nothing half done, and ends where an undisturbed one ends', {
    timeout: 7_200_000,
  }, async () => {
    const slice = carriedSlice(1000)
    const world = await feedsWorld(slice, fromDirectory(slice))

    const outcomes = await Promise.all(FEEDS.map((feed) => failEachCall(world, feed, ['connection', 'database'])))

    for (const each of outcomes) console.log(summaryOf(each))
    for (const each of outcomes) expectFaultsInWords(each)
  })
})
