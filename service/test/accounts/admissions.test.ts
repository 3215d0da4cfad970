import { describe, it } from 'vitest'
import { competeForCredits } from './admissions.ts'

describe('Four processes that compete for the same credits', () => {
  it('never take one too many, none twice, and lose none (100,000 admissions)', { timeout: 300_000 }, async () => {
    process.stdout.write(`${await competeForCredits(100_000)}\n`)
  })
})
