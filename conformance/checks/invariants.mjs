// Checks of the rules that hold for every answer. This section runs last, because it reads all answers of the run.

import { section } from '../lib/check.mjs'
import { ensure } from '../lib/expect.mjs'

// Keys are the names of rules in lib/ledger.mjs; values are the names of the checks for those rules.
const RULES = {
  'server error': 'B1 no answer of this run is a 5xx other than 503',
  envelope: 'B3 every answer of this run is { data, meta } or { error, meta }',
  meta: 'C1 every meta of this run has the version v1 and a timestamp in whole seconds with Z',
  'error body': 'B3 every error of this run has a message, and its details are an object if present',
  'error code': 'B1 every error of this run has a code of its HTTP status',
  'content type': 'B3 every body of this run is application/json',
  'correlation header': 'B15 every answer of this run has an X-Correlation-Id of the form req_ and UUIDv7',
  'correlation equal': 'B15 every meta.correlationId of this run equals X-Correlation-Id',
  'correlation unique': 'B15 no correlationId of this run is used twice',
  'quota header': 'A10 no answer of this run has X-Quota-*',
  'rate header': 'A11 no answer of this run to a paid plan has X-Rate-Limit-*',
  'companion header': 'B1 every 401, 405, 429 and 503 of this run has WWW-Authenticate, Allow or Retry-After',
  'time format': 'C1 no date-time of this run has a fraction, an offset or no zone',
  gzip: 'B14 every body of this run is compressed if its request has Accept-Encoding: gzip',
  vary: 'B14 every body of this run has Vary: Accept-Encoding',
}

export const checks = section('Invariants', (check) => {
  for (const [rule, title] of Object.entries(RULES)) {
    check(title, { needs: [] }, async ({ api }) => {
      const faults = api.ledger.faults.get(rule) ?? []
      const examples = faults.slice(0, 3).join(' | ')
      ensure(faults.length === 0, () => `${faults.length} of ${api.ledger.answers} answers, for example ${examples}`)
    })
  }

  const costTitle = 'A6 the whole run costs the pro account exactly the sum of the prices of its 2xx answers'
  check(costTitle, async ({ api, usageAtStart }) => {
    const spent = (await api.usage()).credits_used - usageAtStart.credits_used
    const expected = api.ledger.halves / 2
    // credits_used is rounded up (decision A8), so its values before and after the run may be half a credit too high.
    ensure(Math.abs(spent - expected) <= 0.5, `spent ${spent}, the answers add up to ${expected}`)
  })
})
