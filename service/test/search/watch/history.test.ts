import { beforeEach, describe, expect, it } from 'vitest'
import type { CveKey } from '../../../src/domain/cve-id.ts'
import { type Facts, readFacts } from '../../../src/search/watch/facts.ts'
import { readSteps, walkBack } from '../../../src/search/watch/history.ts'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { configuration, cpe, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import { requireCveKey } from '../../support/catalog/cve-builder.ts'

const catalog = await createCatalogHarness()
const ID = 'CVE-2026-1000'
const OTHER = 'CVE-2026-2000'
const KEY = requireCveKey(ID)
beforeEach(() => catalog.reset())

const { db } = catalog.context.session

async function walk(key: CveKey = KEY, seq = '0') {
  const [facts, steps] = [await readFacts(db, [key]), await readSteps(db, seq, [key])]
  return walkBack(facts.get(key), steps.get(key) ?? [])
}

const withProduct = (product: string, changes: object = {}) =>
  nvdRecord(ID, {
    configurations: [configuration([{ criteria: cpe(product), versionEndExcluding: '2.4' }])],
    ...changes,
  })

async function publishRecord(record: object): Promise<void> {
  await catalog.storeRecord('nvd', ID, record)
  await catalog.publish()
}

/** The values around each row of the log, oldest first. */
const listAround = async (read: (facts: Facts) => unknown) =>
  (await walk()).map(({ before, after }) => [before && read(before), after && read(after)])

describe('Facts around a row of the change log', () => {
  it('are none before the CVE was added, and none after it was removed', async () => {
    await publishRecord(withProduct('router'))
    await catalog.selectRows(`delete from source.source_record where cve_id = '${ID}'`)
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'nvd')`)
    await catalog.publish()
    expect(await readFacts(db, [KEY])).toEqual(new Map())
    expect(await listAround(({ values, products }) => [values.score, products])).toEqual([
      [undefined, [7.5, [{ vendor: 'examplesoft', product: 'router' }]]],
      [[7.5, [{ vendor: 'examplesoft', product: 'router' }]], undefined],
    ])
  })

  it('are those of the columns, the products and the words that the row replaced', async () => {
    await publishRecord(withProduct('router'))
    const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.4)] }
    await publishRecord(withProduct('switch', { metrics }))
    const read = ({ values, products, words }: Facts) => [
      values.score,
      values.attack_vector,
      products.map(({ product }) => product).join(),
      words.includes("'switch'"),
    ]
    const [first, second] = [
      [7.5, 'network', 'router', false],
      [8.4, 'local', 'switch', true],
    ]
    expect(await listAround(read)).toEqual([
      [undefined, first],
      [first, second],
    ])
  })

  it('have the KEV entry of that time', async () => {
    await catalog.storeKev([])
    await publishRecord(withProduct('router'))
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-20' }])
    await catalog.publish()
    expect(await listAround(({ values }) => [values.flags.in_kev, values.kev_added])).toEqual([
      [undefined, [false, null]],
      [
        [false, null],
        [true, '2026-08-19'],
      ],
      [
        [true, '2026-08-19'],
        [true, '2026-08-20'],
      ],
    ])
  })

  it('have the EPSS score of that time: a jump counts at its own row, another score at the row of the release', async () => {
    await catalog.storeRecord('nvd', OTHER, nvdRecord(OTHER))
    await catalog.storeEpss('2026-08-19', { [ID]: 0.1, [OTHER]: 0.1 })
    await publishRecord(withProduct('router'))
    await catalog.storeEpss('2026-08-20', { [ID]: 0.45, [OTHER]: 0.12 })
    await catalog.publish()
    const read = async (key: CveKey) =>
      (await walk(key)).map(({ step, before, after }) => [step.kind, before?.values.epss, after?.values.epss])
    const [steps, others] = [await read(KEY), await read(requireCveKey(OTHER))]
    expect(steps.filter(([kind]) => kind !== 'changed')).toEqual([
      ['added', undefined, 0.1],
      ['score', 0.1, 0.45],
    ])
    expect(others.filter(([kind]) => kind !== 'changed')).toEqual([
      ['added', undefined, 0.1],
      ['score', 0.1, 0.12],
    ])
    const [jump, release] = await catalog
      .selectRows<{ seq: string }>(
        "select seq::text from catalog.change where kind = 'epss' order by change.seq desc limit 2",
      )
      .then((rows) => rows.toReversed())
    expect((await walk()).find(({ step }) => step.kind === 'score')?.step.seq).toBe(jump?.seq)
    expect((await walk(requireCveKey(OTHER))).find(({ step }) => step.kind === 'score')?.step.seq).toBe(release?.seq)
    expect(
      (await walk(KEY, jump?.seq)).filter(({ step }) => step.kind === 'score'),
      'a reader that has the jump does not get it again with the release',
    ).toEqual([])
  })

  it('have the times at which the CVE had become urgent by then', async () => {
    await publishRecord(withProduct('router'))
    await catalog.storeKev([{ cveId: OTHER }])
    await catalog.publish()
    await catalog.storeKev([{ cveId: OTHER }, { cveId: ID }])
    await catalog.publish()
    const around = await listAround(({ urgentChanges }) => urgentChanges.length)
    expect(around).toEqual([
      [undefined, 0],
      [0, 1],
    ])
  })
})
