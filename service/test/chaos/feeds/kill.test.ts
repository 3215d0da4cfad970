import { describe, expect, it } from 'vitest'
import { killAtRandomPoints, summaryOf } from './kill.ts'
import { feedsWorld, fromDirectory, fromNetwork } from './setup.ts'
import { carriedSlice, servedSlice } from './slice.ts'

describe('A sync that is killed at random points', () => {
  it.each([
    ['a directory', carriedSlice(200), fromDirectory, 4],
    ['the network', servedSlice(200), fromNetwork, 2],
  ])(
    'from %s ends where an undisturbed one ends, and nobody ever sees a half-applied file',
    {
      timeout: 300_000,
    },
    async (where, slice, from, wanted) => {
      const world = await feedsWorld(slice, await from(slice))

      const outcome = await killAtRandomPoints(world, wanted)

      process.stdout.write(`from ${where}: ${summaryOf(outcome, world)}\n`)
      expect(outcome.faults).toEqual([])
      expect(outcome.kills).toHaveLength(wanted)
      expect(outcome.samples).toBeGreaterThan(50)
    },
  )
})
