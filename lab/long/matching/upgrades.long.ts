// Matches the versions to which the service says to upgrade again, on the whole published catalog.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import type { Component } from '../../../service/src/domain/component/component.ts'
import { type MatchedComponent, matchComponents } from '../../../service/src/matching/match.ts'
import { findFullCoverage } from '../../../service/test/support/coverage.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the test of upgrades on the whole catalog')

const WANTED = 240
const OPTIONS = {
  confidenceMin: 'medium',
  inventory: undefined,
  assess: () => ({}),
  findCoverage: findFullCoverage,
} as const

interface ChosenProduct {
  readonly kind: 'cpe' | 'purl'
  readonly vendor: string
  readonly product: string
  readonly version: string
}

/** Chooses names in the order of a hash, with the start of one of their ranges, which is an affected version. */
async function chooseProducts(db: Database): Promise<readonly ChosenProduct[]> {
  const { rows } = await sql<ChosenProduct>`
    select name.kind, name.vendor, name.product, chosen.low as version
      from (select * from catalog.affected_name order by md5(name_key::text) limit 20000) as name
     cross join lateral (
             select low
               from catalog.affected
              where name_key = name.name_key and is_affected and not is_vague and low_in and scheme <> 'commit'
                and target = ''
              order by subject_key, nr
              limit 1
           ) as chosen
     order by md5(name.name_key::text)
     limit ${WANTED}
  `.execute(db)
  return rows
}

async function matchAt(db: Database, chosen: ChosenProduct, version: string) {
  const { kind, vendor, product } = chosen
  const by = kind === 'purl' ? 'purl' : 'product'
  const component: Component = {
    by,
    kind,
    vendor,
    product,
    target: null,
    edition: null,
    version: { text: version, base: version, update: null },
  }
  const [matched] = (await matchComponents(db, [component], OPTIONS)) ?? []
  return matched
}

/** Returns a fixed version of a hit that has no listed hit itself. */
async function findFix(
  db: Database,
  chosen: ChosenProduct,
  { matches }: MatchedComponent,
): Promise<string | undefined> {
  const fixes = new Set(matches.flatMap((each) => each.fixes.map(({ version }) => version)))
  for (const fix of fixes) {
    const again = await matchAt(db, chosen, fix)
    if (again?.matches.length === 0) return fix
  }
  return undefined
}

describe.skipIf(url === undefined)('Upgrades on the whole catalog', () => {
  it('name a version without a listed hit for 200 components, or none if every fixed version has one', async () => {
    const db = openPublishedCatalog(url ?? '')
    const counts = { upgraded: 0, none: 0, unlisted: 0 }
    const wrong: string[] = []
    for (const chosen of await chooseProducts(db)) {
      const matched = await matchAt(db, chosen, chosen.version)
      const name = `${chosen.kind} ${chosen.vendor} ${chosen.product} ${chosen.version}`
      if (matched?.upgrade === undefined) {
        counts.unlisted += 1
      } else if (matched.upgrade.version === null) {
        counts.none += 1
        const fix = await findFix(db, chosen, matched)
        if (fix !== undefined) wrong.push(`${name}: none, but ${fix} has no hit`)
      } else {
        counts.upgraded += 1
        const again = await matchAt(db, chosen, matched.upgrade.version)
        const ids = again?.matches.map(({ subject }) => subject.id) ?? []
        if (ids.length > 0) wrong.push(`${name}: ${matched.upgrade.version} has ${ids.slice(0, 3).join(', ')}`)
      }
    }

    process.stdout.write(`${JSON.stringify(counts)}\n${wrong.map((each) => `  ${each}`).join('\n')}\n`)
    expect(counts.upgraded + counts.none).toBeGreaterThanOrEqual(200)
    expect(wrong).toEqual([])
  })
})
