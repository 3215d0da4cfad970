import { describe, expect, it } from 'vitest'
import { readComponent } from '../../../src/domain/component/component.ts'
import { type Hit, judgeSubjects } from '../../../src/matching/judge/judge.ts'
import { findUpgrade } from '../../../src/matching/judge/upgrade.ts'
import { prepareRows } from '../../../src/matching/versions/product-rows.ts'
import type { StoredRow } from '../../../src/record/affected-row.ts'

const row = (source: string, values: Partial<StoredRow>): StoredRow => ({
  subjectKey: '1',
  vendor: 'examplesoft',
  product: 'router',
  isAffected: true,
  isVague: false,
  isLowIncluded: false,
  isHighIncluded: false,
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

function prepare(version: string, rows: readonly StoredRow[]) {
  const component = readComponent({ vendor: 'examplesoft', product: 'router', version })
  return { component, product: prepareRows(rows), inventory: new Map() }
}

function judge(version: string, ...rows: readonly StoredRow[]) {
  return [...judgeSubjects(prepare(version, rows))][0]
}

function upgrade(version: string, ...rows: readonly StoredRow[]): string | null {
  const judged = prepare(version, rows)
  const hits = [...judgeSubjects(judged)].filter((found): found is Hit => typeof found === 'object')
  const steps = findUpgrade(judged, hits, () => true)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value.version
  }
}

const NVD = row('nvd', { high: '9.0', isHighIncluded: false })
const OTHERS_UNAFFECTED = row('cna:examplesoft', { isAffected: false })
const UNORDERED = row('cna:examplesoft', { low: '2.0', isLowIncluded: true, high: '2.4-h3', isHighIncluded: false })

describe('judgeSubjects', () => {
  it('treats "all others are unaffected" as a denial only if the source can be compared', () => {
    expect(judge('2.4', NVD, OTHERS_UNAFFECTED)).toMatchObject({
      verdict: 'possibly_affected',
      others: [{ says: 'unaffected' }],
    })
    expect(judge('2.4-foo1', NVD, UNORDERED, OTHERS_UNAFFECTED)).toMatchObject({
      verdict: 'affected',
      others: [{ says: 'unknown' }],
    })
  })

  it.each([
    ['derived:csaf-siemens', 'possibly_affected'],
    ['csaf-cisa', 'affected'],
  ])('takes a denial by %s for one of the vendor, and one by a coordinator not', (source, verdict) => {
    expect(judge('2.4', NVD, row(source, { isAffected: false, versions: ['2.4'] }))).toMatchObject({
      verdict,
      others: [{ says: 'unaffected', row: { source } }],
    })
  })

  it('drops a vague statement if the same source calls the version unaffected', () => {
    const vague = row('cna:examplesoft', { isVague: true })
    const fixed = row('cna:examplesoft', { isAffected: false, low: '2.0', isLowIncluded: true })
    expect(judge('2.1', vague, fixed)).toBeUndefined()
    expect(judge('1.9', vague, fixed)).toMatchObject({ verdict: 'possibly_affected' })
    expect(judge('2.1', vague, OTHERS_UNAFFECTED)).toMatchObject({ verdict: 'possibly_affected' })
  })
})

describe('A conclusion of the service', () => {
  const concluded = row('rules', { versions: ['2.4'] })
  const derived = row('derived:cna:examplesoft', { high: '2.4', isHighIncluded: true })

  it("comes after a source's statement that the version is affected", () => {
    expect(judge('2.4', concluded, derived, row('ghsa', { high: '2.4', fixed: '2.4' }))).toMatchObject({
      verdict: 'affected',
      confidence: 'medium',
      row: { source: 'derived:cna:examplesoft' },
      others: [{ says: 'affected', row: { source: 'rules' } }, { says: 'not_in_range' }],
    })
  })

  it('comes before a statement about another target, which has low confidence', () => {
    const forAnother = row('nvd', { versions: ['2.4'], target: 'wordpress' })
    const judged = prepare('2.4', [concluded, forAnother])
    const component = { ...judged.component, target: 'drupal' }
    expect([...judgeSubjects({ ...judged, component })]).toMatchObject([
      { verdict: 'possibly_affected', confidence: 'medium', row: { source: 'rules' } },
    ])
  })
})

describe('A commit range', () => {
  const commits = row('cna:examplesoft', {
    scheme: 'commit',
    low: '1a2b3c',
    isLowIncluded: true,
    high: '42d5e6',
    fixed: '42d5e6',
  })
  const versions = row('cna:examplesoft', { high: '2.0', isHighIncluded: false, fixed: '2.0' })

  it('is ignored next to a version range from the same source', () => {
    expect(judge('1.0', versions, commits)).toMatchObject({ verdict: 'affected', fixes: [{ version: '2.0' }] })
    expect(judge('3.0', versions, commits)).toBeUndefined()
    expect(prepareRows([commits, versions]).rows.map((each) => each.row)).toEqual([versions])
  })

  it("counts as an unknown statement next to another source's range", () => {
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
