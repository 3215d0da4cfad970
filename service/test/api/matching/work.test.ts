// How much work a call does: what it reads, what it judges, and what is refused before anything is read.
import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { readComponent } from '../../../src/domain/component/component.ts'
import { createInventory } from '../../../src/matching/judge/conditions.ts'
import { matchComponents } from '../../../src/matching/match.ts'
import { estimateWork, isSmall, WORK_LIMITS } from '../../../src/matching/read/estimate.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { findFullCoverage } from '../../support/coverage.ts'
import { createTestDatabase } from '../../support/database.ts'
import { storeLargeProduct } from './large-product.ts'

const { url } = await createTestDatabase()
await storeLargeProduct(url, 'router', 40)
await storeLargeProduct(url, 'switch', 5)
const LIMITS = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
const pool = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())

/** Returns a database that records the statements sent to it. */
function watch(db: Database) {
  const statements: string[] = []
  const executeQuery = (query: CompiledQuery<never>) => {
    statements.push(query.sql)
    return db.executeQuery(query)
  }
  const get = (target: Database, name: keyof Database) => {
    const member: unknown = name === 'executeQuery' ? executeQuery : target[name]
    return typeof member === 'function' ? member.bind(target) : member
  }
  return { db: new Proxy(db, { get: (target, name) => get(target, name as keyof Database) }), statements }
}

const component = (product: string, version: string) => readComponent({ vendor: 'examplesoft', product, version })

async function match(...components: ReturnType<typeof component>[]) {
  const { db, statements } = watch(pool.db)
  const suppressions: string[] = []
  const matched = await matchComponents(db, components, {
    confidenceMin: 'medium',
    inventory: createInventory(components),
    assess: ({ id }) => {
      suppressions.push(id)
      return {}
    },
    findCoverage: findFullCoverage,
  })
  const reads = statements.filter((text) => text.includes('low_in'))
  return { matched, reads, judged: suppressions.length }
}

describe('Comparison of components', () => {
  it('reads the rows of all products in one statement, however many versions they have', async () => {
    const versions = Array.from({ length: 60 }, (_, index) => component('router', `1.${index}`))
    const { matched, reads } = await match(component('switch', '1.1'), ...versions, component('switch', '1.2'))
    expect(reads).toHaveLength(1)
    expect(matched.map(({ matches }) => matches.length)).toEqual([
      4,
      40,
      ...versions.slice(1).map((_, n) => Math.max(0, 39 - n)),
      3,
    ])
  })

  it('judges equal components once', async () => {
    let reads = 0
    const equal = Array.from({ length: 30 }, () => ({
      ...component('switch', '1.2'),
      // Read once to recognise an equal component, and again for each hit of a component that is judged.
      get edition() {
        reads += 1
        return null
      },
    }))
    const { matched, judged } = await match(...equal)
    expect(judged).toBe(3)
    // Another 29 judgements would read it 87 more times.
    expect(reads).toBeLessThan(60)
    expect(matched.map(({ matches, upgrade }) => [matches.length, upgrade?.version])).toEqual(
      matched.map(() => [3, '1.5']),
    )
  })
})

describe('Cost estimate for a call', () => {
  const many = Array.from({ length: 50 }, (_, index) => component('router', `1.${index % 25}`))
  const estimate = (limits: Partial<typeof WORK_LIMITS> = {}) =>
    estimateWork(pool.db, [...many, component('switch', '1')], 'components', { ...WORK_LIMITS, ...limits })

  it('counts rows once, and distinct versions for each row', async () => {
    const estimated = await estimate()
    expect(estimated).toMatchObject({ rows: 45, comparisons: 40 * 25 + 5 })
    expect(isSmall(estimated)).toBe(true)
  })

  it.each([
    [{ comparisons: 1000 }, 'needs about 1005 comparisons', 'in 2 or more calls, split by product'],
    [{ productRows: 39 }, 'names a product with more than 39 known ranges', 'name its vendor'],
    [{ rows: 44 }, 'names products with more than 44 known ranges', 'in several calls'],
  ])('refuses work above %o and says what to send instead', async (limits, problem, instead) => {
    const refused = estimate(limits)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMETER', extras: { parameter: 'components' } })
    await expect(refused).rejects.toThrow(problem)
    await expect(refused).rejects.toThrow(instead)
  })
})
