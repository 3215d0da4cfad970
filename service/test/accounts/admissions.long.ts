import { describe, it } from 'vitest'
import { competeForCredits } from './admissions.ts'

describe('Four processes that compete for the same credits', () => {
  it('never take one too many, none twice, and lose none (1,000,000 admissions)', { timeout: 1_800_000 }, async () => {
    process.stdout.write(`${await competeForCredits(1_000_000)}\n`)
  })
})
