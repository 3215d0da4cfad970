import { describe, expect, it } from 'vitest'
import { parameterProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [parameterProbe] })

const get = (query: string) => api.get(`/api/v1/probe/parameters?${query}`)
const parse = async (query: string) => (await get(query)).json.data

async function expectRejection(query: string, parameter: string, value: unknown) {
  const { status, json } = await get(query)
  expect([status, json.error?.parameter, json.error?.value], query).toEqual([400, parameter, value])
  expect(json.error.details.errors[0]).toMatchObject({ parameter, value })
  return json.error.details.errors[0]
}

describe('Parameter validation: numbers (decision B9)', () => {
  it('rejects numbers out of range instead of clamping them', async () => {
    await expectRejection('limit=0', 'limit', '0')
    await expectRejection('limit=101', 'limit', '101')
    await expectRejection('score_max=10.1', 'score_max', '10.1')
    await expectRejection('score_max=11', 'score_max', '11')
    await expectRejection('score_min=10.0000000000000000001', 'score_min', '10.0000000000000000001')
  })

  it('accepts numbers at the ends of their range and with leading zeros', async () => {
    expect(await parse('limit=1')).toMatchObject({ limit: 1 })
    expect(await parse('limit=0100&score_min=0&score_max=10.0')).toMatchObject({
      limit: 100,
      score_min: 0,
      score_max: 10,
    })
    expect(await parse('score_min=9.8&score_max=010.00000000000000000000')).toMatchObject({
      score_min: 9.8,
      score_max: 10,
    })
  })
})

describe('Parameter validation: enumerations (decision B10)', () => {
  it('accepts severities in any letter case', async () => {
    expect(await parse('severity=CRITICAL,High')).toMatchObject({ severity: ['critical', 'high'] })
  })

  it('lists the allowed values and a suggestion for an unknown value', async () => {
    const issue = await expectRejection('severity=high,critcal', 'severity', 'critcal')
    expect(issue.allowed).toEqual(['critical', 'high', 'medium', 'low'])
    expect(issue.did_you_mean).toBe('critical')
  })

  it('suggests the first value that starts with the given text', async () => {
    expect(await expectRejection('sort=published', 'sort', 'published')).toMatchObject({
      did_you_mean: 'published_desc',
    })
    expect(await expectRejection('severity=Crit', 'severity', 'Crit')).toMatchObject({ did_you_mean: 'critical' })
    expect(await expectRejection('sort=', 'sort', '')).not.toHaveProperty('did_you_mean')
    expect(await expectRejection('sort=pu', 'sort', 'pu')).not.toHaveProperty('did_you_mean')
  })

  it('gives no suggestion for a value that resembles no allowed value', async () => {
    expect(await expectRejection('sort=banana', 'sort', 'banana')).not.toHaveProperty('did_you_mean')
  })
})

describe('Parameter validation: dates (decision C9)', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.000Z'],
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00.987Z', '2024-01-01T10:00:00.000Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T01:30:00+02:00', '2023-12-31T23:30:00.000Z', '2023-12-31T23:30:00.000Z'],
  ])('parses published_before=%s as the range of seconds from %s to %s', async (value, first, last) => {
    expect((await parse(`published_before=${encodeURIComponent(value)}`)).published_before).toEqual({
      first,
      last,
    })
  })

  it('says that a + must be sent as %2B if the offset of a time begins with a blank', async () => {
    const issue = await expectRejection(
      'published_after=2024-01-01T10:00:00+02:00',
      'published_after',
      '2024-01-01T10:00:00 02:00',
    )
    expect(issue.message).toMatch(/; a \+ in a URL means a blank, so send the \+ as %2B$/)
    const other = await expectRejection('published_after=2024-01-01+10:00', 'published_after', '2024-01-01 10:00')
    expect(other.message).not.toContain('%2B')
  })
})

describe('Parameter validation: names (decisions B6 and B7)', () => {
  it('rejects an unknown parameter and suggests the nearest known name', async () => {
    expect(await expectRejection('severty=high', 'severty', 'high')).toMatchObject({ did_you_mean: 'severity' })
    expect(await expectRejection('Limit=5', 'Limit', '5')).toMatchObject({ did_you_mean: 'limit' })
    await expectRejection('severity[]=high', 'severity[]', 'high')
    await expectRejection('__proto__=1', '__proto__', '1')
  })

  it('suggests the known name that consists of words of the unknown name', async () => {
    expect(await expectRejection('max_score=5', 'max_score', '5')).toMatchObject({ did_you_mean: 'score_max' })
    expect(await expectRejection('has_kev=true', 'has_kev', 'true')).toMatchObject({ did_you_mean: 'kev' })
    expect(await expectRejection('publishedAfter=1', 'publishedAfter', '1')).toMatchObject({
      did_you_mean: 'published_after',
    })
  })

  it('lists the allowed names without a suggestion for an unknown name of one character', async () => {
    const issue = await expectRejection('x=1', 'x', '1')
    expect(issue).not.toHaveProperty('did_you_mean')
    expect(issue.message).toContain('allowed are q, ids, severity')
    expect(issue.allowed).toContain('limit')
    expect(await expectRejection('Q=1', 'Q', '1')).toMatchObject({ did_you_mean: 'q' })
  })

  it('merges the values of a repeated list parameter and rejects repetition of any other parameter', async () => {
    expect(await parse('severity=high&severity=low,high')).toMatchObject({ severity: ['high', 'low'] })
    await expectRejection('limit=5&limit=6', 'limit', '5')
  })

  it('rejects more than 40 parameters', async () => {
    const many = Array.from({ length: 41 }, () => 'severity=low').join('&')
    await expectRejection(many, 'severity', null)
  })
})

describe('Parameter validation: empty values (decision B8)', () => {
  it('treats empty text and empty lists as absent', async () => {
    expect(await parse('q=&severity=')).toEqual({ limit: 20, sort: 'published_desc' })
  })
})

describe('Parameter validation: text', () => {
  it('passes text to the endpoint unchanged', async () => {
    expect(await parse(`q=${encodeURIComponent('Log4j & <"friends"> \u{1F4A9}')}`)).toMatchObject({
      q: 'Log4j & <"friends"> \u{1F4A9}',
    })
  })

  it('counts the length of text in characters, not in bytes', async () => {
    const longest = encodeURIComponent('\u{1F4A9}'.repeat(256))
    expect((await parse(`q=${longest}`)).q).toBe('\u{1F4A9}'.repeat(256))
    expect((await get(`q=${longest}x`)).status).toBe(400)
  })

  it.each(['%00', '%', '%zz', '%E0%A4%A', '%FF%FE', '%C0%80', '%ED%A0%80'])(
    'returns 400 for the invalid encoding %s',
    async (raw) => {
      expect((await get(`q=${raw}`)).status).toBe(400)
    },
  )
})

describe('Parameter validation: validation errors (decision B3)', () => {
  it('reports all errors at once in the order of the specification, unknown names last', async () => {
    const { json } = await get('colour=red&sort=up&kev=1&limit=0&severity=high,bad&published_after=never')

    const issues = json.error.details.errors
    expect(issues.map((each: { parameter: string }) => each.parameter)).toEqual([
      'severity',
      'kev',
      'published_after',
      'sort',
      'limit',
      'colour',
    ])
    expect([json.error.parameter, json.error.value]).toEqual(['severity', 'bad'])
  })

  it('names the first parameter and its original text when a rule between two parameters fails', async () => {
    await expectRejection('score_min=7.50&score_max=7.4', 'score_min', '7.50')
    expect((await get('score_min=7.50&score_max=7.5')).status).toBe(200)
  })

  it('does not check a rule between two parameters if one of the parameters is invalid', async () => {
    const { json } = await get('score_min=9&score_max=x')
    expect(json.error.details.errors).toHaveLength(1)
  })
})
