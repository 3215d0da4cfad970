import { describe, expect, it } from 'vitest'
import { nearest } from '../src/nearest.ts'
import { csvRow } from '../src/render/csv.ts'
import { wordsOf, wordsOfVersion4 } from '../src/render/cvss-words.ts'
import { productOf } from '../src/render/product.ts'
import { bandOf } from '../src/render/severity.ts'
import { table } from '../src/render/table.ts'
import { cleanBlock, cleanJson, cleanLine, cut, pad, widthOf, wrap } from '../src/render/text.ts'
import type { Terminal } from '../src/terminal.ts'

const VERSION_3 = {
  version: '3.1',
  vectorString: 'CVSS:3.1/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:L',
  baseScore: 7.6,
  baseSeverity: 'HIGH',
  attackVector: 'ADJACENT_NETWORK',
  attackComplexity: 'HIGH',
  privilegesRequired: 'LOW',
  userInteraction: 'REQUIRED',
  scope: 'CHANGED',
  confidentialityImpact: 'HIGH',
  integrityImpact: 'HIGH',
  availabilityImpact: 'LOW',
} as const

const VERSION_4 = {
  version: '4.0',
  vectorString: 'CVSS:4.0/AV:P/AC:L/AT:P/PR:H/UI:P/VC:N/VI:N/VA:N/SC:N/SI:L/SA:N',
  baseScore: 1,
  baseSeverity: 'LOW',
  attackVector: 'PHYSICAL',
  attackComplexity: 'LOW',
  attackRequirements: 'PRESENT',
  privilegesRequired: 'HIGH',
  userInteraction: 'PASSIVE',
  vulnConfidentialityImpact: 'NONE',
  vulnIntegrityImpact: 'NONE',
  vulnAvailabilityImpact: 'NONE',
  subConfidentialityImpact: 'NONE',
  subIntegrityImpact: 'LOW',
  subAvailabilityImpact: 'NONE',
} as const

describe('a vector in words', () => {
  it('of version 3.1', () => {
    expect(wordsOf(VERSION_3)).toBe(
      'Exploited under special conditions, from a neighbouring network, with an ordinary account, if a user takes part. Lost: all confidentiality and integrity; some availability, beyond the component itself.',
    )
  })

  it('of version 4.0', () => {
    expect(wordsOfVersion4(VERSION_4)).toBe(
      'Exploited easily, with the device at hand, as an administrator, if a user happens to be there, in certain deployments only. Nothing is lost, and systems behind it suffer too.',
    )
  })
})

describe('an affected product', () => {
  it.each([
    ['cpe:2.3:a:maker:thing:2.0:rc1:*:*:*:*:*:*', {}, 'maker thing 2.0 rc1'],
    ['cpe:2.3:a:maker:thing:2.0:-:*:*:*:*:*:*', {}, 'maker thing 2.0'],
    [
      'cpe:2.3:a:maker:big\\:thing:*:*:*:*:*:*:*:*',
      { versionStartIncluding: '1', versionEndExcluding: '2' },
      'maker big:thing from 1 before 2',
    ],
  ])('%s is %o: %s', (criteria, versions, words) => {
    expect(productOf({ criteria, ...versions })).toBe(words)
  })
})

describe('a score', () => {
  it.each([
    [10, 'CRITICAL'],
    [9, 'CRITICAL'],
    [8.9, 'HIGH'],
    [4, 'MEDIUM'],
    [0.1, 'LOW'],
    [0, 'NONE'],
    [null, 'UNSCORED'],
  ])('of %s is %s', (score, name) => {
    expect(bandOf(score).name).toBe(name)
  })
})

describe('text of strangers', () => {
  it('loses what steers a terminal', () => {
    expect(cleanLine(' a\u001b[2J\tb\r\nc\u009b \u202ed\u0000 ')).toBe('a\ufffd[2J b c\ufffd \ufffdd\ufffd')
    expect(cleanBlock('a\r\nb\u0007\rc\td')).toBe('a\nb\ufffd\ufffdc d')
    expect(cleanJson('{\n"a":"\u009b\u202e"}')).toBe('{\n"a":"\\u009b\\u202e"}')
  })

  it('is measured in columns', () => {
    expect([widthOf('abc'), widthOf('漢字'), widthOf('e\u0301'), widthOf('🔥')]).toEqual([3, 4, 1, 2])
    expect([cut('漢字漢字', 6), cut('abcdef', 4), cut('abc', 3)]).toEqual(['漢字…', 'abc…', 'abc'])
    expect([pad('漢', 4), pad('7', 3, 'left')]).toEqual(['漢  ', '  7'])
  })

  it('is wrapped between words, and long words stay whole', () => {
    expect(wrap('one two https://example.org/long three', 8)).toEqual(['one two', 'https://example.org/long', 'three'])
  })
})

describe('CSV', () => {
  it('is quoted where it must be, and numbers stay numbers', () => {
    expect(csvRow(['a,b', 'say "no"', 'two\nlines', -1.5, true, null, undefined, ''])).toBe(
      '"a,b","say ""no""","two\nlines",-1.5,true,,,\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '|calc'])('makes %j no formula', (text) => {
    expect(csvRow([text]).startsWith("'") || csvRow([text]).startsWith(`"'`)).toBe(true)
  })
})

describe('a table', () => {
  const terminal: Terminal = {
    width: 24,
    now: new Date(0),
    paint: (_, text) => text,
    write: () => Promise.resolve(),
    remark: () => undefined,
  }

  it('gives its last column what the others leave', () => {
    const columns = [
      { title: 'ID', text: ({ id }: { id: string }) => id },
      { title: 'N', side: 'right' as const, text: () => '42' },
      { title: 'TEXT', text: () => 'words that go on and on' },
    ]

    expect(table(terminal, columns, [{ id: 'a' }, { id: 'bcd' }])).toBe(
      ['ID    N  TEXT', 'a    42  words that go…', 'bcd  42  words that go…', ''].join('\n'),
    )
  })
})

describe('what was probably meant', () => {
  it.each([
    ['serch', 'search'],
    ['kevs', 'kev'],
    ['frobnicate', undefined],
    ['x', undefined],
  ])('by %s is %s', (word, meant) => {
    expect(nearest(word, ['get', 'search', 'kev', 'recent'])).toBe(meant)
  })
})
