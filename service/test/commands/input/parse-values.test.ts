import { describe, expect, it } from 'vitest'
import {
  parseCredits,
  parseExpiry,
  parseId,
  parseLimit,
  parseLine,
  parseOrigin,
  parseOverlap,
} from '../../../src/commands/input/parse-values.ts'

describe('parseOrigin', () => {
  it.each([
    'https://console.example',
    'http://localhost:8080',
    'https://console.example:8443',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
  ])('accepts the origin %s unchanged', (origin) => {
    expect(parseOrigin(origin)).toBe(origin)
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
  ])('rejects the origin %j and suggests %s', (sent, proposed) => {
    expect(() => parseOrigin(sent)).toThrow(
      `${JSON.stringify(sent)} is not the form in which browsers send an origin. Did you mean ${proposed} ?`,
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
  ])('rejects %j and explains the format of an origin', (sent) => {
    expect(() => parseOrigin(sent)).toThrow(
      'is not an origin. Give scheme, host and, unless it is the default, the port',
    )
  })
})

describe('Quotas: parseCredits and parseLimit', () => {
  it.each([
    ['0', 0],
    ['0.5', 1],
    ['10', 20],
    ['12.0', 24],
    ['999999999', 1_999_999_998],
  ])('parses %s credits as %i half credits', (sent, halves) => {
    expect(parseCredits(sent)).toBe(halves)
  })

  it.each(['', '1,000', '1e3', '0.25', '.5', '-5', '+5', '1000000000', 'many', ' 5', '0x10', '∞'])(
    'rejects %j as a quota',
    (sent) => {
      expect(() => parseCredits(sent)).toThrow(`in steps of 0.5, such as 5000 or 12.5; not ${JSON.stringify(sent)}.`)
    },
  )

  it("uses the plan's default quota if none is given, and requires a quota for the enterprise plan", () => {
    expect([parseLimit('free', undefined), parseLimit('pro', undefined), parseLimit('business', undefined)]).toEqual([
      2_000, 60_000, 400_000,
    ])
    expect(parseLimit('enterprise', '7.5')).toBe(15)
    expect(() => parseLimit('enterprise', undefined)).toThrow('Add the credits per month, for example: --quota 1000000')
  })
})

describe('Key lifetimes: parseExpiry and parseOverlap', () => {
  it.each([
    ['90d', { seconds: 7_776_000 }],
    ['12h', { seconds: 43_200 }],
    ['30m', { seconds: 1800 }],
    ['2027-01-01', { at: new Date('2027-01-01T00:00:00Z') }],
    ['2027-01-01T12:30:00+02:00', { at: new Date('2027-01-01T10:30:00Z') }],
  ])('parses %s as an expiry', (sent, expiry) => {
    expect(parseExpiry(sent)).toEqual(expiry)
  })

  it.each(['', '0d', '90', '90 d', '1y', '-1d', '1.5h', '2027-02-30', '2027-1-1', 'tomorrow', '123456d'])(
    'rejects %j as an expiry',
    (sent) => {
      expect(() => parseExpiry(sent)).toThrow(`such as 2027-01-01; not ${JSON.stringify(sent)}.`)
    },
  )

  it.each([
    ['0', 0],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('parses %s as an overlap of %i seconds', (sent, seconds) => {
    expect(parseOverlap(sent)).toBe(seconds)
  })

  it.each(['', '8d', '169h', 'never', '1', '-1h'])('rejects %j as an overlap', (sent) => {
    expect(() => parseOverlap(sent)).toThrow(`at most 7d, such as 24h or 30m, or 0 to end the old key at once; not`)
  })
})

describe('Account ids and names: parseId and parseLine', () => {
  it.each(['0', '007', '-1', '1.0', 'Ada', '', '1234567890123456789'])('rejects %j as an account id', (sent) => {
    expect(() => parseId(sent, 'account')).toThrow('Ids are numbers; look them up: vis-server accounts list')
  })

  it('accepts a one-line name without control characters', () => {
    expect(parseLine('  Ada & Söhne ', '--name')).toBe('Ada & Söhne')
    for (const sent of ['', '   ', 'a\nb', 'a\u001b[31mred', 'x'.repeat(201)])
      expect(() => parseLine(sent, '--name')).toThrow('--name takes 1 to 200 characters in one line')
  })
})
