import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SourceData, SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { anySourceData } from '../any-source-data.ts'
import { cve, nvd, nvdRating, record, sourceData, VECTORS, vendor } from '../builders.ts'

const without = (given: SourceData, isRemoved: (sourceRecord: SourceRecord) => boolean): SourceData => ({
  ...given,
  records: given.records.filter((sourceRecord) => !isRemoved(sourceRecord)),
})

function checkAll(check: (given: SourceData) => void): void {
  fc.assert(
    fc.property(anySourceData, (given) => {
      check(given)
    }),
  )
}

describe('Resolver: random source data', () => {
  it('gives the same result for the source records in any order', () => {
    const shuffled = anySourceData.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray([...given.records], { minLength: given.records.length })),
    )
    fc.assert(
      fc.property(shuffled, ([given, records]) => {
        expect(resolve({ ...given, records })).toEqual(resolve(given))
      }),
    )
  })

  it('gives the same result each time for the same source data and does not change the source data', () => {
    checkAll((given) => {
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
  ] as const)('returns no data from the source %s after its record was removed', (source, trace) => {
    checkAll((given) => {
      const left = resolve(without(given, (sourceRecord) => sourceRecord.source === source))
      expect(JSON.stringify(left ?? null)).not.toMatch(trace)
    })
  })

  it('takes no data from a withdrawn vendor record', () => {
    const isWithdrawn = ({ record: json }: SourceRecord) => json.includes('"withdrawn":true')
    checkAll((given) => {
      expect(resolve(given)).toEqual(resolve(without(given, isWithdrawn)))
    })
  })

  it('lists every distinct rating once, as the chosen score or as a runner-up', () => {
    checkAll((given) => {
      const { score, claims } = resolve(given) ?? { score: null, claims: [] }
      const shown = (score ? [score, ...score.runnersUp] : []).map(({ by, value }) => `${by} ${value.vector}`)
      const stated = claims.flatMap(({ ratings }) => ratings.map(({ by, vector }) => `${by} ${vector}`))
      expect(shown.toSorted()).toEqual([...new Set(stated)].sort())
    })
  })
})

describe('Resolver: malformed source records', () => {
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

  it('never throws for members of unexpected types', () => {
    fc.assert(
      fc.property(anything(members), anything(containers), anything(products), (first, second, third) => {
        const given = sourceData([
          nvd(first),
          cve({ cna: second, adp: [second] }),
          vendor('ghsa', third),
          record('overrides', { cve: first }),
        ])
        expect(resolve(given)?.sourceTag).toBe('nvd')
      }),
    )
  })

  it('ignores only the malformed member of a record', () => {
    const metrics = {
      cvssMetricV31: [7, null, nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.8)],
      cvssMetricV2: 'none',
      'new one': {},
    }
    const resolved = resolve(
      sourceData([nvd({ metrics, weaknesses: 'CWE-79', references: [{ url: 4 }, { url: 'https://t.example/' }] })]),
    )
    expect(resolved).toMatchObject({
      score: { value: { score: 9.8 } },
      weaknesses: [],
      references: [{ url: 'https://t.example/' }],
    })
  })
})
