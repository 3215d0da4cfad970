import { describe, expect, it } from 'vitest'
import { readComponent } from '../../../src/domain/component/component.ts'
import { createInventory } from '../../../src/matching/judge/conditions.ts'
import { type Hit, judgeSubjects } from '../../../src/matching/judge/judge.ts'
import { findUpgrade } from '../../../src/matching/judge/upgrade.ts'
import { prepareRows } from '../../../src/matching/versions/product-rows.ts'
import type { StoredRow } from '../../../src/record/affected-row.ts'

const CNA = 'derived:cna:examplesoft'

const row = (low: string | null, high: string | null, more: Partial<StoredRow> = {}): StoredRow => ({
  subjectKey: '20261001',
  vendor: 'examplesoft',
  product: 'firewall',
  isAffected: true,
  isVague: false,
  isLowIncluded: low !== null,
  isHighIncluded: false,
  scheme: 'generic',
  source: CNA,
  target: '',
  edition: null,
  versions: null,
  low,
  high,
  fixed: high,
  condition: null,
  ...more,
})

/** Versions as a CNA lists them, one range per series. The series 10.0 gets no fix. */
const SERIES = [
  row('9.1', '9.1.17'),
  row('10.0', null),
  row('10.1', '10.1.11'),
  row('11.1', null, { isAffected: false }),
  row(null, null, { isAffected: false }),
]

function judge(version: string, rows: readonly StoredRow[]) {
  const component = readComponent({ vendor: 'examplesoft', product: 'firewall', version })
  const judged = { component, product: prepareRows(rows), inventory: createInventory([component]) }
  const hits = [...judgeSubjects(judged)].filter((each): each is Hit => typeof each === 'object')
  return { judged, hits }
}

const listVerdicts = (version: string, rows: readonly StoredRow[]) =>
  judge(version, rows).hits.map(({ verdict }) => verdict)

function upgrade(version: string, rows: readonly StoredRow[]): string | null {
  const { judged, hits } = judge(version, rows)
  const steps = findUpgrade(judged, hits, () => true)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value.version
  }
}

describe('A CNA range without an end', () => {
  it.each(['10.0', '10.0.12', '10.1.10', '9.1.16'])('affects %s, which is before the next range', (version) => {
    expect(listVerdicts(version, SERIES)).toEqual(['affected'])
  })

  it.each(['10.1.11', '10.1.14', '11.0', '11.1.2', '12.0'])('ends before %s, where other ranges begin', (version) => {
    expect(listVerdicts(version, SERIES)).toEqual([])
  })

  it('affects all later versions if the CNA names no other range', () => {
    expect(listVerdicts('12.0', [row('10.0', null)])).toEqual(['affected'])
  })

  it('affects all later versions if another source says so', () => {
    const rows = [row('10.0', null, { source: 'nvd' }), row('10.1', '10.1.11', { source: 'nvd' })]
    expect(listVerdicts('12.0', rows)).toEqual(['affected'])
  })

  it('does not block an upgrade to the first fixed version of the next series', () => {
    expect(upgrade('10.0.5', SERIES)).toBe('10.1.11')
  })

  it("does not block an upgrade if its end is before the component's version", () => {
    const other = row('10.1.12', '10.1.14', { subjectKey: '20261002' })
    expect(upgrade('10.1.12', [...SERIES, other])).toBe('10.1.14')
  })
})

describe("A CNA's statements about names that the service derived", () => {
  it('do not deny what the CNA itself states with CPE names', () => {
    const rows = [row('10.0', '10.2', { source: 'cna:examplesoft' }), row('9.0', '10.1.11', { isAffected: false })]
    expect(judge('10.1.2', rows).hits).toMatchObject([{ verdict: 'affected', others: [] }])
  })

  it('deny what NVD states', () => {
    const rows = [row('10.0', '10.2', { source: 'nvd' }), row('9.0', '10.1.11', { isAffected: false })]
    expect(judge('10.1.2', rows).hits).toMatchObject([
      { verdict: 'possibly_affected', others: [{ says: 'unaffected' }] },
    ])
  })
})
