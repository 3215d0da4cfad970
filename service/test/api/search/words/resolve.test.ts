import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../../src/database/postgres.ts'
import { findText, matchText } from '../../../../src/search/words/conditions.ts'
import { findResolved, resolveWords } from '../../../../src/search/words/resolve.ts'
import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { createTestDatabase } from '../../../support/database.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const pool = openPool(url, 'test', limits, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool

/** Words that no other test uses: test files share the cached tsqueries. */
const TEXT = 'A flaw of mod_lapis in Verdigris lets remote tinkerers execute scrolls.'

/** Returns whether the text is a hit according to each of the two conditions. */
async function isHit(database: Database, sent: string): Promise<readonly boolean[]> {
  const { rows } = await sql<{ found: boolean; matched: boolean }>`
    select ${findText(sent)} as found, ${matchText(sent)} as matched
      from (select catalog.text_words('CVE-2024-0001', ${TEXT}) as words) as cve
  `.execute(database)
  return rows.flatMap(({ found, matched }) => [found, matched])
}

describe('resolveWords', () => {
  it.each([
    ['verdigris', true],
    ['remote tinkerer', true],
    ['"execute scrolls" verdigris mod_lapis', true],
    ['"scrolls execute"', false],
    ['verdigris -remote', false],
    ['malachite OR verdigris', true],
    ['malachite OR "remote scrolls"', false],
    ['a flaw of mod_lapis in verdigris that', false],
    ['. .. ...', true],
  ])('produces conditions with the same meaning as the SQL functions for %s', async (sent, isExpected) => {
    expect(findResolved(sent)).toBeUndefined()
    expect(await isHit(db, sent)).toEqual([isExpected, isExpected])
    await resolveWords(db, sent)
    expect(findResolved(sent)).toBeDefined()
    expect(await isHit(db, sent)).toEqual([isExpected, isExpected])
  })

  it('keeps the tsqueries for the last 500 texts', async () => {
    for (let at = 0; at <= 500; at += 1) await resolveWords(db, `verdigris${at}`)
    expect(findResolved('verdigris0')).toBeUndefined()
    expect(findResolved('verdigris1')).toMatchObject({ query: expect.stringContaining('verdigris1') })
    expect(findResolved('verdigris500')).toBeDefined()
  })
})
