// Filters by a CVE's SSVC values, which catalog.cve stores as one packed number.
import { sql } from 'kysely'
import { list } from '../../contract/request/parameters.ts'
import { word } from '../../contract/request/value-types.ts'
import { AUTOMATABLES, EXPLOITATIONS, TECHNICAL_IMPACTS } from '../../domain/priority/facts.ts'
import { listPackedSsvc } from '../../domain/priority/ssvc.ts'
import { type Condition, defineFilter } from '../filter.ts'

export const ssvcExploitation = defineFilter({
  label: 'SSVC exploitation',
  parameter: list(
    word(EXPLOITATIONS, {
      anyCase: true,
      labels: { none: 'none known', poc: 'proof of concept', active: 'active' },
    }),
    'State of exploitation in SSVC is any of these, as in include=priority. Rejected CVEs have none.',
    { example: ['poc', 'active'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ exploitation }) => values.includes(exploitation)),
})

export const ssvcAutomatable = defineFilter({
  label: 'SSVC automatable',
  parameter: list(
    word(AUTOMATABLES, { anyCase: true, labels: { no: 'no', yes: 'yes' } }),
    'Whether exploitation can be automated, in SSVC. CVEs of which no source says so match neither value.',
    { example: ['yes'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ automatable }) => automatable !== null && values.includes(automatable)),
})

export const ssvcImpact = defineFilter({
  label: 'SSVC technical impact',
  parameter: list(
    word(TECHNICAL_IMPACTS, { anyCase: true, labels: { partial: 'partial', total: 'total control' } }),
    'Technical impact in SSVC is any of these. CVEs of which no source says so match neither value.',
    { example: ['total'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ technicalImpact }) => technicalImpact !== null && values.includes(technicalImpact)),
})

function hasSsvc(matches: Parameters<typeof listPackedSsvc>[0]): Condition {
  return sql`cve.ssvc = any(${listPackedSsvc(matches)}::smallint[])`
}
