import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BASE_METRICS, type CvssVersion, OTHER_METRICS } from '../../src/domain/cvss/cvss-metrics.ts'
import { baseScore } from '../../src/domain/cvss/cvss-score.ts'
import { parseCvssVector } from '../../src/domain/cvss/cvss-vector.ts'

const V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P'
const V3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const V4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

describe('CVSS vector parser', () => {
  it('parses a vector into its version and base metrics', () => {
    expect(parseCvssVector(`${V3}/E:P/RL:X`)).toEqual({
      version: '3.1',
      vector: `${V3}/E:P/RL:X`,
      baseVector: V3,
      metrics: { AV: 'N', AC: 'L', PR: 'N', UI: 'N', S: 'U', C: 'H', I: 'H', A: 'H' },
    })
  })

  it('removes the parentheses around a CVSS 2.0 vector', () => {
    expect(parseCvssVector(`(${V2}/E:POC)`)).toMatchObject({ version: '2.0', vector: `${V2}/E:POC`, baseVector: V2 })
  })

  it("accepts metrics in any order and sorts them in the standard's order", () => {
    fc.assert(
      fc.property(vectors, fc.integer(), ({ version, prefix, metrics }, seed) => {
        const shuffled = metrics.toSorted((a, b) => hashText(a, seed) - hashText(b, seed))
        expect(parseCvssVector(prefix + shuffled.join('/'))).toMatchObject({
          version,
          vector: prefix + metrics.join('/'),
        })
      }),
    )
  })

  it('computes a score from 0.0 to 10.0 with one decimal for every vector', () => {
    fc.assert(
      fc.property(vectors, ({ prefix, metrics }) => {
        const vector = parseCvssVector(prefix + metrics.join('/'))
        const score = vector === undefined ? Number.NaN : baseScore(vector)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(10)
        expect(score).toBe(Number(score.toFixed(1)))
      }),
    )
  })

  it.each([
    ['without one of the mandatory metrics', V3.replace('/S:U', '')],
    ['without any metric', 'CVSS:3.1/'],
    ['with a metric twice', `${V3}/AV:N`],
    ['with an optional metric twice', `${V4}/E:A/E:A`],
    ['with an invalid metric value', V3.replace('AV:N', 'AV:X')],
    ['with a value from another version', V4.replace('UI:N', 'UI:R')],
    ['with a metric from another version', V3.replace('PR:N', 'Au:N')],
    ['with an invalid value for an optional metric', `${V4}/U:Blue`],
    ['with the metric name constructor', `${V3}/constructor:N`],
    ['with an empty value', V3.replace('AC:L', 'AC:')],
    ['with two values', V3.replace('AC:L', 'AC:L:H')],
    ['in lower case', V3.toLowerCase()],
    ['of the unknown version 3.2', V3.replace('3.1', '3.2')],
    ['of 3.1 with parentheses', `(${V3})`],
    ['of 2.0 with one parenthesis', `(${V2}`],
    ['of 3.1 without its prefix', V3.slice('CVSS:3.1/'.length)],
    ['with a slash at the end', `${V3}/`],
    ['with a leading space', ` ${V3}`],
    ['with a line break at the end', `${V3}\n`],
    ['that is empty', ''],
    ['with 100,000 metrics', `${V2}${'/E:ND'.repeat(100_000)}`],
  ])('rejects a vector %s', (_, text) => {
    expect(parseCvssVector(text)).toBeUndefined()
  })

  it('accepts a CVSS 4.0 vector with all metrics', () => {
    const all = Object.entries(OTHER_METRICS['4.0']).map(([name, values]) => `${name}:${values.split(' ').at(-2)}`)
    expect(parseCvssVector([V4, ...all].join('/'))?.baseVector).toBe(V4)
  })

  it('returns undefined for random text and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'CVSS:3.0/', 'CVSS:4.0/'), (garbage, prefix) => {
        expect(parseCvssVector(prefix + garbage)).toBeUndefined()
      }),
    )
  })
})

/** Generates random CVSS vectors with all base metrics and some optional metrics, in the order of the standard. */
const vectors = fc.constantFrom<CvssVersion>('2.0', '3.0', '3.1', '4.0').chain((version) =>
  fc
    .tuple(
      ...Object.entries(BASE_METRICS[version]).map(([name, words]) => metric(name, Object.keys(words))),
      ...Object.entries(OTHER_METRICS[version]).map(([name, values]) =>
        fc.option(metric(name, values.split(' ')), { nil: '' }),
      ),
    )
    .map((metrics) => ({
      version,
      prefix: version === '2.0' ? '' : `CVSS:${version}/`,
      metrics: metrics.filter((each) => each !== ''),
    })),
)

function metric(name: string, values: readonly string[]) {
  return fc.constantFrom(...values).map((value) => `${name}:${value}`)
}

function hashText(text: string, seed: number): number {
  return [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, seed)
}
