// Checks of POST /cve/batch.

import { batchAnswer } from '../../lib/answer-shapes.mjs'
import { section } from '../../lib/check.mjs'
import { cveBatch, kevBatch, toBand } from '../../lib/cve-shapes.mjs'
import { ADD_ONS, UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, idsOf, ok, same, sameMembers, sameOrder } from '../../lib/expect.mjs'
import { SORTS, sortRecords } from '../../lib/pages.mjs'
import { assertShape } from '../../lib/shape.mjs'

/** Maximum difference between the timestamp in an answer and the time at which the suite reads the answer. */
const MAX_CLOCK_DIFFERENCE_MS = 120_000

const sizeOf = (value) => (Array.isArray(value) ? value.length : (value ?? 0))

function assertCounts(data, sent) {
  assertShape(data, batchAnswer, 'data')
  equal(data.count, Object.keys(data.cves).length, 'count')
  equal(data.total_requested, sent.length, 'total_requested')
  const distinct = new Set(sent.map((id) => id.toUpperCase())).size
  const sum = data.count + data.not_found.length + sizeOf(data.filtered_out)
  equal(sum, distinct, 'count + not_found + filtered_out')
}

export const checks = section('Batch', (check) => {
  check('A batch answer has the documented shape, and each key is the id of its record', async (context) => {
    const { api, discovery } = context
    const ids = idsOf((await discovery.mixed()).records)
    for (const include of [undefined, ADD_ONS.split(',')]) {
      const data = ok(await api.batch({ cve_ids: ids, include }))
      assertCounts(data, ids)
      sameMembers(Object.keys(data.cves), ids, 'keys')
      for (const [id, record] of Object.entries(data.cves)) {
        assertShape(record, cveBatch, id)
        equal(record.cve_id, id, 'cve_id')
      }
    }
  })

  const kevTitle = 'The kev object of a batch record has known_exploited, due_date and action_required'
  check(kevTitle, async ({ api, discovery }) => {
    const ids = idsOf(await discovery.findSome('in KEV', 20))
    const { cves } = ok(await api.batch({ cve_ids: ids }))
    for (const [id, record] of Object.entries(cves)) assertShape(record.kev, kevBatch, `${id} kev`)
  })

  check(
    'D11 a batch with unknown ids returns 200 and lists them in not_found in upper case',
    async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      const sent = [id, UNKNOWN_ID.toLowerCase()]
      const data = ok(await api.batch({ cve_ids: sent }))
      assertCounts(data, sent)
      same(data.not_found, [UNKNOWN_ID], 'not_found')
    },
  )

  check('D20 not_found of a batch is in the order of the request', async ({ api }) => {
    const ids = ['CVE-1998-9000003', 'CVE-1998-9000001', 'cve-1998-9000002']
    const upperCase = ids.map((id) => id.toUpperCase())
    same(ok(await api.batch({ cve_ids: ids })).not_found, upperCase, 'not_found')
  })

  check('B8, B11 null and an empty list for an optional body key count as absent', async ({ api }) => {
    ok(await api.batch({ cve_ids: [UNKNOWN_ID], fields: [], include: '', severity: [] }))
    ok(await api.batch({ cve_ids: [UNKNOWN_ID], fields: null, include: null, sort: null, severity: null }))
  })

  check('D11 a batch of unknown ids returns 200 with an empty map', async ({ api }) => {
    const data = ok(await api.batch({ cve_ids: [UNKNOWN_ID] }))
    same([data.cves, data.count, data.not_found], [{}, 0, [UNKNOWN_ID]], 'data')
  })

  check('D11 duplicate ids are ignored, and total_requested counts the items sent', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const sent = [id, id.toLowerCase(), id, UNKNOWN_ID, UNKNOWN_ID]
    const data = ok(await api.batch({ cve_ids: sent }))
    assertCounts(data, sent)
    same([data.count, data.not_found, data.total_requested], [1, [UNKNOWN_ID], 5], 'data')
  })

  check('D11 a batch of 1 id and a batch of 50 ids are accepted', async ({ api }) => {
    for (const size of [1, 50]) {
      const sent = Array.from({ length: size }, (_, index) => `CVE-2021-${40_000 + index}`)
      assertCounts(ok(await api.batch({ cve_ids: sent })), sent)
    }
  })

  for (const sort of SORTS) {
    check(`D11 sort=${sort} orders the keys of the map in a batch answer`, async ({ api, discovery }) => {
      const { records } = await discovery.mixed()
      const ids = idsOf(records)
      const expected = idsOf(sortRecords(records, sort))
      const byBody = ok(await api.batch({ cve_ids: ids, sort })).cves
      sameOrder(Object.keys(byBody), expected, 'sort in the body')
      const byQuery = ok(await api.batch({ cve_ids: ids }, { query: { sort } })).cves
      sameOrder(Object.keys(byQuery), expected, 'sort in the query')
    })
  }

  const severityTitle = 'D11 severity in the body or in the query filters a batch, and filtered_out lists the rest'
  check(severityTitle, async ({ api, discovery }) => {
    const records = (await discovery.mixed()).records.slice(0, 49)
    const ids = [...idsOf(records), UNKNOWN_ID]
    const isSevere = ({ severity }) => severity !== null && ['HIGH', 'CRITICAL'].includes(toBand(severity))
    const expected = idsOf(records.filter(isSevere))
    const severity = 'high,critical'
    const byBody = await api.batch({ cve_ids: ids, severity })
    const byQuery = await api.batch({ cve_ids: ids }, { query: { severity } })
    for (const answer of [byBody, byQuery]) {
      const data = ok(answer)
      sameMembers(Object.keys(data.cves), expected, 'keys')
      ensure('filtered_out' in data, 'filtered_out is missing')
      assertCounts(data, ids)
    }
  })

  check('D2 include in the body of a batch may be a string or an array', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('with ACSC notices')
    const byText = ok(await api.batch({ cve_ids: [id], include: 'acsc' }))
    const byArray = ok(await api.batch({ cve_ids: [id], include: ['acsc'] }))
    same(byText.cves, byArray.cves, 'cves')
    ensure(byText.cves[id].acsc.length > 0, 'no notices')
  })

  const percentageTitle = 'C19 enriched_percentage is 100 x enriched / count with 2 decimals, and 0 for an empty answer'
  check(percentageTitle, async ({ api, discovery }) => {
    const ids = idsOf((await discovery.mixed()).records)
    const { cves, count, enriched_percentage: percentage } = ok(await api.batch({ cve_ids: ids }))
    const enriched = Object.values(cves).filter((record) => record.enrichment_status === 'enriched')
    const expected = (enriched.length / count) * 100
    ensure(Math.abs(percentage - expected) < 0.0051, () => `${percentage}, computed ${expected}`)
    const selected = ok(await api.batch({ cve_ids: ids, fields: ['cve_id'] }))
    equal(selected.enriched_percentage, percentage, 'with other fields')
    equal(ok(await api.batch({ cve_ids: [UNKNOWN_ID] })).enriched_percentage, 0, 'of an empty answer')
  })

  check('The timestamp of the batch is the current time of the service', async ({ api, now }) => {
    const { timestamp } = ok(await api.batch({ cve_ids: [UNKNOWN_ID] }))
    ensure(Math.abs(Date.parse(timestamp) - now()) < MAX_CLOCK_DIFFERENCE_MS, timestamp)
  })
})
