import { describe, expect, it } from 'vitest'
import { formatCsvRow } from '../src/render/csv.ts'
import { describeCvss2, describeCvss3, describeCvss4 } from '../src/render/describe-cvss.ts'
import { describeNamedProduct, describeProduct, listProductNames } from '../src/render/describe-product.ts'
import { findBand, findCveBand, formatPercent } from '../src/render/severity.ts'
import { renderTable } from '../src/render/table.ts'
import type { Terminal } from '../src/render/terminal.ts'
import { cleanBlock, cleanJson, cleanLine, measureWidth, pad, truncate, wrap } from '../src/render/text.ts'

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

const VERSION_2 = {
  version: '2.0',
  vectorString: 'AV:A/AC:M/Au:S/C:C/I:P/A:N',
  baseScore: 5.8,
  baseSeverity: 'MEDIUM',
  accessVector: 'ADJACENT_NETWORK',
  accessComplexity: 'MEDIUM',
  authentication: 'SINGLE',
  confidentialityImpact: 'COMPLETE',
  integrityImpact: 'PARTIAL',
  availabilityImpact: 'NONE',
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

describe('CVSS description', () => {
  it('describes a CVSS 3.1 vector in a sentence', () => {
    expect(describeCvss3(VERSION_3)).toBe(
      'Exploited under special conditions, from a neighbouring network, with an ordinary account, with user interaction. Lost: all confidentiality and integrity; some availability, beyond the component itself.',
    )
  })

  it('describes a CVSS 2.0 vector in a sentence', () => {
    expect(describeCvss2(VERSION_2)).toBe(
      'Exploited under some conditions, from a neighbouring network, after one login. Lost: all confidentiality; some integrity.',
    )
  })

  it('describes a CVSS 4.0 vector in a sentence', () => {
    expect(describeCvss4(VERSION_4)).toBe(
      'Exploited easily, with the device at hand, as an administrator, with passive user interaction, in certain deployments only. Nothing is lost, and systems behind it suffer too.',
    )
  })
})

describe('Product description', () => {
  it.each([
    ['cpe:2.3:a:norwind:gateway:2.0:rc1:*:*:*:*:*:*', {}, 'norwind gateway 2.0 rc1'],
    ['cpe:2.3:a:norwind:gateway:2.0:-:*:*:*:*:*:*', {}, 'norwind gateway 2.0'],
    [
      'cpe:2.3:a:norwind:gate\\:way:*:*:*:*:*:*:*:*',
      { versionStartIncluding: '1', versionEndExcluding: '2' },
      'norwind gate:way from 1 before 2',
    ],
  ])('describes %s with the version range %o as "%s"', (criteria, versions, description) => {
    expect(describeProduct({ criteria, ...versions })).toBe(description)
  })
})

describe('Named product description', () => {
  const range = (
    version: string | null,
    less_than: string | null = null,
    less_than_or_equal: string | null = null,
  ) => ({
    affected: true,
    version,
    less_than,
    less_than_or_equal,
  })

  it.each([
    [[range('2.0', '2.15.0')], false, 'Norwind Gateway: from 2.0 before 2.15.0'],
    [
      [range('0', '2.3.1'), range('2.4', null, '2.12.1')],
      false,
      'Norwind Gateway: before 2.3.1; from 2.4 up to 2.12.1',
    ],
    [[range('8.0', '*'), range('6.8', null, '*')], false, 'Norwind Gateway: from 8.0; from 6.8'],
    [[range('0', '*')], false, 'Norwind Gateway: every version'],
    [[range('7.1')], false, 'Norwind Gateway: 7.1'],
    [[range(null)], false, 'Norwind Gateway: every version'],
    [[], false, 'Norwind Gateway'],
    [
      [{ ...range('3.2'), affected: false }],
      true,
      'Norwind Gateway: every version that is not listed; not affected: 3.2',
    ],
    [
      ['1', '2', '3', '4', '5', '6', '7', '8'].map((each) => range(each)),
      false,
      'Norwind Gateway: 1; 2; 3; 4; 5; 6; and 2 more',
    ],
  ])('describes the versions %j (affected by default: %j) as "%s"', (versions, affected_by_default, description) => {
    const product = { vendor: 'Norwind', product: 'Gateway', affected_by_default, versions }

    expect(describeNamedProduct(product)).toBe(description)
  })

  it('says that the source names no affected version of a product', () => {
    const product = { vendor: 'Norwind', product: 'Gateway', affected: false, affected_by_default: false, versions: [] }
    expect(describeNamedProduct(product)).toBe('Norwind Gateway: no affected version')
  })

  it('says that it is not known whether a product is affected', () => {
    const product = { vendor: 'Norwind', product: 'Gateway', affected_by_default: false, versions: [] }
    expect(describeNamedProduct({ ...product, status_unknown: true })).toBe(
      'Norwind Gateway: not known whether it is affected',
    )
  })

  it('lists each vulnerable product in the CPE matches once', () => {
    const match = (criteria: string, vulnerable = true) => ({
      criteria: `cpe:2.3:${criteria}:*:*:*:*:*:*:*`,
      vulnerable,
    })
    const matches = [match('a:norwind:gate\\:way:1'), match('a:norwind:gate\\:way:2'), match('o:norwind:os:1', false)]

    expect(listProductNames(matches)).toEqual(['norwind gate:way'])
  })
})

describe('Percentage', () => {
  it.each([
    [0.99999, '99.9 %'],
    [0.9995, '99.9 %'],
    [1, '100.0 %'],
    [0.974, '97.4 %'],
    [0, '0.0 %'],
    [undefined, '-'],
  ])('formats %s as "%s"', (share, text) => {
    expect(formatPercent(share)).toBe(text)
  })
})

describe('Severity band', () => {
  it.each([
    [10, 'HIGH'],
    [7, 'HIGH'],
    [6.9, 'MEDIUM'],
    [3.9, 'LOW'],
    [0, 'LOW'],
  ])('assigns the CVSS 2.0 score %s to the band %s', (score, name) => {
    expect(findBand(score, '2.0').name).toBe(name)
  })

  it.each([
    [10, 'CRITICAL'],
    [9, 'CRITICAL'],
    [8.9, 'HIGH'],
    [4, 'MEDIUM'],
    [0.1, 'LOW'],
    [0, 'NONE'],
    [null, 'UNSCORED'],
  ])('assigns the score %s to the band %s', (score, name) => {
    expect(findBand(score).name).toBe(name)
  })

  it('uses CVSS 2.0 terms for a CVE whose score is a CVSS 2.0 score', () => {
    expect(findCveBand({ severity: 9.3, cvss: { v2_0: VERSION_2 } }).name).toBe('HIGH')
    expect(findCveBand({ severity: 9.3, cvss: {} }).name).toBe('CRITICAL')
  })
})

describe('Text rendering', () => {
  it('replaces or escapes control characters', () => {
    expect(cleanLine(' a\u001b[2J\tb\r\nc\u009b \u202ed\u0000 ')).toBe('a\ufffd[2J b c\ufffd \ufffdd\ufffd')
    expect(cleanBlock('a\r\nb\u0007\rc\td')).toBe('a\nb\ufffd\ufffdc d')
    expect(cleanJson('{\n"a":"\u009b\u202e"}')).toBe('{\n"a":"\\u009b\\u202e"}')
  })

  it('measures, truncates and pads text by terminal columns', () => {
    expect([measureWidth('abc'), measureWidth('漢字'), measureWidth('e\u0301'), measureWidth('🔥')]).toEqual([
      3, 4, 1, 2,
    ])
    expect([truncate('漢字漢字', 6), truncate('abcdef', 4), truncate('abc', 3)]).toEqual(['漢字…', 'abc…', 'abc'])
    expect([pad('漢', 4), pad('7', 3, 'left')]).toEqual(['漢  ', '  7'])
  })

  it('wraps text between words and keeps long words whole', () => {
    expect(wrap('one two https://example.org/long three', 8)).toEqual(['one two', 'https://example.org/long', 'three'])
  })
})

describe('CSV rendering', () => {
  it('quotes text with separators, and leaves numbers and booleans unquoted', () => {
    expect(formatCsvRow(['a,b', 'a "quoted" word', 'two\nlines', -1.5, true, null, undefined, ''])).toBe(
      '"a,b","a ""quoted"" word","two\nlines",-1.5,true,,,\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '|calc'])(
    'puts an apostrophe before %j, so that spreadsheets do not run the text as a formula',
    (text) => {
      expect(formatCsvRow([text]).startsWith("'") || formatCsvRow([text]).startsWith(`"'`)).toBe(true)
    },
  )
})

describe('Table rendering', () => {
  const terminal: Terminal = {
    width: 24,
    tableWidth: 24,
    now: new Date(0),
    paint: (_, text) => text,
    write: () => Promise.resolve(),
    writeHelp: () => undefined,
    printNote: () => undefined,
  }

  it('gives the last column the remaining width and truncates it', () => {
    const columns = [
      { title: 'ID', text: ({ id }: { id: string }) => id },
      { title: 'N', align: 'right' as const, text: () => '42' },
      { title: 'TEXT', text: () => 'words that go on and on' },
    ]

    expect(renderTable(terminal, columns, [{ id: 'a' }, { id: 'bcd' }])).toBe(
      ['ID    N  TEXT', 'a    42  words that go…', 'bcd  42  words that go…', ''].join('\n'),
    )
  })
})
