// Filters by a CVE's SSVC values, which catalog.cve stores as one packed number.
import { sql } from 'kysely'
import { list } from '../../contract/request/parameters.ts'
import { word } from '../../contract/request/value-types.ts'
import {
  AUTOMATABLES,
  type Automatable,
  EXPLOITATIONS,
  type Exploitation,
  TECHNICAL_IMPACTS,
  type TechnicalImpact,
} from '../../domain/priority/facts.ts'
import { listPackedSsvc } from '../../domain/priority/ssvc.ts'
import { testAmong } from '../column-values.ts'
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
  condition: (values) => isPacked(listExploitations(values)),
  test: (values) => testAmong('ssvc', listExploitations(values)),
})

export const ssvcAutomatable = defineFilter({
  label: 'SSVC automatable',
  parameter: list(
    word(AUTOMATABLES, { anyCase: true, labels: { no: 'no', yes: 'yes' } }),
    'Whether exploitation can be automated, in SSVC. CVEs of which no source says so match neither value.',
    { example: ['yes'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => isPacked(listAutomatables(values)),
  test: (values) => testAmong('ssvc', listAutomatables(values)),
})

export const ssvcImpact = defineFilter({
  label: 'SSVC technical impact',
  parameter: list(
    word(TECHNICAL_IMPACTS, { anyCase: true, labels: { partial: 'partial', total: 'total control' } }),
    'Technical impact in SSVC is any of these. CVEs of which no source says so match neither value.',
    { example: ['total'] },
  ),
  lists: ['search', 'recent'],
  condition: (values) => isPacked(listTechnicalImpacts(values)),
  test: (values) => testAmong('ssvc', listTechnicalImpacts(values)),
})

const listExploitations = (values: readonly Exploitation[]) =>
  listPackedSsvc(({ exploitation }) => values.includes(exploitation))

const listAutomatables = (values: readonly Automatable[]) =>
  listPackedSsvc(({ automatable }) => automatable !== null && values.includes(automatable))

const listTechnicalImpacts = (values: readonly TechnicalImpact[]) =>
  listPackedSsvc(({ technicalImpact }) => technicalImpact !== null && values.includes(technicalImpact))

const isPacked = (numbers: readonly number[]): Condition => sql`cve.ssvc = any(${numbers}::smallint[])`
