// Filters by the SSVC values of a CVE, which catalog.cve has as one packed number.
import { sql } from 'kysely'
import { list } from '../../contract/parameters.ts'
import { word } from '../../contract/value-types.ts'
import { AUTOMATABLES, EXPLOITATIONS, TECHNICAL_IMPACTS } from '../../domain/priority/facts.ts'
import { listPackedSsvc } from '../../domain/priority/ssvc.ts'
import { type Condition, defineFilter } from '../filter.ts'

export const ssvcExploitation = defineFilter({
  parameter: list(
    word(EXPLOITATIONS, { anyCase: true }),
    'State of exploitation in SSVC is any of these, as in include=priority. Rejected CVEs have none.',
    { example: ['poc', 'active'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ exploitation }) => values.includes(exploitation)),
})

export const ssvcAutomatable = defineFilter({
  parameter: list(
    word(AUTOMATABLES, { anyCase: true }),
    'Whether exploitation can be automated, in SSVC. CVEs of which no source says so match neither value.',
    { example: ['yes'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ automatable }) => automatable !== null && values.includes(automatable)),
})

export const ssvcImpact = defineFilter({
  parameter: list(
    word(TECHNICAL_IMPACTS, { anyCase: true }),
    'Technical impact in SSVC is any of these. CVEs of which no source says so match neither value.',
    { example: ['total'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => hasSsvc(({ technicalImpact }) => technicalImpact !== null && values.includes(technicalImpact)),
})

function hasSsvc(matches: Parameters<typeof listPackedSsvc>[0]): Condition {
  return sql`cve.ssvc = any(${listPackedSsvc(matches)}::smallint[])`
}
