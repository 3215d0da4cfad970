import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts, RecordFact } from '../../../src/catalog/model/source-data.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { someFacts } from '../any-source-data.ts'
import { cve, facts, nvd, nvdRating, record, VECTORS, vendor } from '../builders.ts'

const without = (given: Facts, gone: (fact: RecordFact) => boolean): Facts => ({
  ...given,
  records: given.records.filter((fact) => !gone(fact)),
})

function always(claim: (given: Facts) => void): void {
  fc.assert(
    fc.property(someFacts, (given) => {
      claim(given)
    }),
  )
}

describe('Concluding', () => {
  it('does not depend on the order of the facts', () => {
    const shuffled = someFacts.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray([...given.records], { minLength: given.records.length })),
    )
    fc.assert(
      fc.property(shuffled, ([given, records]) => {
        expect(resolve({ ...given, records })).toEqual(resolve(given))
      }),
    )
  })

  it('gives the same record every time, and leaves the facts as they are', () => {
    always((given) => {
      const before = JSON.stringify(given)
      expect(resolve(given)).toEqual(resolve(given))
      expect(JSON.stringify(given)).toBe(before)
    })
  })

  it.each([
    ['nvd', /"nvd"|nvd\.example/],
    ['cve', /cna:apache|cisa-adp|cve\.example|"cve"/],
    ['overrides', /anchore|"overrides"/],
    ['ghsa', /"ghsa"/],
    ['redhat', /"redhat"/],
    ['msrc', /"msrc"/],
  ] as const)('leaves nothing of %s behind once it is gone', (source, trace) => {
    always((given) => {
      const left = resolve(without(given, (fact) => fact.source === source))
      expect(JSON.stringify(left ?? null)).not.toMatch(trace)
    })
  })

  it('takes nothing from a record that its vendor has withdrawn', () => {
    const isWithdrawn = ({ record: json }: RecordFact) => json.includes('"withdrawn":true')
    always((given) => {
      expect(resolve(given)).toEqual(resolve(without(given, isWithdrawn)))
    })
  })

  it('shows every rating that was given once, be it chosen or next', () => {
    always((given) => {
      const { score, statements } = resolve(given) ?? { score: null, statements: [] }
      const shown = (score ? [score, ...score.runnersUp] : []).map(({ by, value }) => `${by} ${value.vector}`)
      const said = statements.flatMap(({ ratings }) => ratings.map(({ by, vector }) => `${by} ${vector}`))
      expect(shown.toSorted()).toEqual([...new Set(said)].sort())
    })
  })
})

describe('Records of a form that nobody expects', () => {
  const members = [
    'published',
    'vulnStatus',
    'descriptions',
    'metrics',
    'weaknesses',
    'configurations',
    'affected',
    'references',
  ] as const
  const containers = [
    'providerMetadata',
    'descriptions',
    'affected',
    'metrics',
    'problemTypes',
    'references',
    'cpeApplicability',
  ] as const
  const products = ['scores', 'weaknesses', 'products', 'references', 'severity', 'published', 'exploitation'] as const
  const anything = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()))])))

  it('never throw, whatever stands where something else should', () => {
    fc.assert(
      fc.property(anything(members), anything(containers), anything(products), (first, second, third) => {
        const given = facts([
          nvd(first),
          cve({ cna: second, adp: [second] }),
          vendor('ghsa', third),
          record('overrides', { cve: first }),
        ])
        expect(resolve(given)?.sourceTag).toBe('nvd')
      }),
    )
  })

  it('give up only the member that is wrong', () => {
    const metrics = {
      cvssMetricV31: [7, null, nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8)],
      cvssMetricV2: 'none',
      'new one': {},
    }
    const resolved = resolve(
      facts([nvd({ metrics, weaknesses: 'CWE-79', references: [{ url: 4 }, { url: 'https://t.example/' }] })]),
    )
    expect(resolved).toMatchObject({
      score: { value: { score: 9.8 } },
      weaknesses: [],
      references: [{ url: 'https://t.example/' }],
    })
  })
})
