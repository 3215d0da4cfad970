import { describe, expect, it } from 'vitest'
import {
  readCredits,
  readExpiry,
  readId,
  readLimit,
  readLine,
  readOrigin,
  readOverlap,
} from '../../../src/commands/input/parse-values.ts'

describe('An origin', () => {
  it.each([
    'https://console.example',
    'http://localhost:8080',
    'https://console.example:8443',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
  ])('%s is taken as it is', (origin) => {
    expect(readOrigin(origin)).toBe(origin)
  })

  it.each([
    ['https://console.example/', 'https://console.example'],
    ['https://console.example/app?x#y', 'https://console.example'],
    ['https://Console.Example', 'https://console.example'],
    ['HTTPS://console.example', 'https://console.example'],
    ['https://console.example:443', 'https://console.example'],
    ['http://console.example:80', 'http://console.example'],
    ['https://ada@console.example', 'https://console.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[0:0::1]:3000', 'http://[::1]:3000'],
    ['console.example', 'https://console.example'],
    ['localhost:8080', 'https://localhost:8080'],
    [' https://console.example ', 'https://console.example'],
  ])('%j is refused, and %s is proposed', (sent, proposed) => {
    expect(() => readOrigin(sent)).toThrow(
      `${JSON.stringify(sent)} is not what a browser sends as its origin. Did you mean ${proposed} ?`,
    )
  })

  it.each([
    'null',
    '',
    '*',
    'https://*.example',
    'https://*',
    'ftp://console.example',
    'file:///index.html',
    'https://',
    'a b',
  ])('%j is refused, and the form is shown', (sent) => {
    expect(() => readOrigin(sent)).toThrow('cannot be allowed as an origin. Name each one in full')
  })
})

describe('A quota', () => {
  it.each([
    ['0', 0],
    ['0.5', 1],
    ['10', 20],
    ['12.0', 24],
    ['999999999', 1_999_999_998],
  ])('%s credits are %i halves', (sent, halves) => {
    expect(readCredits(sent)).toBe(halves)
  })

  it.each(['', '1,000', '1e3', '0.25', '.5', '-5', '+5', '1000000000', 'many', ' 5', '0x10', '∞'])(
    '%j is refused',
    (sent) => {
      expect(() => readCredits(sent)).toThrow(`in steps of 0.5, such as 5000 or 12.5; not ${JSON.stringify(sent)}.`)
    },
  )

  it('is what the plan stands for, unless it is named; enterprise stands for none', () => {
    expect([readLimit('free', undefined), readLimit('pro', undefined), readLimit('business', undefined)]).toEqual([
      2_000, 60_000, 400_000,
    ])
    expect(readLimit('enterprise', '7.5')).toBe(15)
    expect(() => readLimit('enterprise', undefined)).toThrow('Add it in credits a month: --quota 1000000')
  })
})

describe('A time', () => {
  it.each([
    ['90d', { seconds: 7_776_000 }],
    ['12h', { seconds: 43_200 }],
    ['30m', { seconds: 1800 }],
    ['2027-01-01', { at: new Date('2027-01-01T00:00:00Z') }],
    ['2027-01-01T12:30:00+02:00', { at: new Date('2027-01-01T10:30:00Z') }],
  ])('to expire, %s', (sent, expiry) => {
    expect(readExpiry(sent)).toEqual(expiry)
  })

  it.each(['', '0d', '90', '90 d', '1y', '-1d', '1.5h', '2027-02-30', '2027-1-1', 'tomorrow', '123456d'])(
    'to expire is not %j',
    (sent) => {
      expect(() => readExpiry(sent)).toThrow(`such as 2027-01-01; not ${JSON.stringify(sent)}.`)
    },
  )

  it.each([
    ['0', 0],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('to overlap, %s', (sent, seconds) => {
    expect(readOverlap(sent)).toBe(seconds)
  })

  it.each(['', '8d', '169h', 'never', '1', '-1h'])('to overlap is not %j', (sent) => {
    expect(() => readOverlap(sent)).toThrow(`at most 7d, such as 24h or 30m, or 0 to end the old key at once; not`)
  })
})

describe('A number and a name', () => {
  it.each(['0', '007', '-1', '1.0', 'Ada', '', '1234567890123456789'])('%j names no account', (sent) => {
    expect(() => readId(sent, 'account')).toThrow('Look it up: vis-server accounts list')
  })

  it('a name is one line that a terminal can show', () => {
    expect(readLine('  Ada & Söhne ', '--name')).toBe('Ada & Söhne')
    for (const sent of ['', '   ', 'a\nb', 'a\u001b[31mred', 'x'.repeat(201)])
      expect(() => readLine(sent, '--name')).toThrow('--name takes 1 to 200 characters in one line')
  })
})
