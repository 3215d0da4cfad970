import { describe, expect, it } from 'vitest'
import { killAtRandomPoints, summaryOf } from './kill.ts'
import { feedsWorld, fromDirectory, fromNetwork } from './setup.ts'
import { carriedSlice, servedSlice } from './slice.ts'

describe('A sync of 5,000 records that is killed at very many random points', () => {
  it.each([
    ['a directory', carriedSlice(1000), fromDirectory, 100],
    ['the network', servedSlice(1000), fromNetwork, 50],
  ])(
    'from %s ends where an undisturbed one ends, and nobody ever sees a half-applied file',
    {
      timeout: 3_600_000,
    },
    async (where, slice, from, wanted) => {
      const world = await feedsWorld(slice, await from(slice))

      const outcome = await killAtRandomPoints(world, wanted)

      console.log(`from ${where}: ${summaryOf(outcome, world)}`)
      expect(outcome.faults).toEqual([])
      expect(outcome.kills).toHaveLength(wanted)
      expect(outcome.samples).toBeGreaterThan(wanted * 50)
    },
  )
})
