import { describe, expect, it } from 'vitest'
import type { AffectedRow } from '../../../src/api/matching/affected-row.ts'
import { readComponent } from '../../../src/api/matching/component.ts'
import { judgeSubjects } from '../../../src/api/matching/judge.ts'
import { prepareRows } from '../../../src/api/matching/product-rows.ts'

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
function judge(version: string, ...rows: readonly AffectedRow[]) {
  const component = readComponent({ vendor: 'examplesoft', product: 'router', version })
  return [...judgeSubjects({ component, product: prepareRows(rows), inventory: new Map() })][0]
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
