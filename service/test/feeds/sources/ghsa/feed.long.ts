// As many advisories as GitHub has reviewed, made up by us: a comparison of each with each would take hours.
import { expect, it } from 'vitest'
import { advisory, asArchive, ghsaMachine } from './fixtures.ts'

const ADVISORIES = 28_000
const PATIENCE_MS = 300_000

it(
  'All advisories of GitHub are stored once, and compared in minutes',
  async () => {
    const { readArchive } = await ghsaMachine()
    const archive = asArchive(Array.from({ length: ADVISORIES }, (_, index) => advisory(index)))

    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: ADVISORIES, rejected: 0 })
    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: ADVISORIES })
  },
  PATIENCE_MS,
)
