// Publishes random changes with the real publisher, reads the values of all filters with SQL after each publication, and
// expects that walking back from the end gives each earlier state exactly.
import { describe, expect, it } from 'vitest'
import { type Facts, readFacts } from '../../../src/search/watch/facts.ts'
import { readSteps, walkBack } from '../../../src/search/watch/history.ts'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { requireCveKey } from '../../support/catalog/cve-builder.ts'
import { createRandomPublications, RANDOM_IDS } from '../../support/search/random-publications.ts'
import { chooseBySize } from '../../support/size.ts'

const catalog = await createCatalogHarness()
const { db } = catalog.context.session
const KEYS = RANDOM_IDS.map(requireCveKey)

interface State {
  /** Newest row of the change log. */
  readonly seq: string
  /** By key of the CVE: the values that filters read, as plain SQL gives them. */
  readonly values: Readonly<Record<string, unknown>>
}

/** All columns of catalog.cve but those that no filter reads, so that a new column is missed in the facts. */
const READ_STATE = `
  select coalesce((select max(seq) from catalog.change), 0)::text as seq,
         coalesce(
           json_object_agg(
             cve.cve_key,
             to_jsonb(cve) - '{cve_key,is_enriched,content_hash,event_day,urgent_day}'::text[]
               || jsonb_build_object(
                    'published', (extract(epoch from cve.published) * 1000)::float8,
                    'modified', (extract(epoch from cve.modified) * 1000)::float8,
                    'epss', (select score from catalog.epss where epss.cve_key = cve.cve_key),
                    'kev_added', (select date_added::text from catalog.kev where kev.cve_key = cve.cve_key),
                    'products', array(
                      select vendor || '/' || product
                        from catalog.cve_product_name named
                       where named.cve_key = cve.cve_key
                       order by (vendor || '/' || product) collate "C"
                    ),
                    'urgent', array(
                      select seq::text
                        from catalog.change
                       where change.cve_key = cve.cve_key and cause = 'data' and 'became_urgent' = any (types)
                       order by change.seq
                    )
                  )
           ),
           '{}'
         ) as values
    from catalog.cve`

const readState = async (): Promise<State> => {
  const [state] = await catalog.selectRows<State>(READ_STATE)
  if (!state) throw new Error('The state has no row.')
  return state
}

function toPlain({ values: { flags, ...values }, products, words, urgentChanges }: Facts): unknown {
  return {
    ...values,
    ...flags,
    words,
    products: products.map(({ vendor, product }) => `${vendor}/${product}`).toSorted(),
    urgent: urgentChanges.map(({ seq }) => seq),
  }
}

async function readPast(states: readonly State[]) {
  const [facts, steps] = [await readFacts(db, KEYS), await readSteps(db, '0', KEYS)]
  return KEYS.map((key) => {
    const [now, around] = [facts.get(key), walkBack(facts.get(key), steps.get(key) ?? [])]
    const find = (seq: string) => {
      const next = around.find(({ step }) => BigInt(step.seq) > BigInt(seq))
      return next ? next.before : now
    }
    const found = states.map(({ seq }) => find(seq))
    return { key, states: found.map((each) => each && toPlain(each)), steps: around }
  })
}

describe('Walking back over the change log', () => {
  const { sequences, publications } = chooseBySize({
    short: { sequences: 2, publications: 35 },
    long: { sequences: 30, publications: 150 },
  })

  it(`gives each earlier state, for ${sequences} random sequences of ${publications} publications`, {
    timeout: 3_600_000,
  }, async () => {
    const [stored, undone] = [new Map<string, number>(), new Map<string, number>()]
    const add = (counts: Map<string, number>, name: string, count = 1) =>
      counts.set(name, (counts.get(name) ?? 0) + count)
    for (let seed = 0; seed < sequences; seed += 1) {
      await catalog.reset()
      const random = createRandomPublications(catalog, seed)
      const states: State[] = []
      for (let number = 0; number < publications; number += 1) {
        await random.publishNext()
        states.push(await readState())
      }
      for (const [name, count] of random.counts) add(stored, name, count)
      for (const past of await readPast(states)) {
        for (const { step } of past.steps) add(undone, step.kind)
        for (const [number, { values }] of states.entries())
          expect(past.states[number], `sequence ${seed}, ${past.key} after publication ${number}`).toEqual(
            values[past.key],
          )
      }
    }
    process.stdout.write(
      `stored: ${JSON.stringify(Object.fromEntries(stored))}\nundone: ${JSON.stringify(Object.fromEntries(undone))}\n`,
    )
  })
})
