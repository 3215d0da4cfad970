// Checks of the filters of GET /cves and GET /cves/recent that are not in the specification (decision D20), and of GET
// /filters, which describes all filters.

import { section, skip } from '../../lib/check.mjs'
import { wordsOf } from '../../lib/contract.mjs'
import { ensure, idsOf, ok, rejects, same, sameMembers } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'
import { assertBound, assertFilter, readFiltered } from './search-filters.mjs'

const EXPLOITS = { include: 'exploits' }
const PRIORITY = { include: 'priority', fields: 'cve_id,priority' }
const MATURITIES = wordsOf('searchCves', 'exploit_maturity')
const PARTITIONED = ['has_fix', 'has_cvss', 'has_epss', 'ransomware', 'score_disagreement']

const weaknessesOf = (record) => record.enrichment?.cwe_list ?? []
const techniquesOf = (record) => record.attack.techniques
const parentOf = (technique) => technique.split('.')[0]
const percentileOf = (record) => record.epss?.percentile ?? null

/** CVSS 2.0 vectors have no prefix. */
function versionOf(record) {
  const vector = record.enrichment?.cvss_vector ?? null
  return vector === null ? null : (/^CVSS:(\d)/.exec(vector)?.[1] ?? '2')
}

/** Returns the value that most known records have, so that filtering by it keeps some records and drops others. */
async function findCommon(discovery, readValues) {
  const counts = new Map()
  for (const set of await discovery.sets())
    for (const value of new Set(set.records.flatMap(readValues))) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first ? first[0] : skip('no known record has a value')
}

/** Returns the first vulnerable product of a record with CPE matches. */
async function findProduct(api, discovery) {
  for (const { cve_id: id } of await discovery.findSome('with full detail', 10)) {
    const { cve } = ok(await api.get(`/cve/${id}`, { fields: 'cve_id,cpe' }))
    const criteria = cve.cpe.find(({ vulnerable }) => vulnerable)?.criteria
    if (criteria && /^[\w:.*-]+$/.test(criteria)) {
      const [, , , vendor, product] = criteria.split(':')
      return { id, vendor, product }
    }
  }
  return skip('no known record has a vulnerable product with a plain name')
}

function defineRecordFilters(check) {
  check('D20 cwe returns exactly the CVEs with any of the weaknesses', async (context) => {
    const cwe = await findCommon(context.discovery, weaknessesOf)
    await assertFilter(context, { cwe }, (record) => weaknessesOf(record).includes(cwe))
    await assertFilter(context, { cwe: `${cwe.toLowerCase()},CWE-999999` }, (record) =>
      weaknessesOf(record).includes(cwe),
    )
  })

  check('D20 technique returns exactly the CVEs with the technique or one of its sub-techniques', async (context) => {
    const technique = parentOf(await findCommon(context.discovery, techniquesOf))
    await assertFilter(context, { technique }, (record) => techniquesOf(record).map(parentOf).includes(technique))
  })

  check('D20 has_cvss returns exactly the CVEs with a score', async (context) => {
    await assertFilter(context, { has_cvss: true }, ({ severity }) => severity !== null)
    await assertFilter(context, { has_cvss: false }, ({ severity }) => severity === null)
  })

  check('D20 has_epss returns exactly the CVEs with an EPSS score', async (context) => {
    await assertFilter(context, { has_epss: true }, ({ epss }) => Boolean(epss))
    await assertFilter(context, { has_epss: false }, ({ epss }) => !epss)
  })

  check('D20 epss_percentile_min is inclusive and excludes records without EPSS', (context) =>
    assertBound(
      context,
      percentileOf,
      (bound) => ({ epss_percentile_min: bound }),
      (bound) => (record) => percentileOf(record) !== null && percentileOf(record) >= bound,
    ),
  )

  check('D20 score_version returns exactly the CVEs whose score has one of the versions', async (context) => {
    await assertFilter(context, { score_version: '3' }, (record) => versionOf(record) === '3')
    await assertFilter(context, { score_version: '2,4' }, (record) => ['2', '4'].includes(versionOf(record)))
  })

  check('D20 ransomware returns exactly the KEV entries that CISA marks so', (context) =>
    assertFilter(context, { ransomware: true }, ({ kev }) => kev?.knownRansomware === true),
  )

  check('D20 kev_added_after and kev_added_before are inclusive', async ({ api, discovery }) => {
    const entries = await discovery.kev()
    const days = entries.map(({ dateAdded }) => dateAdded).sort()
    const [low, high] = [days[Math.floor(days.length / 4)], days[Math.floor(days.length / 2)]]
    const expected = entries.filter(({ dateAdded }) => dateAdded >= low && dateAdded <= high).map(({ cveId }) => cveId)
    const query = { kev_added_after: low, kev_added_before: high, fields: 'cve_id' }
    sameMembers(idsOf((await readPages(api, '/cves', query)).items), expected, JSON.stringify(query))
  })
}

function defineExploitFilters(check) {
  check('D20 exploit_maturity and evidence_min compare what include=exploits shows', async ({ api, discovery }) => {
    const kinds = ['in KEV', 'with an exploit flag outside KEV', 'without references']
    for (const kind of kinds) {
      const { cve_id: ids } = await discovery.findOne(kind)
      const { exploits } = ok(await api.get(`/cve/${ids}`, EXPLOITS)).cve
      const count = Object.values(exploits.counts).reduce((sum, each) => sum + each, 0)
      const others = MATURITIES.filter((each) => each !== exploits.maturity).join(',')
      const list = async (query) => idsOf(ok(await api.get('/cves', { ids, ...query })).cves)
      same(await list({ exploit_maturity: exploits.maturity }), [ids], `${ids} by its maturity`)
      same(await list({ exploit_maturity: others }), [], `${ids} by other levels`)
      if (count > 0) same(await list({ evidence_min: count }), [ids], `${ids} by its count`)
      same(await list({ evidence_min: count + 1 }), [], `${ids} by a greater count`)
    }
  })

  check(
    'D20 ssvc_exploitation, ssvc_automatable and ssvc_impact compare the SSVC values',
    async ({ api, discovery }) => {
      const { query } = await discovery.mixed()
      const records = (await readPages(api, '/cves', { ...query, ...PRIORITY })).items
      const compare = async (name, value, member) => {
        const expected = idsOf(records.filter(({ priority }) => priority.ssvc?.[member] === value))
        const found = idsOf((await readPages(api, '/cves', { ...query, [name]: value, fields: 'cve_id' })).items)
        sameMembers(found, expected, `${name}=${value}`)
      }
      for (const value of wordsOf('searchCves', 'ssvc_exploitation'))
        await compare('ssvc_exploitation', value, 'exploitation')
      for (const value of ['yes', 'no']) await compare('ssvc_automatable', value, 'automatable')
      for (const value of ['partial', 'total']) await compare('ssvc_impact', value, 'technical_impact')
    },
  )
}

function defineNameFilters(check) {
  check('D20 product and product_vendor compare whole names in any letter case', async ({ api, discovery }) => {
    const { id: ids, vendor, product } = await findProduct(api, discovery)
    const list = async (query) => idsOf(ok(await api.get('/cves', { ids, ...query })).cves)
    same(await list({ product: product.toUpperCase() }), [ids], 'product')
    same(await list({ product_vendor: vendor, product }), [ids], 'vendor and product')
    same(await list({ product: product.slice(0, -1) }), [], 'part of a name')
    same(await list({ product_vendor: 'no-such-vendor', product }), [], 'product of another vendor')
  })

  check('D20 assigner returns CVEs of the organisation in any letter case', async ({ api, discovery }) => {
    for (const { cve_id: ids } of await discovery.findSome('that the CVE List leads', 5)) {
      const { sources } = ok(await api.get(`/cve/${ids}`, { include: 'sources' })).cve
      const cna = sources.description?.stated_by.find(({ source }) => source.startsWith('cna:'))?.source.slice(4)
      if (cna === undefined) continue
      same(idsOf(ok(await api.get('/cves', { ids, assigner: cna.toUpperCase() })).cves), [ids], `${ids} by ${cna}`)
      same(ok(await api.get('/cves', { ids, assigner: 'no-such-organisation' })).cves, [], `${ids} by another name`)
    }
  })

  for (const name of ['product', 'product_vendor', 'assigner'])
    check(`D20 ${name} with a name that nobody has returns an empty list`, async ({ api }) => {
      same(ok(await api.get('/cves', { [name]: 'no-such-name-anywhere' })).cves, [], name)
    })
}

function defineLists(check) {
  for (const name of PARTITIONED)
    check(`D20 every CVE has either ${name}=true or ${name}=false`, async ({ api, discovery }) => {
      const set = await discovery.period()
      const found = []
      for (const value of [true, false]) found.push(...(await readFiltered(api, set, { [name]: value })))
      sameMembers(found, idsOf(set.records), `${name} over ${set.name}`)
    })

  check('D20 disagree=score returns the same CVEs as score_disagreement=true', async ({ api, discovery }) => {
    const set = await discovery.period()
    const [by, same] = [{ disagree: 'score' }, { score_disagreement: true }]
    sameMembers(await readFiltered(api, set, by), await readFiltered(api, set, same), 'disagree=score')
  })

  for (const subject of wordsOf('searchCves', 'disagree'))
    check(`E15 a CVE found by disagree=${subject} says in its sources who disagrees`, async ({ api }) => {
      const { cves } = ok(await api.get('/cves', { disagree: subject, limit: 5 }))
      if (cves.length === 0) skip(`no CVE is found by disagree=${subject}`)
      for (const { cve_id: id } of cves) {
        const { sources } = ok(await api.get(`/cve/${id}`, { include: 'sources' })).cve
        const subjects = (sources.disagreements ?? []).map((each) => each.subject)
        ensure(subjects.includes(subject), `${id}: sources.disagreements does not name ${subject}`)
      }
    })

  check('D20 /cves/recent has the same filters', async ({ api }) => {
    const query = { days: 30, include: 'enrichment', fields: 'cve_id,enrichment' }
    const { items } = await readPages(api, '/cves/recent', query, { limit: 500 })
    const cwe = items.flatMap(weaknessesOf)[0] ?? skip('no recent CVE has a weakness')
    const found = await readPages(api, '/cves/recent', { ...query, cwe }, { limit: 500 })
    sameMembers(idsOf(found.items), idsOf(items.filter((each) => weaknessesOf(each).includes(cwe))), `cwe=${cwe}`)
  })

  check('D20 a malformed CWE id or technique is named with the form that is accepted', async ({ api }) => {
    ensure(rejects(await api.get('/cves', { cwe: '79' }), 'cwe').message.includes('CWE-79'), 'no form of a CWE id')
    const { message } = rejects(await api.get('/cves', { technique: 'TA0001' }), 'technique')
    ensure(message.includes('T1059.001'), `no form of a technique: ${message}`)
  })
}

export const checks = section('Further filters', (check) => {
  defineRecordFilters(check)
  defineExploitFilters(check)
  defineNameFilters(check)
  defineLists(check)

  check('GET /filters describes each parameter of a list once', async ({ api }) => {
    const { filters } = ok(await api.get('/filters'))
    for (const path of ['/api/v1/cves', '/api/v1/cves/recent', '/api/v1/kev']) {
      const names = filters.filter(({ endpoints }) => endpoints.includes(path)).map(({ name }) => name)
      sameMembers(names, [...new Set(names)], path)
      ensure(names.includes('limit') && names.includes('after'), `${path} has no parameters for pages`)
    }
    const members = [
      'name',
      'endpoints',
      'description',
      'type',
      'allowed',
      'examples',
      'api_version',
      'is_list',
      'needs',
    ]
    for (const each of filters) sameMembers(Object.keys(each), members, `members of ${each.name}`)
  })

  check('GET /filters with name returns only the parameters with these names', async ({ api }) => {
    const { filters } = ok(await api.get('/filters', { name: 'cwe,limit,nothing' }))
    sameMembers([...new Set(filters.map(({ name }) => name))], ['cwe', 'limit'], 'names')
  })

  check('GET /filters names examples that every list accepts', async ({ api }) => {
    const { filters } = ok(await api.get('/filters'))
    for (const { name, endpoints, examples, needs } of filters.filter((each) => each.name !== 'after')) {
      const addOn = needs === null ? {} : { include: needs.split('=')[1] }
      for (const path of endpoints.filter((each) => !each.includes('{'))) {
        const answer = await api.get(path.replace('/api/v1', ''), { ...addOn, [name]: examples[0] })
        // A list can require another parameter, so only an error about this parameter counts.
        ensure(answer.status !== 400 || answer.error.parameter !== name, `${path}: ${name}=${examples[0]}`)
      }
    }
  })
})
