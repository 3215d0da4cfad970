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

describe('Parameter validation: enumerations (decision B10)', () => {
  it('suggests the first value that starts with the given text', async () => {
    expect(await expectRejection('sort=published', 'sort', 'published')).toMatchObject({
      suggestion: 'published_desc',
    })
    expect(await expectRejection('severity=Crit', 'severity', 'Crit')).toMatchObject({ suggestion: 'critical' })
    expect(await expectRejection('sort=', 'sort', '')).not.toHaveProperty('suggestion')
    expect(await expectRejection('sort=pu', 'sort', 'pu')).not.toHaveProperty('suggestion')
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

  it('says that a + must be sent as %2B if the offset of a time begins with a space', async () => {
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
  it('suggests the known name that consists of words in the unknown name', async () => {
    expect(await expectRejection('max_score=5', 'max_score', '5')).toMatchObject({ suggestion: 'score_max' })
    expect(await expectRejection('has_kev=true', 'has_kev', 'true')).toMatchObject({ suggestion: 'kev' })
    expect(await expectRejection('publishedAfter=1', 'publishedAfter', '1')).toMatchObject({
      suggestion: 'published_after',
    })
  })

  it('lists the allowed names without a suggestion for an unknown name of one character', async () => {
    const issue = await expectRejection('x=1', 'x', '1')
    expect(issue).not.toHaveProperty('suggestion')
    expect(issue.message).toContain('allowed are q, ids, severity')
    expect(issue.allowed).toContain('limit')
    expect(await expectRejection('Q=1', 'Q', '1')).toMatchObject({ suggestion: 'q' })
  })

  it('rejects more than 40 parameters', async () => {
    const many = Array.from({ length: 41 }, () => 'severity=low').join('&')
    await expectRejection(many, 'severity', null)
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
})

describe('Parameter validation: validation errors (decision B3)', () => {
  it('reports all errors at once in the order of the specification, with unknown names last', async () => {
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

  it('does not check a rule between two parameters if one of the parameters is invalid', async () => {
    const { json } = await get('score_min=9&score_max=x')
    expect(json.error.details.errors).toHaveLength(1)
  })
})

describe('Parameter validation: long lists', () => {
  it('reports each invalid list item once, and rejects a list with too many invalid items', async () => {
    const { json } = await get(`severity=${'x,y,'.repeat(1000)}`)
    expect(json.error.details.errors).toHaveLength(2)
    const many = Array.from({ length: 101 }, (_, index) => `x${index}`).join(',')
    await expectRejection(`severity=${many}`, 'severity', null)
  })

  it('accepts any number of valid values that fit in the URL', async () => {
    expect(await parse(`severity=${'low,'.repeat(1500)}`)).toMatchObject({ severity: ['low'] })
  })
})

describe('Parameter validation: spaces in lists', () => {
  it('ignores spaces around the commas in a list', async () => {
    expect(await parse('ids=CVE-2021-0001,%20CVE-2021-0002&severity=high+,+low')).toMatchObject({
      ids: ['CVE-2021-0001', 'CVE-2021-0002'],
      severity: ['high', 'low'],
    })
    expect(await parse('severity=%20,%20')).not.toHaveProperty('severity')
  })

  it('rejects a list of ids that contains only spaces, which would match every CVE', async () => {
    await expectRejection('ids=%20,', 'ids', '')
  })
})

describe('Parameter validation: lists of CVE ids', () => {
  it('reports the value of an invalid item in a list of ids', async () => {
    const { error } = (await get('ids=CVE-2021-0001,nonsense')).json
    expect(error.message).toBe('each of ids must be a CVE id such as CVE-2021-44228')
    expect(error.details.errors).toEqual([
      {
        parameter: 'ids',
        value: 'nonsense',
        message: 'must be a CVE id such as CVE-2021-44228',
        allowed: ['a CVE id such as CVE-2021-44228'],
      },
    ])
    expect((await get('ids=%FF')).json.error.message).toBe('ids must be valid percent-encoded UTF-8')
  })
})
