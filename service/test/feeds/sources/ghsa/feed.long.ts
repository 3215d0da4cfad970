// Imports as many generated advisories as GitHub has reviewed (28,000). A quadratic comparison would take hours.
import { expect, it } from 'vitest'
import { advisory, asArchive, ghsaHarness } from './fixtures.ts'

const ADVISORIES = 28_000
const TEST_TIMEOUT_MS = 300_000

it(
  'imports 28,000 GitHub advisories and compares them again within five minutes',
  async () => {
    const { readArchive } = await ghsaHarness()
    const archive = asArchive(Array.from({ length: ADVISORIES }, (_, index) => advisory(index)))

    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: ADVISORIES, rejected: 0 })
    expect(await readArchive(archive)).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: ADVISORIES })
  },
  TEST_TIMEOUT_MS,
)
