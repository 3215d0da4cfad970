// Checks of GET /cves: the default answer, the order, text search and the parameter ids.

import { section, skip } from '../../lib/check.mjs'
import { cveListed } from '../../lib/cve-shapes.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, idsOf, ok, rejects, same, sameMembers, sameOrder } from '../../lib/expect.mjs'
import { RELEVANCE, readPages, SORTS, sortRecords } from '../../lib/pages.mjs'
import { assertShape } from '../../lib/shape.mjs'
import { readFiltered } from './search-filters.mjs'

const MAX_SEARCH_PAGES = 8
const WORD = /\b[A-Za-z]{9,14}\b/g
const THREE_WORDS = /(?<![\w./@'-])[a-z]{5,} [a-z]{5,} [a-z]{5,}(?![\w./@'-])/gi
const JOINED_WORD = /\b[a-z0-9]{3,}[._/-][a-z0-9]{2,}\b/i
const ABSENT_WORD = 'zzqxjkvwy'

const searchIds = async (api, q, query) => {
  const { items } = await readPages(api, '/cves', { q, ...query, fields: 'cve_id' }, { maxPages: MAX_SEARCH_PAGES })
  return idsOf(items)
}
const findPhrase = ({ description }) => description?.match(THREE_WORDS)?.[0]
const findJoinedWord = ({ description }) => description?.match(JOINED_WORD)?.[0]

/** Returns the rarest word that occurs at least three times in the descriptions, or else the rarest word. */
async function findRareWord(discovery) {
  const words = (await discovery.pool()).flatMap(({ description }) => description?.match(WORD) ?? [])
  const counts = new Map()
  for (const word of words.map((each) => each.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1)
  const ranked = [...counts].sort((a, b) => a[1] - b[1])
  const [word] = ranked.find(([, times]) => times >= 3) ?? ranked[0] ?? skip('no description has a word of 9 letters')
  return word
}

async function assertPhraseSearch(api, { cve_id: id, description }) {
  const phrase = findPhrase({ description })
  const [first, , third] = phrase.split(' ')
  const isFound = async (q) => (await searchIds(api, q, { ids: id })).length === 1
  for (const q of [phrase, `${third} ${first}`, first.slice(0, 5), `"${phrase}"`])
    equal(await isFound(q), true, `${id} by q=${q}`)
  equal(await isFound(`${first} ${ABSENT_WORD}`), false, `${id} by a word it does not contain`)
  const reversed = `${third} ${first}`
  const isContained = description.toLowerCase().includes(reversed.toLowerCase())
  equal(await isFound(`"${reversed}"`), isContained, `${id} by the reversed phrase`)
}

function defineOrder(check) {
  for (const sort of SORTS) {
    const title = `D7 sort=${sort} orders by value, then by year and number, with records without the value last`
    check(title, async ({ api, discovery }) => {
      for (const set of await discovery.sets()) {
        const expected = idsOf(sortRecords(set.records, sort))
        sameOrder(await readFiltered(api, set, { sort }), expected, `${sort} over ${set.name}`)
      }
    })

    check(`D7 sort=${sort} orders the first 200 records of all CVEs`, async ({ api }) => {
      const query = { sort, fields: 'cve_id,published,modified,severity,epss' }
      const { items } = await readPages(api, '/cves', query, { maxPages: 2 })
      sameOrder(idsOf(items), idsOf(sortRecords(items, sort)), sort)
    })
  }

  check('D7 the default sort is published_desc', async ({ api, discovery }) => {
    const set = await discovery.period()
    sameOrder(await readFiltered(api, set, {}), idsOf(sortRecords(set.records, 'published_desc')), 'default')
  })
}

function defineText(check) {
  check('D5 q finds a CVE by its id, in any letter case, and by parts of the id', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const [, year, number] = id.split('-')
    for (const q of [id, id.toLowerCase(), `${year}-${number}`])
      ensure((await searchIds(api, q)).includes(id), `q=${q} does not find ${id}`)
    ensure((await searchIds(api, number, { ids: id })).includes(id), `q=${number} does not find ${id}`)
  })

  check('D5 q finds words of the description in any letter case', async ({ api, discovery }) => {
    const word = await findRareWord(discovery)
    same(await searchIds(api, word), await searchIds(api, word.toUpperCase()), `q=${word}`)
    const { items } = await readPages(api, '/cves', { q: word, fields: 'cve_id,description' }, { maxPages: 2 })
    const beginning = word.slice(0, 5).toLowerCase()
    const isIn = (text) =>
      text
        .toLowerCase()
        .split(/[^a-z0-9]/)
        .some((each) => each.startsWith(beginning))
    for (const { cve_id: id, description } of items) {
      // A word can also be in the name of a product or of the KEV entry (decision E13), so the full record is searched
      // too.
      const isFound = isIn(`${id} ${description}`) || isIn(JSON.stringify(ok(await api.get(`/cve/${id}`))))
      ensure(isFound, () => `${id} lacks ${word}: ${description?.slice(0, 120)}`)
    }
    ensure(items.length > 0, `q=${word} finds no CVE`)
  })

  const phraseTitle = 'D5 every word of q must match, at least as a prefix, and a phrase matches adjacent words'
  check(phraseTitle, async ({ api, discovery }) => {
    const { records } = await discovery.period()
    for (const record of records.filter(findPhrase).slice(0, 5)) await assertPhraseSearch(api, record)
  })

  const joinedTitle = 'D5 characters other than letters and digits separate words: admin.php and mod_ssl are found'
  check(joinedTitle, async ({ api, discovery }) => {
    const records = (await discovery.pool()).filter(findJoinedWord).slice(0, 12)
    if (records.length === 0) skip('no description contains a joined word')
    for (const record of records) {
      const q = findJoinedWord(record)
      same(await searchIds(api, q, { ids: record.cve_id }), [record.cve_id], `q=${q}`)
    }
  })

  check('D6 q combines with other filters', async ({ api, discovery }) => {
    const word = await findRareWord(discovery)
    const all = await searchIds(api, word)
    const parts = [await searchIds(api, word, { kev: true }), await searchIds(api, word, { kev: false })]
    if (all.length < MAX_SEARCH_PAGES * 100) sameMembers(parts.flat(), all, `q=${word} by kev`)
  })
}

function defineNamesAndOperators(check) {
  check('E13 q finds a CVE by the name of its KEV entry, in words and as a phrase', async ({ api, discovery }) => {
    for (const entry of (await discovery.kev()).slice(0, 5)) {
      const [[id], name] = [idsOf([entry]), entry.vulnerabilityName]
      for (const q of [name.replaceAll('-', ' '), `"${name}"`])
        same(await searchIds(api, q, { ids: id }), [id], `q=${q}`)
    }
  })

  check('E13 q finds CVE-2021-44228 by its well-known name', async ({ api }) => {
    const id = 'CVE-2021-44228'
    if ((await api.get(`/cve/${id}`)).status === 404) skip(`${id} is not in the catalog`)
    same(await searchIds(api, 'log4shell', { ids: id }), [id], 'q=log4shell')
  })

  check('E13 the words of a joined word must be adjacent', async ({ api, discovery }) => {
    const record = (await discovery.pool()).find(findPhrase) ?? skip('no description has a phrase of three words')
    const [first, second, third] = findPhrase(record).split(' ')
    const isFound = async (q) => (await searchIds(api, q, { ids: record.cve_id })).length === 1
    equal(await isFound(`${first}_${second}.${third}`), true, 'adjacent words')
    equal(await isFound(`${first}_${ABSENT_WORD}`), false, 'a word that the CVE lacks')
  })

  check('E13 a leading - excludes a word or phrase, and OR makes alternatives', async ({ api, discovery }) => {
    const record = (await discovery.pool()).find(findPhrase) ?? skip('no description has a phrase of three words')
    const phrase = findPhrase(record)
    const [first, second] = phrase.split(' ')
    const isFound = async (q) => (await searchIds(api, q, { ids: record.cve_id })).length === 1
    for (const q of [
      `${first} -${ABSENT_WORD}`,
      `${ABSENT_WORD} OR ${first}`,
      `${ABSENT_WORD} OR "${phrase}" ${second}`,
    ])
      equal(await isFound(q), true, `${record.cve_id} by q=${q}`)
    for (const q of [`${first} -${second}`, `${first} -"${phrase}"`, `${ABSENT_WORD} OR ${first}x${ABSENT_WORD}`])
      equal(await isFound(q), false, `${record.cve_id} by q=${q}`)
  })

  const eleven = Array.from({ length: 11 }, (_, index) => `word${index}`).join(' OR ')
  for (const q of ['-word', '-"two words"', 'word OR -other', eleven]) {
    check(`E13 q=${q.slice(0, 40)} returns 400 that names q`, async ({ api }) => {
      rejects(await api.get('/cves', { q }), 'q', q)
    })
  }
}

function defineRelevance(check) {
  for (const query of [{}, { q: '' }, { q: '. -' }, { kev: true }]) {
    check(`E14 sort=relevance with ${JSON.stringify(query)} returns 400 that names sort`, async ({ api }) => {
      rejects(await api.get('/cves', { ...query, sort: RELEVANCE }), 'sort', RELEVANCE)
    })
  }

  check('E14 sort=relevance returns the CVE whose id is searched for first', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    for (const q of [id, id.toLowerCase()])
      equal(idsOf(ok(await api.get('/cves', { q, sort: RELEVANCE, limit: 5 })).cves)[0], id, `first CVE of q=${q}`)
  })

  const membersTitle = 'E14 pages by relevance have the same records as the default sort, without duplicates and gaps'
  check(membersTitle, async ({ api, discovery }) => {
    const word = await findRareWord(discovery)
    for (const query of [{ q: word }, { q: 'vulnerability', ...(await discovery.period()).query }]) {
      const readIds = async (sort, limit) =>
        idsOf((await readPages(api, '/cves', { ...query, sort, fields: 'cve_id' }, { limit })).items)
      const [small, large] = [await readIds(RELEVANCE, 13), await readIds(RELEVANCE, 100)]
      sameOrder(small, large, `order of q=${query.q}`)
      sameMembers(small, await readIds('published_desc', 100), `records of q=${query.q}`)
    }
  })

  check('E14 a cursor of sort=relevance is valid for the same words only', async ({ api, discovery }) => {
    const word = await findRareWord(discovery)
    const query = { q: word, sort: RELEVANCE, limit: 1, fields: 'cve_id' }
    const { pagination } = ok(await api.get('/cves', query))
    const after = pagination.nextCursor ?? skip(`q=${word} has only one page`)
    ok(await api.get('/cves', { ...query, q: ` ${word.toUpperCase()}`, after }))
    rejects(await api.get('/cves', { ...query, q: `${word} ${word.slice(0, 4)}`, after }), 'after')
    rejects(await api.get('/cves', { ...query, sort: 'published_desc', after }), 'after')
  })
}

function defineIds(check) {
  check('D6 a request for ids returns all known CVEs and leaves out unknown ids', async ({ api, discovery }) => {
    const ids = idsOf((await discovery.mixed()).records).slice(0, 20)
    const { cves } = ok(await api.get('/cves', { ids: [...ids, UNKNOWN_ID].join(','), limit: 100 }))
    sameMembers(idsOf(cves), ids, 'ids')
  })

  check('D6 a request for ids without limit returns all of them on one page', async ({ api, discovery }) => {
    const { query, records } = await discovery.mixed()
    const data = ok(await api.get('/cves', query))
    sameMembers(idsOf(data.cves), idsOf(records), 'ids')
    equal(data.pagination.hasMore, false, 'hasMore')
  })

  check('D6 an id given twice is returned once', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    same(idsOf(ok(await api.get('/cves', { ids: `${id},${id.toLowerCase()}` })).cves), [id], 'ids')
  })
}

export const checks = section('Search', (check) => {
  check('D3 GET /cves without parameters returns 20 CVEs with the documented shape', async ({ api }) => {
    const data = ok(await api.get('/cves'))
    equal(data.cves.length, 20, 'length')
    equal(data.pagination.limit, 20, 'pagination.limit')
    for (const record of data.cves) assertShape(record, cveListed, record.cve_id)
  })

  check('D3 every kind of CVE has the documented shape of a list item', async ({ api, discovery }) => {
    const { query } = await discovery.mixed()
    const { cves } = ok(await api.get('/cves', { ...query, limit: 100 }))
    for (const record of cves) assertShape(record, cveListed, record.cve_id)
  })

  defineOrder(check)
  defineText(check)
  defineNamesAndOperators(check)
  defineRelevance(check)
  defineIds(check)

  check('C12 every endpoint returns rejected CVEs with the status Rejected', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('that is rejected')
    equal(ok(await api.get(`/cve/${id}`, { fields: 'status' })).cve.status, 'Rejected', 'GET /cve/{id}')
    equal(ok(await api.get('/cves', { ids: id, fields: 'status' })).cves[0]?.status, 'Rejected', 'GET /cves')
    equal(ok(await api.batch({ cve_ids: [id] })).cves[id]?.status, 'Rejected', 'POST /cve/batch')
    ok(await api.get(`/cve/${id}/detail`))
  })
})
