// The index finds the same queries as judging each of them, before and after random changes.
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import type { Facts } from '../../../src/search/watch/facts.ts'
import { readLookups } from '../../../src/search/watch/lookups.ts'
import { isHit } from '../../../src/search/watch/query.ts'
import { QueryIndex } from '../../../src/search/watch/query-index.ts'
import { readStoredQuery } from '../../../src/search/watch/stored-query.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createDice } from '../../support/generator/dice.ts'
import { listAllKeys, readExamples } from '../../support/search/watch-judgement.ts'
import { createWatchQueries, drawCombined, drawSingles, WATCH_DAY } from '../../support/search/watch-queries.ts'

const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const { url } = await createTestDatabase()
const { db, close } = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(close)
await generateCatalog(db, 300)

const examples = await readExamples(db, await listAllKeys(db))
const drawn = createWatchQueries(examples, 5)
const texts = ['', ...drawSingles(drawn, 8), ...drawCombined(drawn, 300, 100)]
const stored = texts.map(readStoredQuery)

const dice = createDice(48)
/** A CVE with some values of another one, or with the values of before. */
function change(facts: Facts): Facts {
  const other = examples[dice.below(examples.length)]?.facts ?? facts
  return {
    ...facts,
    ...(dice.below(3) === 0 && { products: other.products }),
    ...(dice.below(4) === 0 && { words: other.words }),
    ...(dice.below(2) === 0 && {
      values: dice.below(2) === 0 ? other.values : { ...facts.values, epss: dice.share() },
    }),
  }
}

const changes = examples.map(({ facts }, number) => ({
  before: number % 20 === 0 ? undefined : change(facts),
  after: number % 20 === 1 ? undefined : facts,
  time: WATCH_DAY,
}))

const all = changes.flatMap(({ before, after }) => [before, after].flatMap((facts) => facts ?? []))

async function expectAgreement(index: QueryIndex<number>, numbers: readonly number[]): Promise<void> {
  const lookups = await readLookups(db, index.listAsked(), all)
  let [entered, left] = [0, 0]
  for (const each of changes) {
    const judge = (facts: Facts | undefined) =>
      numbers.filter((number) => facts && stored[number] && isHit(stored[number].on(each.time), facts, lookups))
    const [before, after] = [judge(each.before), judge(each.after)]
    const matches = index.match(each, lookups)
    const list = (accepts: (match: (typeof matches)[number]) => boolean) =>
      matches
        .filter(accepts)
        .flatMap(({ items }) => [...items])
        .toSorted((a, b) => a - b)
    expect(list(({ isBefore }) => isBefore)).toEqual(before)
    expect(list(({ isAfter }) => isAfter)).toEqual(after)
    const moved = index
      .match(each, lookups, { onlyDiffering: true })
      .filter((match) => match.isBefore !== match.isAfter)
    expect(moved).toEqual(matches.filter((match) => match.isBefore !== match.isAfter))
    entered += after.filter((number) => !before.includes(number)).length
    left += before.filter((number) => !after.includes(number)).length
  }
  expect(Math.min(entered, left)).toBeGreaterThan(100)
}

describe('The index of queries', () => {
  it('finds the queries that are met before and after each change', async () => {
    const index = new QueryIndex<number>()
    for (const [number, query] of stored.entries()) index.add(query, number)
    expect(index.size).toBe(new Set(stored.map(({ key }) => key)).size)
    await expectAgreement(index, [...stored.keys()])
  })

  it('finds no query that was removed, and is empty without queries', async () => {
    const index = new QueryIndex<number>()
    for (const [number, query] of stored.entries()) index.add(query, number)
    for (const [number, query] of stored.entries()) if (number % 2 === 0) index.remove(query, number)
    await expectAgreement(
      index,
      [...stored.keys()].filter((number) => number % 2 === 1),
    )
    for (const [number, query] of stored.entries()) index.remove(query, number)
    expect(index.size).toBe(0)
    const lookups = await readLookups(db, index.listAsked(), all)
    expect(changes.flatMap((each) => index.match(each, lookups))).toEqual([])
  })

  it('has the items of equal queries together, in the order in which they were added', () => {
    const index = new QueryIndex<string>()
    index.add(readStoredQuery('severity=high,critical'), 'first')
    index.add(readStoredQuery('severity=critical,high'), 'second')
    expect(index.size).toBe(1)
    const [facts] = all.filter(({ values }) => (values.score ?? 0) > 9)
    const lookups = { isKnown: () => false, listSearches: () => new Set<string>() }
    const [match] = index.match({ before: undefined, after: facts, time: WATCH_DAY }, lookups)
    expect([...(match?.items ?? [])]).toEqual(['first', 'second'])
  })
})
