// Checks of GET /cve/{id}/detail.

import { detailFull, detailPartial } from '../../lib/answer-shapes.mjs'
import { section } from '../../lib/check.mjs'
import { ensure, equal, ok, same } from '../../lib/expect.mjs'
import { assertShape } from '../../lib/shape.mjs'

const MAX_AGE_SECONDS = { available: 3600, partial: 300, missing: 60 }
const MITIGATION_TAGS = ['Patch', 'Mitigation', 'Release Notes']
const BUCKET_TAGS = ['Exploit', 'Vendor Advisory', ...MITIGATION_TAGS]

const KINDS = [
  'in KEV',
  'that is rejected',
  'with only a v4.0 score',
  'with an exploit flag outside KEV',
  'without a score',
  'with a v3.0 score',
]

/** Reads a detail record and tests that its body and its Cache-Control fit its X-Blob-Status. */
async function readDetail(api, id, query, key) {
  const answer = await api.get(`/cve/${id}/detail`, query, { key })
  const data = ok(answer)
  const status = answer.header('X-Blob-Status')
  ensure(status in MAX_AGE_SECONDS, `X-Blob-Status: ${status}`)
  assertShape(data, status === 'available' ? detailFull : detailPartial, id)
  const cacheControl = answer.headerItems('Cache-Control').sort()
  same(cacheControl, [`max-age=${MAX_AGE_SECONDS[status]}`, 'private'], `${status} Cache-Control`)
  if (status === 'missing') equal(data.data.enrichment, null, 'enrichment of a missing record')
  if (status === 'partial') ensure(data.data.enrichment !== null, 'enrichment of a partial record is null')
  equal((data.data ?? data).cve_id, id, 'cve_id')
  return { data, status }
}

function assertBuckets(id, references) {
  const { exploits, vendor_advisories: advisories, mitigations, technical_articles: articles } = references
  const assertEvery = (items, test, bucket) => {
    for (const { url, tags } of items) ensure(test(tags), `${id} ${bucket} contains ${url} with the tags ${tags}`)
  }
  assertEvery(exploits, (tags) => tags.includes('Exploit'), 'exploits')
  assertEvery(advisories, (tags) => tags.includes('Vendor Advisory'), 'vendor_advisories')
  assertEvery(mitigations, (tags) => tags.some((tag) => MITIGATION_TAGS.includes(tag)), 'mitigations')
  assertEvery(articles, (tags) => !tags.some((tag) => BUCKET_TAGS.includes(tag)), 'technical_articles')
  const total = exploits.length + advisories.length + mitigations.length + articles.length
  equal(references.total_reference_count, total, `${id} total_reference_count`)
}

export const checks = section('Detail', (check) => {
  const statuses = [
    [
      'a CVE of NVD with a score of 7.0 or more has full detail: X-Blob-Status is available',
      'with full detail',
      'available',
    ],
    ['a CVE below every threshold has a partial record: X-Blob-Status is partial', 'with partial detail', 'partial'],
    ['a CVE without detail and enrichment returns 200: X-Blob-Status is missing', 'without detail', 'missing'],
  ]
  for (const [sentence, kind, status] of statuses) {
    check(`D12 ${sentence}`, async ({ api, discovery }) => {
      for (const { cve_id: id } of await discovery.findSome(kind, 10))
        equal((await readDetail(api, id)).status, status, id)
    })
  }

  for (const kind of KINDS) {
    check(
      `D12 the detail of a CVE ${kind} returns 200 and a body that fits X-Blob-Status`,
      async ({ api, discovery }) => {
        for (const { cve_id: id } of await discovery.findSome(kind, 5)) await readDetail(api, id)
      },
    )
  }

  const leadTitle = 'D12 without vendor, the detail of a CVE that only the CVE List has is that of cve if it is full'
  check(leadTitle, async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('that the CVE List leads', 10)) {
      const [implicit, cve] = [await readDetail(api, id), await readDetail(api, id, { vendor: 'cve' })]
      const isFull = cve.status === 'available'
      equal((implicit.data.data ?? implicit.data).vendor, isFull ? 'cve' : 'nvd', `${id} vendor`)
      if (isFull) same(implicit.data, cve.data, `${id} data`)
    }
  })

  const nvdTitle = 'A12, D12 without vendor, the source of a full record of NVD is nvd, and vendor names it'
  check(nvdTitle, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('with full detail')
    const [implicit, explicit] = [await readDetail(api, id), await readDetail(api, id, { vendor: 'nvd' })]
    same(implicit.data, explicit.data, 'data')
    equal(implicit.data.vendor, 'nvd', 'vendor')
  })

  const ownData = 'D12 the detail of a source contains the data of that source, never the data of another source'
  check(ownData, async ({ api, discovery }) => {
    for (const kind of ['with full detail', 'that the CVE List leads']) {
      const records = await discovery.findSome(kind, 20)
      for (const [id, vendor] of records.flatMap(({ cve_id }) => [
        [cve_id, 'nvd'],
        [cve_id, 'cve'],
      ])) {
        const { data } = await readDetail(api, id, { vendor })
        equal((data.data ?? data).vendor, vendor, `${id} vendor`)
      }
    }
  })

  const enterpriseTitle = 'D12 an enterprise source answers with its own full or partial record'
  check(enterpriseTitle, { needs: ['pro', 'enterprise'] }, async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('with full detail')
    for (const vendor of ['ghsa', 'redhat', 'msrc']) {
      const { data } = await readDetail(api, id, { vendor }, 'enterprise')
      equal((data.data ?? data).vendor, vendor, 'vendor')
    }
  })

  check('D13 each reference of a detail record is in the category of its tags', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('with full detail', 20))
      assertBuckets(id, (await readDetail(api, id)).data.references)
  })

  check('C18 exploitability.score is 1.0 for a CVE in KEV', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('in KEV', 10)) {
      const { data, status } = await readDetail(api, id)
      if (status === 'available') equal(data.metrics.exploitability.score, 1, `${id} score`)
    }
  })

  check('fixes lists at most 50 fixed versions, each once, and only if patch_available', async ({ api, discovery }) => {
    for (const { cve_id: id, enrichment } of await discovery.findSome('with full detail', 20)) {
      const { fixes } = (await readDetail(api, id)).data
      if (fixes === undefined) continue
      ensure(fixes.length > 0 && fixes.length <= 50, `${id} has ${fixes.length} fixes`)
      equal(new Set(fixes.map((each) => JSON.stringify(each))).size, fixes.length, `${id} distinct fixes`)
      equal(enrichment?.patch_available, true, `${id} patch_available`)
    }
  })

  check('total_cpe_count is at least the number of configurations in a detail record', async ({ api, discovery }) => {
    for (const { cve_id: id } of await discovery.findSome('with full detail', 10)) {
      const { cpe_configurations: listed, total_cpe_count: total } = (await readDetail(api, id)).data.affected_products
      ensure(total >= listed.length, `${id} ${total} < ${listed.length}`)
    }
  })
})
