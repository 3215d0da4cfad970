import { describe, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { chooseBySize } from '../support/size.ts'
import { competeForCredits } from './admissions.ts'

const ADMISSIONS = chooseBySize({ short: 20_000, long: 1_000_000 })

describe('Credit meter in four processes that charge the same accounts', () => {
  it(`exceeds no quota and charges every call exactly once in ${ADMISSIONS} attempted calls`, {
    timeout: 1_800_000,
  }, async () => {
    process.stdout.write(`${await competeForCredits(ADMISSIONS, await createTestDatabase())}\n`)
  })
})
