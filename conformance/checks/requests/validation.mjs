// Checks that invalid parameters in the URL return 400 INVALID_PARAMETER with the right parameter, value and errors.

import { section } from '../../lib/check.mjs'
import { wordsOf } from '../../lib/contract.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects, same, sameMembers, suggests } from '../../lib/expect.mjs'
import { FURTHER_SORTS, RELEVANCE, SORTS } from '../../lib/pages.mjs'
import { ENRICHED, REJECTED_QUERIES } from '../../lib/rejected-queries.mjs'

const BAD_NUMBERS = ['1e1', '0x10', ' 5', '+5', '-5', '5.', '.5', 'NaN', 'Infinity', 'abc', '5,6', '٥', '']
const BAD_INTEGERS = ['5.0', '1234567890']
const BAD_BOOLEANS = ['1', '0', 'TRUE', 'False', 'yes', 'null', '']
const BAD_DATES = [
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

const NUMBERS = {
  cves: ['limit', 'severity_min', 'severity_max', 'epss_min', 'epss_max', 'cvss_min', 'cpe_count_min'],
  'cves/recent': ['limit', 'hours', 'days'],
  kev: ['limit'],
}
const INTEGERS = new Set(['limit', 'hours', 'days', 'cpe_count_min'])
const BOOLEANS = {
  cves: ['exploit', 'exploitable', 'kev', 'has_acsc', 'has_references', 'patched'],
  'cves/recent': ['has_acsc'],
  kev: ['ransomware'],
}
const DATES = {
  cves: ['published_after', 'published_before', 'modified_after', 'modified_before'],
  kev: ['due_date_after', 'due_date_before'],
}
const ENDS_OF_RANGES = {
  cves: [
    { limit: 1 },
    { limit: 100 },
    { limit: '0100' },
    { severity_min: 0, severity_max: '10.0' },
    { epss_min: '0.0', epss_max: 1 },
    { cvss_min: 10 },
    { cpe_count_min: 1 },
    { severity_min: '7.50', severity_max: '7.5' },
  ],
  'cves/recent': [
    { hours: 1 },
    { hours: 168, limit: 1 },
    { days: 0, limit: 1 },
    { days: 30, limit: 1 },
    { limit: 500, hours: 1 },
  ],
  kev: [{ limit: 1 }, { limit: 500 }],
}
// Misspelled parameters, and names that other APIs use: [path, misspelled name, name that the service suggests]
const MISSPELLED = [
  ['cves', 'severty', 'severity'],
  ['cves', 'Limit', 'limit'],
  ['cves', 'published_befor', 'published_before'],
  ['cves', 'cvss_max', 'severity_max'],
  ['cves', 'id', 'ids'],
  ['cves', 'cve_ids', 'ids'],
  ['cves', 'cveId', 'ids'],
  ['cves', 'max_cvss', 'severity_max'],
  ['cves', 'min_cvss', 'cvss_min'],
  ['cves', 'cpeName', 'cpe'],
  ['cves', 'package_url', 'purl'],
  ['cves', 'software', 'q'],
  ['cves', 'keywordSearch', 'q'],
  ['cves', 'pubStartDate', 'published_after'],
  ['cves', 'since', 'modified_after'],
  ['cves', 'offset', 'after'],
  ['cves', 'per_page', 'limit'],
  ['cves', 'sort_by', 'sort'],
  ['cves', 'in_kev', 'kev'],
  ['cves/recent', 'hour', 'hours'],
  ['kev', 'ransomwares', 'ransomware'],
  ['cve/CVE-2021-44228', 'field', 'fields'],
  ['cve/CVE-2021-44228/detail', 'vender', 'vendor'],
]
// Parameters that accept one value only: [path, parameter, value]
const SINGLE_VALUED = [
  ['cves', 'limit', '5'],
  ['cves', 'kev', 'true'],
  ['cves', 'sort', 'epss_desc'],
  ['cves', 'q', 'linux'],
  ['cves', 'published_after', '2024-01-01'],
  ['kev', 'ransomware', 'true'],
  ['cves/recent', 'hours', '5'],
]
const MALFORMED_IDS = [
  'log4shell',
  'CVE-2021',
  'CVE-2021-123',
  'CVE-21-44228',
  'CVE-2021-44228x',
  `CVE-2021-${'1'.repeat(20)}`,
  '2021-44228',
  'CVE_2021_44228',
  'CVE-２０２１-44228',
  'ſve-2021-44228',
  '__proto__',
  'constructor',
]

const pairsOf = (table) => Object.entries(table).flatMap(([path, items]) => items.map((item) => [path, item]))
const show = (query) => new URLSearchParams(query).toString().slice(0, 60)

function defineRejections(check) {
  for (const [path, [rule, query, parameter, value]] of pairsOf(REJECTED_QUERIES)) {
    check(`${rule}: /${path}?${show(query)} returns 400 that names ${parameter}`, async ({ api }) => {
      rejects(await api.get(`/${path}`, query), parameter, value)
    })
  }

  for (const [path, name] of pairsOf(NUMBERS)) {
    check(`B9 ${name} on /${path} returns 400 for every text that is not a plain number`, async ({ api }) => {
      for (const value of [...BAD_NUMBERS, ...(INTEGERS.has(name) ? BAD_INTEGERS : [])])
        rejects(await api.get(`/${path}`, { [name]: value }), name, value)
      rejects(await api.get(`/${path}`, `${name}=+5`), name)
    })
  }

  for (const [path, name] of pairsOf(BOOLEANS)) {
    check(`B10 ${name} on /${path} accepts only true and false`, async ({ api }) => {
      const extra = name === 'patched' ? ENRICHED : {}
      for (const value of BAD_BOOLEANS) rejects(await api.get(`/${path}`, { ...extra, [name]: value }), name, value)
      for (const value of ['true', 'false']) ok(await api.get(`/${path}`, { ...extra, [name]: value, limit: 1 }))
    })
  }

  for (const [path, name] of pairsOf(DATES)) {
    check(`C9 ${name} on /${path} returns 400 for impossible and malformed dates`, async ({ api }) => {
      for (const value of BAD_DATES) rejects(await api.get(`/${path}`, { [name]: value }), name, value)
      ok(await api.get(`/${path}`, { [name]: '2024-02-29', limit: 1 }))
    })
  }
}

function defineLimits(check) {
  check('C9 an _after date may equal the _before date, which includes the whole day', async ({ api }) => {
    const day = '2024-01-01'
    ok(await api.get('/cves', { published_after: day, published_before: day, limit: 1 }))
    ok(await api.get('/cves', { modified_after: `${day}T18:00:00Z`, modified_before: day, limit: 1 }))
    ok(await api.get('/kev', { due_date_after: day, due_date_before: day, limit: 1 }))
  })

  check('B9 the minimum and the maximum of every number parameter are accepted', async ({ api }) => {
    for (const [path, query] of pairsOf(ENDS_OF_RANGES)) ok(await api.get(`/${path}`, query))
  })

  check('B10 severity, attack_vector, include, fields and type accept any letter case', async ({ api }) => {
    const query = { severity: 'CRITICAL,High', include: 'Enrichment', attack_vector: 'NETWORK', fields: 'CVE_ID' }
    ok(await api.get('/cves', { ...query, limit: 1 }))
    ok(await api.get('/cves/recent', { type: 'PUBLISHED', severity: 'Low', limit: 1 }))
    for (const value of ['N', 'a', 'L', 'p'])
      ok(await api.get('/cves', { ...ENRICHED, attack_vector: value, limit: 1 }))
  })

  check('D4 patched without enrichment returns the message "requires include=enrichment"', async ({ api }) => {
    const answer = await api.get('/cves', { patched: 'true' })
    rejects(answer, 'patched', 'true')
    ensure(answer.text.includes('requires include=enrichment'), () => answer.error.message)
  })

  check('D6 ids accepts 50 ids and returns 400 for 51', async ({ api }) => {
    const makeIds = (count) => Array.from({ length: count }, (_, index) => `CVE-2021-${44000 + index}`).join(',')
    ok(await api.get('/cves', { ids: makeIds(50) }))
    rejects(await api.get('/cves', { ids: makeIds(51) }), 'ids')
  })

  check('D5 q accepts exactly 256 characters', async ({ api }) => {
    ok(await api.get('/cves', { q: 'x'.repeat(256) }))
  })
}

function defineErrorDetails(check) {
  check('B3 error.value is cut at 200 characters', async ({ api }) => {
    rejects(await api.get('/cves', { sort: 's'.repeat(900) }), 'sort', 's'.repeat(200))
  })

  check('B3 details.errors lists all issues, and error.parameter names the first issue', async ({ api }) => {
    const query = 'kev=1&limit=0&sort=up&colour=red&published_after=never&severity=high,bad'
    const { parameter, value, details } = fails(await api.get('/cves', query), 400)
    const named = details.errors.map((issue) => issue.parameter)
    sameMembers(named, ['kev', 'limit', 'sort', 'colour', 'published_after', 'severity'], 'parameters in details')
    equal(parameter, details.errors[0].parameter, 'error.parameter')
    same(value, details.errors[0].value, 'error.value')
  })

  check('B3 an error about an enum lists the permitted values in allowed', async ({ api }) => {
    const expected = {
      sort: [...SORTS, ...FURTHER_SORTS, RELEVANCE],
      severity: wordsOf('searchCves', 'severity'),
      fields: wordsOf('searchCves', 'fields'),
    }
    for (const [name, values] of Object.entries(expected)) {
      const { allowed = [] } = rejects(await api.get('/cves', { [name]: 'bad' }), name)
      sameMembers(allowed, values, `allowed for ${name}`)
    }
  })

  check('B3 an error about an enum suggests the nearest value in suggestion', async ({ api }) => {
    suggests(rejects(await api.get('/cves', { sort: 'published_dsc' }), 'sort'), 'published_desc')
    suggests(rejects(await api.get('/cves', { severity: 'critcal' }), 'severity'), 'critical')
  })

  for (const [path, misspelled, meant] of MISSPELLED) {
    const title = `B6 the unknown parameter ${misspelled} on /${path} returns 400 with suggestion ${meant}`
    check(title, async ({ api }) => {
      suggests(rejects(await api.get(`/${path}`, { [misspelled]: '5' }), misspelled, '5'), meant)
    })
  }
}

function defineRepetition(check) {
  check('B7 a parameter written as a[]= is unknown', async ({ api }) => {
    rejects(await api.get('/cves', { 'severity[]': 'high' }), 'severity[]', 'high')
    rejects(await api.get('/cves', { 'ids[0]': 'CVE-2021-44228' }), 'ids[0]', 'CVE-2021-44228')
  })

  check('B7 a repeated parameter that takes one value returns 400', async ({ api }) => {
    for (const [path, name, value] of SINGLE_VALUED)
      rejects(await api.get(`/${path}`, { [name]: [value, value] }), name)
  })

  check('B7 a repeated list parameter means the union of its values', async ({ api, discovery }) => {
    const [a, b] = await discovery.findSome('in KEV', 2)
    const repeated = {
      ids: [a.cve_id, b.cve_id],
      fields: ['cve_id', 'published', 'attack'],
      severity: ['critical,high', 'medium', 'low'],
      include: ['acsc', 'attack'],
    }
    const joined = Object.fromEntries(Object.entries(repeated).map(([name, values]) => [name, values.join(',')]))
    same(ok(await api.get('/cves', repeated)).cves, ok(await api.get('/cves', joined)).cves, 'cves')
  })

  check('B8 empty free text and empty lists count as absent', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const empty = { q: '', severity: '', fields: '', include: '' }
    same(ok(await api.get('/cves', { ids: id, ...empty })).cves, ok(await api.get('/cves', { ids: id })).cves, '/cves')
    same(ok(await api.get(`/cve/${id}`, { fields: '', include: '' })), ok(await api.get(`/cve/${id}`)), '/cve/{id}')
    same(ok(await api.get('/kev', { vendor: '', product: '' })), ok(await api.get('/kev')), '/kev')
    same(ok(await api.get('/cves', { after: '' })).cves, ok(await api.get('/cves')).cves, 'empty cursor')
  })
}

function defineIds(check) {
  for (const id of MALFORMED_IDS) {
    check(`B4, B5 the malformed id ${id.slice(0, 24)} returns 400 that names cve-id`, async ({ api }) => {
      rejects(await api.get(`/cve/${encodeURIComponent(id)}`), 'cve-id', id)
      rejects(await api.get(`/cve/${encodeURIComponent(id)}/detail`), 'cve-id', id)
    })
  }

  check('B4 an unknown CVE and its detail return 404 NOT_FOUND', async ({ api }) => {
    fails(await api.get(`/cve/${UNKNOWN_ID}`), 404)
    fails(await api.get(`/cve/${UNKNOWN_ID}/detail`), 404)
  })

  check('B5 the year of an id is not checked: CVE-0000-0000 returns 404', async ({ api }) => {
    fails(await api.get('/cve/CVE-0000-0000'), 404)
  })

  check('B5 an id with leading zeros is valid and returns no CVE', async ({ api }) => {
    fails(await api.get('/cve/CVE-2021-044228'), 404)
    fails(await api.get('/cve/CVE-2021-044228/detail'), 404)
  })

  check('B5 an id with a number of 19 digits is valid and returns no CVE', async ({ api }) => {
    const id = 'CVE-2024-9999999999999999999'
    fails(await api.get(`/cve/${id}`), 404)
    fails(await api.get(`/cve/${id}/detail`), 404)
    same(ok(await api.get('/cves', { ids: id })).cves, [], '/cves')
    same(ok(await api.batch({ cve_ids: [id] })).not_found, [id], 'not_found')
    ok(await api.get('/cves', { q: id }))
  })

  const parametersFirst = 'B2 parameters are checked before the data: a bad field of an unknown CVE returns 400'
  check(parametersFirst, async ({ api }) => {
    rejects(await api.get(`/cve/${UNKNOWN_ID}`, { fields: 'colour' }), 'fields', 'colour')
  })
}

export const checks = section('Validation', (check) => {
  defineRejections(check)
  defineLimits(check)
  defineErrorDetails(check)
  defineRepetition(check)
  defineIds(check)
})
