// Imports 28,000 generated advisories, as many as GitHub has reviewed. An import in quadratic time would take hours.
import { expect, it } from 'vitest'
import { advisory, asArchive, ghsaHarness } from '../../../service/test/feeds/sources/ghsa/fixtures.ts'

const ADVISORIES = 28_000
const TEST_TIMEOUT_MS = 300_000

it(
  'the GHSA feed imports 28,000 advisories twice within five minutes and writes no rows in the second run',
  async () => {
    const { readArchive } = await ghsaHarness()
    const archive = asArchive(Array.from({ length: ADVISORIES }, (_, index) => advisory(index)))

    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: ADVISORIES, rejected: 0 })
    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: ADVISORIES })
  },
  TEST_TIMEOUT_MS,
)
