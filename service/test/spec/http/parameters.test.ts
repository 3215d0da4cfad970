import { describe, expect, it } from 'vitest'
import { parameterProbe } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService({ endpoints: [parameterProbe] })

const get = (query: string) => api.get(`/api/v1/probe/parameters?${query}`)
const understood = async (query: string) => (await get(query)).json.data

async function refuses(query: string, parameter: string, value: unknown) {
  const { status, json } = await get(query)
  expect([status, json.error?.parameter, json.error?.value], query).toEqual([400, parameter, value])
  expect(json.error.details.errors[0]).toMatchObject({ parameter, value })
  return json.error.details.errors[0]
}

describe('Numbers (B9)', () => {
  const odd = ['1e1', '0x10', ' 5', '+5', '-5', '5.', '.5', 'NaN', 'Infinity', 'abc', '5,6', '٥', '']

  it.each([...odd, '5.0', '1234567890'])('limit=%j is not an integer', async (value) => {
    await refuses(`limit=${encodeURIComponent(value)}`, 'limit', value)
  })

  it.each(odd)('score_min=%j is not a decimal', async (value) => {
    await refuses(`score_min=${encodeURIComponent(value)}`, 'score_min', value)
  })

  it('out of range are refused, never clamped', async () => {
    await refuses('limit=0', 'limit', '0')
    await refuses('limit=101', 'limit', '101')
    await refuses('score_max=10.1', 'score_max', '10.1')
    await refuses('score_max=11', 'score_max', '11')
    await refuses('score_min=10.0000000000000000001', 'score_min', '10.0000000000000000001')
  })

  it('at the ends of their range, and with leading zeros, are accepted', async () => {
    expect(await understood('limit=1')).toMatchObject({ limit: 1 })
    expect(await understood('limit=0100&score_min=0&score_max=10.0')).toMatchObject({
      limit: 100,
      score_min: 0,
      score_max: 10,
    })
    expect(await understood('score_min=9.8&score_max=010.00000000000000000000')).toMatchObject({
      score_min: 9.8,
      score_max: 10,
    })
  })

  it('written with a plus sign in the URL are text with a space', async () => {
    await refuses('limit=+5', 'limit', ' 5')
  })
})

describe('Booleans (B10)', () => {
  it.each(['1', '0', 'TRUE', 'False', 'yes', 'null', ''])('kev=%j is refused', async (value) => {
    await refuses(`kev=${value}`, 'kev', value)
  })

  it('are the strings true and false', async () => {
    expect(await understood('kev=true')).toMatchObject({ kev: true })
    expect(await understood('kev=false')).toMatchObject({ kev: false })
  })
})

describe('Words (B10)', () => {
  it('of severity take any letter case, and come out as listed', async () => {
    expect(await understood('severity=CRITICAL,High')).toMatchObject({ severity: ['critical', 'high'] })
  })

  it('of sort are exact', async () => {
    await refuses('sort=PUBLISHED_DESC', 'sort', 'PUBLISHED_DESC')
  })

  it('that are unknown are answered with what is allowed and what was meant', async () => {
    const fault = await refuses('severity=high,critcal', 'severity', 'critcal')
    expect(fault.allowed).toEqual(['critical', 'high', 'medium', 'low'])
    expect(fault.did_you_mean).toBe('critical')
  })

  it('that begin choices meant the first of them', async () => {
    expect(await refuses('sort=published', 'sort', 'published')).toMatchObject({ did_you_mean: 'published_desc' })
    expect(await refuses('severity=Crit', 'severity', 'Crit')).toMatchObject({ did_you_mean: 'critical' })
    expect(await refuses('sort=', 'sort', '')).not.toHaveProperty('did_you_mean')
    expect(await refuses('sort=pu', 'sort', 'pu')).not.toHaveProperty('did_you_mean')
  })

  it('far from every choice get no suggestion', async () => {
    expect(await refuses('sort=banana', 'sort', 'banana')).not.toHaveProperty('did_you_mean')
  })
})

describe('Dates (C9)', () => {
  const impossible = [
    '2023-02-29',
    '2024-02-30',
    '2024-13-01',
    '2024-00-10',
    '2024-01-32',
    '2024-1-1',
    '01/02/2024',
    'yesterday',
    '1704067200',
    '2024-01-01T25:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T12:60:00Z',
    '2024-02-30T00:00:00Z',
    '2024-01',
    '20240101',
    '',
  ]

  it.each(impossible)('published_after=%j is refused', async (value) => {
    await refuses(`published_after=${encodeURIComponent(value)}`, 'published_after', value)
  })

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.000Z'],
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00.987Z', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T01:30:00+02:00', '2023-12-31T23:30:00.000Z', '2023-12-31T23:30:00.000Z'],
  ])('published_before=%s covers the seconds from %s to %s', async (value, first, last) => {
    expect((await understood(`published_before=${encodeURIComponent(value)}`)).published_before).toEqual({
      first,
      last,
    })
  })

  it('that must be a day take no time', async () => {
    await refuses('due=2024-01-01T00:00:00Z', 'due', '2024-01-01T00:00:00Z')
  })
})

describe('Names (B6, B7)', () => {
  it('that are unknown are refused, with the nearest known one', async () => {
    expect(await refuses('severty=high', 'severty', 'high')).toMatchObject({ did_you_mean: 'severity' })
    expect(await refuses('Limit=5', 'Limit', '5')).toMatchObject({ did_you_mean: 'limit' })
    await refuses('severity[]=high', 'severity[]', 'high')
    await refuses('__proto__=1', '__proto__', '1')
  })

  it('of one or two characters are near to nothing; what is allowed is listed', async () => {
    const fault = await refuses('x=1', 'x', '1')
    expect(fault).not.toHaveProperty('did_you_mean')
    expect(fault.message).toContain('allowed are q, ids, severity')
    expect(fault.allowed).toContain('limit')
    expect(await refuses('Q=1', 'Q', '1')).toMatchObject({ did_you_mean: 'q' })
  })

  it('repeated: a list is the union, a single value is refused with the first one', async () => {
    expect(await understood('severity=high&severity=low,high')).toMatchObject({ severity: ['high', 'low'] })
    await refuses('limit=5&limit=6', 'limit', '5')
  })

  it('more than forty are refused', async () => {
    const many = Array.from({ length: 41 }, () => 'severity=low').join('&')
    await refuses(many, 'severity', null)
  })
})

describe('Empty values (B8)', () => {
  it('of free text and lists count as absent', async () => {
    expect(await understood('q=&severity=')).toEqual({ limit: 20, sort: 'published_desc' })
  })

  it('of ids would return everything, and are refused', async () => {
    await refuses('ids=', 'ids', '')
  })
})

describe('Text', () => {
  it('is taken as it is', async () => {
    expect(await understood(`q=${encodeURIComponent('Log4j & <"friends"> \u{1F4A9}')}`)).toMatchObject({
      q: 'Log4j & <"friends"> \u{1F4A9}',
    })
  })

  it('of exactly the longest length is accepted, one more is refused and cut at 200 characters in the answer', async () => {
    expect((await understood(`q=${'x'.repeat(256)}`)).q).toHaveLength(256)
    await refuses(`q=${'x'.repeat(257)}`, 'q', 'x'.repeat(200))
  })

  it('is as long as its characters are many, however they are encoded', async () => {
    const longest = encodeURIComponent('\u{1F4A9}'.repeat(256))
    expect((await understood(`q=${longest}`)).q).toBe('\u{1F4A9}'.repeat(256))
    expect((await get(`q=${longest}x`)).status).toBe(400)
  })

  it.each(['%00', '%', '%zz', '%E0%A4%A', '%FF%FE', '%C0%80', '%ED%A0%80'])(
    'that is not text (%s) is 400, never 500',
    async (raw) => {
      expect((await get(`q=${raw}`)).status).toBe(400)
    },
  )
})

describe('Faults (B3)', () => {
  it('are all reported at once, in the order of the specification, unknown names last', async () => {
    const { json } = await get('colour=red&sort=up&kev=1&limit=0&severity=high,bad&published_after=never')

    const faults = json.error.details.errors
    expect(faults.map((each: { parameter: string }) => each.parameter)).toEqual([
      'severity',
      'kev',
      'published_after',
      'sort',
      'limit',
      'colour',
    ])
    expect([json.error.parameter, json.error.value]).toEqual(['severity', 'bad'])
  })

  it('of a rule between two parameters name the first, with its text as sent', async () => {
    await refuses('score_min=7.50&score_max=7.4', 'score_min', '7.50')
    expect((await get('score_min=7.50&score_max=7.5')).status).toBe(200)
  })

  it('of a rule are not guessed at while one of its parameters cannot be read', async () => {
    const { json } = await get('score_min=9&score_max=x')
    expect(json.error.details.errors).toHaveLength(1)
  })
})
