import { describe, expect, it } from 'vitest'
import { readComponent } from '../../../src/domain/component/component.ts'
import type { AffectedRow } from '../../../src/matching/affected-row.ts'
import { type Hit, judgeSubjects } from '../../../src/matching/judge/judge.ts'
import { findUpgrade } from '../../../src/matching/judge/upgrade.ts'
import { prepareRows } from '../../../src/matching/versions/product-rows.ts'

const row = (source: string, values: Partial<AffectedRow>): AffectedRow => ({
  subject_key: '1',
  vendor: 'examplesoft',
  product: 'router',
  is_affected: true,
  is_vague: false,
  low_in: null,
  high_in: null,
  scheme: 'generic',
  source,
  target: '',
  edition: null,
  versions: null,
  low: null,
  high: null,
  fixed: null,
  condition: null,
  ...values,
})

function prepare(version: string, rows: readonly AffectedRow[]) {
  const component = readComponent({ vendor: 'examplesoft', product: 'router', version })
  return { component, product: prepareRows(rows), inventory: new Map() }
}

function judge(version: string, ...rows: readonly AffectedRow[]) {
  return [...judgeSubjects(prepare(version, rows))][0]
}

function upgrade(version: string, ...rows: readonly AffectedRow[]): string | null {
  const judged = prepare(version, rows)
  const hits = [...judgeSubjects(judged)].filter((found): found is Hit => typeof found === 'object')
  const steps = findUpgrade(judged, hits, () => true)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value.version
  }
}

const NVD = row('nvd', { high: '9.0', high_in: false })
const OTHERS_UNAFFECTED = row('cna:examplesoft', { is_affected: false })
const UNORDERED = row('cna:examplesoft', { low: '2.0', low_in: true, high: '2.4-h3', high_in: false })

describe('judgeSubjects', () => {
  it('takes "all others are unaffected" for a denial only if the source can be compared', () => {
    expect(judge('2.4', NVD, OTHERS_UNAFFECTED)).toMatchObject({
      verdict: 'possibly_affected',
      others: [{ says: 'unaffected' }],
    })
    expect(judge('2.4-foo1', NVD, UNORDERED, OTHERS_UNAFFECTED)).toMatchObject({
      verdict: 'affected',
      others: [{ says: 'unknown' }],
    })
  })

  it('drops a vague statement if the same source calls the version unaffected', () => {
    const vague = row('cna:examplesoft', { is_vague: true })
    const fixed = row('cna:examplesoft', { is_affected: false, low: '2.0', low_in: true })
    expect(judge('2.1', vague, fixed)).toBeUndefined()
    expect(judge('1.9', vague, fixed)).toMatchObject({ verdict: 'possibly_affected' })
    expect(judge('2.1', vague, OTHERS_UNAFFECTED)).toMatchObject({ verdict: 'possibly_affected' })
  })
})

describe('A range of commits', () => {
  const commits = row('cna:examplesoft', {
    scheme: 'commit',
    low: '1a2b3c',
    low_in: true,
    high: '42d5e6',
    fixed: '42d5e6',
  })
  const versions = row('cna:examplesoft', { high: '2.0', high_in: false, fixed: '2.0' })

  it('says nothing beside a range of versions by the same source', () => {
    expect(judge('1.0', versions, commits)).toMatchObject({ verdict: 'affected', fixes: [{ version: '2.0' }] })
    expect(judge('3.0', versions, commits)).toBeUndefined()
    expect(prepareRows([commits, versions]).rows.map((each) => each.row)).toEqual([versions])
  })

  it('is an unknown statement beside the range of another source', () => {
    expect(judge('2.4', NVD, commits)).toMatchObject({ verdict: 'affected', others: [{ says: 'unknown' }] })
  })

  it('leaves the order unknown if nothing else is known', () => {
    expect(judge('2.4', commits)).toBe('unordered')
  })

  it('names no version to upgrade to', () => {
    expect(upgrade('2.4', NVD, commits)).toBeNull()
    expect(upgrade('1.0', versions, commits)).toBe('2.0')
  })
})
