// Checks of GET /cves/facets, GET /suggest, GET /alias/{alias} and the add-on aliases.

import { section, skip } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, rejects, same, suggests } from '../../lib/expect.mjs'
import { assertShape, count, list, object, orNull, text } from '../../lib/shape.mjs'

const FACETS = [
  'severity',
  'status',
  'cwe',
  'assigner',
  'product_vendor',
  'product',
  'priority',
  'exploit_maturity',
  'attack_vector',
  'year',
  'technique',
  'kev',
  'source',
]
const KINDS = ['product', 'vendor', 'cwe', 'assigner', 'technique']

const facetValues = list(object({ value: orNull(text), count }))
const suggestions = list(object({ value: text, count }, { vendor: text, title: text }))
const alias = object({ alias: text, source: text })
const toCounts = (values) => Object.fromEntries(values.map((each) => [each.value, each.count]))
const facetsOf = async (api, names, query) => ok(await api.get('/cves/facets', { facets: names, ...query }))

/** Counts the CVEs of the discovered period by a value in their records. */
function countBy(records, toValue) {
  const counts = {}
  for (const record of records) {
    const value = toValue(record)
    counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

const BANDS = [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
]
const toBand = ({ severity }) => (severity === null ? null : (BANDS.find(([, min]) => severity >= min)?.[0] ?? null))

/** Facets whose values also appear in list records, with a function that reads the value from a record. */
const COMPARED = {
  severity: toBand,
  status: ({ status }) => status,
  kev: ({ kev }) => String(kev !== undefined),
  year: ({ published }) => published?.slice(0, 4) ?? null,
}

// Invalid queries of /cves/facets: [description, query, parameter in the error]
const BAD_FACETS = [
  ['no facets', {}, 'facets'],
  ['an unknown facet', { facets: 'sevrity' }, 'facets'],
  ['six facets', { facets: FACETS.slice(0, 6).join() }, 'facets'],
  ['a facet_size of 0', { facets: 'kev', facet_size: 0 }, 'facet_size'],
  ['a facet_size of 51', { facets: 'kev', facet_size: 51 }, 'facet_size'],
  ['a limit', { facets: 'kev', limit: 5 }, 'limit'],
  ['a sort order', { facets: 'kev', sort: 'epss_desc' }, 'sort'],
  ['an add-on', { facets: 'kev', include: 'enrichment' }, 'include'],
  ['a minimum above its maximum', { facets: 'kev', epss_min: '0.9', epss_max: '0.1' }, 'epss_min'],
]

// Invalid queries of /suggest: [description, query, parameter in the error]
const BAD_SUGGESTIONS = [
  ['no kind', { q: 'win' }, 'of'],
  ['an unknown kind', { of: 'software', q: 'win' }, 'of'],
  ['no text', { of: 'product' }, 'q'],
  ['one character', { of: 'product', q: 'w' }, 'q'],
  ['one character between blanks', { of: 'product', q: '  w  ' }, 'q'],
  ['a control character', { of: 'product', q: 'w\u0007n' }, 'q'],
  ['a line break', { of: 'product', q: 'wi\nn' }, 'q'],
  ['65 characters', { of: 'product', q: 'w'.repeat(65) }, 'q'],
  ['a NUL character', { of: 'product', q: 'w\0n' }, 'q'],
  ['a limit of 21', { of: 'product', q: 'win', limit: 21 }, 'limit'],
]

export const checks = section('Names', (check) => {
  for (const name of FACETS) {
    check(`Facet ${name} has values with counts, most frequent first`, async ({ api, discovery }) => {
      const { query } = await discovery.period()
      const { total, facets } = await facetsOf(api, name, query)
      assertShape({ total, values: facets[name] }, object({ total: count, values: facetValues }), name)
      const counts = facets[name].filter(({ value }) => value !== null).map((each) => each.count)
      same(
        counts,
        counts.toSorted((a, b) => b - a),
        'order of the counts',
      )
      ensure(counts.length <= 10, `${counts.length} values`)
      ensure(
        facets[name].every((each) => each.count <= total),
        `a value occurs more often than ${total} times`,
      )
    })
  }

  check('Facets agree with the records of the list', async ({ api, discovery }) => {
    const { query, records } = await discovery.period()
    const names = Object.keys(COMPARED)
    const { total, facets } = await facetsOf(api, names.join(), { ...query, facet_size: 50 })
    equal(total, records.length, 'total')
    for (const name of names) same(toCounts(facets[name]), countBy(records, COMPARED[name]), name)
  })

  check('Facets of all CVEs count every one of them', async ({ api }) => {
    const { total, facets } = await facetsOf(api, 'severity,kev,status', { facet_size: 50 })
    for (const [name, values] of Object.entries(facets)) {
      const sum = values.reduce((before, each) => before + each.count, 0)
      equal(sum, total, `sum of the counts of ${name}`)
    }
  })

  check('A facet of an empty search has no values', async ({ api }) => {
    same(await facetsOf(api, 'cwe', { q: 'thiswordoccursnowhere' }), { total: 0, facets: { cwe: [] } }, 'data')
  })

  check('facet_size limits the values of a facet', async ({ api }) => {
    const { facets } = await facetsOf(api, 'status', { facet_size: 1 })
    const values = facets.status.filter(({ value }) => value !== null)
    ensure(values.length <= 1, `${values.length} values`)
  })

  check(
    'GET /cves/facets accepts filters that lists accept only with include=enrichment',
    async ({ api, discovery }) => {
      const { query } = await discovery.period()
      const count = async (more) => (await facetsOf(api, 'kev', { ...query, ...more })).total
      const parts = [await count({ patched: true }), await count({ patched: false })]
      equal(parts[0] + parts[1], await count({}), 'CVEs with and without a patch')
    },
  )

  for (const [what, query, parameter] of BAD_FACETS) {
    check(`GET /cves/facets with ${what} returns 400 and names ${parameter}`, async ({ api }) => {
      rejects(await api.get('/cves/facets', query), parameter)
    })
  }

  for (const of of KINDS) {
    check(`GET /suggest returns names of the kind ${of} with their number of CVEs`, async ({ api }) => {
      const { suggestions: found } = ok(await api.get('/suggest', { of, q: of === 'cwe' ? 'cwe-' : 'co', limit: 5 }))
      assertShape(found, suggestions, of)
      ensure(found.length <= 5, `${found.length} names`)
    })
  }

  check('GET /suggest finds a vendor that a facet names, by its beginning and with a mistake', async ({ api }) => {
    const { facets } = await facetsOf(api, 'product_vendor', { facet_size: 50 })
    const vendor = facets.product_vendor.map(({ value }) => value ?? '').find((value) => /^[a-z]{6,12}$/.test(value))
    if (vendor === undefined) return skip('no vendor has a name of 6 to 12 letters')
    const find = async (q) => ok(await api.get('/suggest', { of: 'vendor', q })).suggestions.map(({ value }) => value)
    ensure((await find(vendor)).includes(vendor), `${vendor} is not suggested for its own name`)
    const swapped = `${vendor.slice(0, 3)}${vendor[4]}${vendor[3]}${vendor.slice(5)}`
    ensure((await find(swapped)).includes(vendor), `${vendor} is not suggested for ${swapped}`)
  })

  check('GET /suggest may be cached for an hour', async ({ api }) => {
    const answer = await api.get('/suggest', { of: 'product', q: 'win' })
    ok(answer)
    equal(answer.header('Cache-Control'), 'private, max-age=3600', 'Cache-Control')
  })

  for (const [what, query, parameter] of BAD_SUGGESTIONS) {
    check(`GET /suggest with ${what} returns 400 and names ${parameter}`, async ({ api }) => {
      rejects(await api.get('/suggest', query), parameter)
    })
  }

  check('D2 include=aliases returns the same list in every form of a CVE', async ({ api, discovery }) => {
    const { records } = await discovery.mixed()
    const ids = records.slice(0, 10).map((record) => record.cve_id)
    const selected = { include: 'aliases', fields: 'cve_id,aliases' }
    const { cves: listed } = ok(await api.get('/cves', { ids: ids.join(), ...selected }))
    const { cves: batch } = ok(await api.batch({ cve_ids: ids, ...selected }))
    for (const record of listed) {
      assertShape(record.aliases, list(alias), `aliases of ${record.cve_id}`)
      same(record, batch[record.cve_id], `batch: ${record.cve_id}`)
      same(record, ok(await api.get(`/cve/${record.cve_id}`, selected)).cve, `single: ${record.cve_id}`)
      const { cve } = ok(await api.get(`/cve/${record.cve_id}`))
      ensure(!('aliases' in cve), `${record.cve_id} has aliases without include`)
    }
  })

  check('GET /alias/{alias} returns the CVE whose record has the alias', async ({ api, discovery }) => {
    const { query } = await discovery.period()
    const { cves } = ok(await api.get('/cves', { ...query, limit: 100, include: 'aliases', fields: 'cve_id,aliases' }))
    const found = cves.find(({ aliases }) => aliases.length > 0)
    if (found === undefined) return skip('no CVE of the discovered period has an alias')
    const [{ alias: id }] = found.aliases
    const data = ok(await api.get(`/alias/${encodeURIComponent(id.toLowerCase())}`))
    equal(data.alias, id, 'alias')
    ensure(data.cve_ids.includes(found.cve_id), `${id} does not name ${found.cve_id}`)
  })

  check('GET /alias/{alias} answers GCVE-0 ids with the CVE of the same number', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    same(ok(await api.get(`/alias/GCVE-0-${id.slice(4)}`)).cve_ids, [id], 'cve_ids')
  })

  for (const id of ['GHSA-2222-2222-2222', 'EUVD-2021-1', 'GCVE-1-2025-0001', 'GCVE-0-1998-9000001', 'log4shell']) {
    check(`GET /alias/${id} returns 404 and names the known forms`, async ({ api }) => {
      const answer = await api.get(`/alias/${id}`)
      fails(answer, 404)
      for (const part of ['GHSA', 'EUVD and GCVE are not held'])
        ensure(answer.error.message.includes(part), answer.error.message)
      same(answer.error.details.not_held, ['ZDI', 'JVNDB', 'EUVD', 'GCVE'], 'not_held')
    })
  }

  check('GET /alias/{alias} with the name of a vulnerability suggests the search for the name', async ({ api }) => {
    const { error } = await api.get('/alias/log4shell')
    suggests(error.details, '/api/v1/cves?q=log4shell')
    ensure(error.message.includes('GET /api/v1/cves?q=log4shell'), error.message)
  })

  check('E32 an alias that is shown as an example names one CVE', async ({ api }) => {
    const { error } = await api.get('/alias/log4shell')
    for (const { form, example } of error.details.forms) {
      const answer = await api.get(`/alias/${encodeURIComponent(example)}`)
      // A server need not have the advisories of every database; an update from Microsoft fixes several CVEs.
      if (answer.status !== 404 && form !== 'KB') equal(ok(answer).cve_ids.length, 1, `CVEs of ${example}`)
    }
  })

  for (const text of ['x', 'GHSA jfh8', 'ghsa\0', '\u00fc'.repeat(10), 'a'.repeat(105)]) {
    check(`GET /alias/${encodeURIComponent(text).slice(0, 24)} returns 400 that names alias`, async ({ api }) => {
      rejects(await api.get(`/alias/${encodeURIComponent(text)}`), 'alias')
    })
  }

  check('An alias in the place of a CVE id returns 400 and suggests the path of the alias', async ({ api }) => {
    const [alias, path] = ['ghsa-jfh8-c2jp-5v3q', '/api/v1/alias/GHSA-jfh8-c2jp-5v3q']
    for (const end of ['', '/detail', '/exploits'])
      suggests(rejects(await api.get(`/cve/${alias}${end}`), 'cve-id'), path)
    suggests(rejects(await api.get('/cves', { ids: alias }), 'ids'), path)
    suggests(rejects(await api.batch({ cve_ids: [alias] }), 'cve_ids'), path)
  })

  check('A CVE id in the place of an alias returns 400 and suggests the path of the CVE', async ({ api }) => {
    suggests(rejects(await api.get('/alias/cve-2021-44228'), 'alias'), '/api/v1/cve/CVE-2021-44228')
  })

  check('Text that is neither a CVE id nor an alias gets no suggestion', async ({ api }) => {
    ensure(!('suggestion' in rejects(await api.get('/cve/nonsense'), 'cve-id')), 'nonsense has a suggestion')
  })
})
