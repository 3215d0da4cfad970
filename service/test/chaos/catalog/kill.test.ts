import { describe, expect, it } from 'vitest'
import { feedsWorld, fromDirectory } from '../feeds/setup.ts'
import { carriedSlice } from '../feeds/slice.ts'
import { killPublications } from './kill.ts'

describe('A process that is killed between what a feed committed and its publication', () => {
  it('leaves nothing unpublished: whoever publishes next publishes all of it', { timeout: 300_000 }, async () => {
    const slice = carriedSlice(100)
    const outcome = await killPublications(await feedsWorld(slice, fromDirectory(slice)), 4)
    process.stdout.write(`publication killed: ${JSON.stringify(outcome)}\n`)
    expect(outcome.published[0]).toBe(0)
  })
})
