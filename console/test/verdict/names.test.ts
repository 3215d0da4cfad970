import { describe, expect, it } from 'vitest'
import { formatDate } from '../../src/text/date-words.ts'
import { formatEpss } from '../../src/text/format.ts'
import { toMatchText } from '../../src/text/verdict/match-text.ts'
import { displayName } from '../../src/text/verdict/product-name.ts'
import { nameCve } from '../../src/text/verdict/title.ts'
import { EMPTY_CVE } from '../cve/empty-cve.ts'

describe('verdict: name of a CVE', () => {
  it.each([
    [
      'the name in KEV without its last word',
      { kev: { dateAdded: '', knownRansomware: false, vulnerabilityName: 'Acme Anvil SQL Injection Vulnerability' } },
      'Acme Anvil SQL Injection',
    ],
    [
      'the first sentence of the description',
      { description: 'Acme Anvil before 1.2.3 drops. It is heavy.' },
      'Acme Anvil before 1.2.3 drops',
    ],
    [
      'the description without the sentence of the Linux kernel',
      {
        description:
          'In the Linux kernel, the following vulnerability has been resolved:\n\nnet: fix a leak\n\nThe buffer is never freed.',
      },
      'net: fix a leak',
    ],
  ])('is %s', (_case, facts, name) => {
    expect(nameCve({ ...EMPTY_CVE, ...facts })).toBe(name)
  })

  it('is cut between two words, and absent if nobody describes the CVE', () => {
    const name = nameCve({ ...EMPTY_CVE, description: 'word '.repeat(100) })
    expect(name).toMatch(/^(?:word ){23,24}…$/)
    expect(nameCve(EMPTY_CVE)).toBeUndefined()
  })
})

describe('verdict: names and numbers', () => {
  it.each([
    ['palo_alto_networks', 'Palo Alto Networks'],
    ['FortiOS', 'FortiOS'],
    ['log4j', 'Log4j'],
  ])('writes the product %s as "%s"', (name, words) => {
    expect(displayName(name, [])).toBe(words)
  })

  it.each([
    [0.99358, '> 99 %'],
    [0.99, '99.0 %'],
    [0.00042, '0.04 %'],
    [0, '0.00 %'],
  ])('writes the EPSS score %f as "%s"', (score, words) => {
    expect(formatEpss(score)).toBe(words)
  })

  it.each([
    ['2024-09-01T23:59:00Z', '1 Sep 2024'],
    ['2024-04-12', '12 Apr 2024'],
    ['unknown', 'unknown'],
  ])('writes the day of %s as "%s"', (text, words) => {
    expect(formatDate(text)).toBe(words)
  })

  it('prefills a check with the product in CPE or with the package', () => {
    const cpe = [{ vulnerable: true, criteria: 'cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*' }]
    expect(toMatchText({ ...EMPTY_CVE, cpe })).toBe('apache log4j ')
    const fixed = {
      vendor: 'npm',
      product: 'lodash',
      package_url: 'pkg:npm/lodash',
      branch: null,
      version: '4',
      is_commit: false,
      source: 'ghsa',
      rivals: [],
    }
    expect(toMatchText({ ...EMPTY_CVE, cpe, fixes: [fixed] })).toBe('pkg:npm/lodash@')
    expect(toMatchText(EMPTY_CVE)).toBeUndefined()
  })
})
