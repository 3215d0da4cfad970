// Checks the names of members in openapi.json (decision E27): a name has one type in all answers, is in snake_case, and
// a CVE's id is `cve_id`; a list that `after` continues has `pagination`, and an answer with `next_since` takes `since`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeType, isSameType, type MemberType } from './members/member-type.ts'
import { type Document, listMembers, type Member, readOperations } from './members/read-members.ts'

/** Names that the specification gives, or CVSS, whose own JSON members its CVSS objects have. */
const CAMEL_CASE: ReadonlySet<string> = new Set(
  [
    // The envelope, pages and statistics.
    'correlationId hasMore nextCursor totalEstimate totalCves cvesLast24Hours cvesLast7Days cvesLast30Days totalKev',
    'totalWithEpss totalWithAcsc averageEpssScore lastUpdated',
    // KEV entries, notices and CPE matches.
    'cveId vendorProject vulnerabilityName dateAdded shortDescription requiredAction dueDate knownRansomware',
    'publishedDate affectedProducts matchCriteriaId cpe23Uri',
    'versionStartIncluding versionStartExcluding versionEndIncluding versionEndExcluding',
    // CVSS 2.0, 3.1 and 4.0.
    'vectorString baseScore baseSeverity exploitabilityScore impactScore attackVector attackComplexity',
    'attackRequirements privilegesRequired userInteraction confidentialityImpact integrityImpact availabilityImpact',
    'accessVector accessComplexity vulnConfidentialityImpact vulnIntegrityImpact vulnAvailabilityImpact',
    'subConfidentialityImpact subIntegrityImpact subAvailabilityImpact',
  ].flatMap((names) => names.split(' ')),
)

/** Forms that the specification gives to a name that has another form elsewhere. */
const SPECIFIED_FORMS: Readonly<Record<string, string>> = {
  'CveDetail.references': 'In /detail, the specification groups references by purpose.',
  'CveDetail.references.exploits': 'In /detail, the specification calls a group of references exploits.',
  'CveDetail.metrics.severity': 'In /detail, the severity is a word; elsewhere it is a base score.',
  'CveDetail.metrics.exploitability.evidence': 'In /detail, the evidence is a list of texts.',
  'CveBatch.cves': 'In a batch, the CVEs are an object by id.',
  'AcscNotice.priority': "A notice has the agency's own priority, a word such as Critical.",
  'ListedAcscNotice.priority': "A notice has the agency's own priority, a word such as Critical.",
}

/** Objects whose keys are values, such as the names of filters or members: no member is named there. */
const KEYED_BY_VALUES: Readonly<Record<string, string>> = {
  Sources: 'The keys are the members of the record.',
  ChangeDiff: 'The keys are the paths of members that differ.',
  'KevChange.diff': 'The keys are the members that differ.',
  'CveFacets.facets': 'The keys are the parameter by.',
  EvidenceCounts: 'The keys are kinds of evidence.',
  CoverageCounts: 'The keys are gaps of coverage.',
  VerdictCounts: 'The keys are verdicts.',
  'ChangeSummary.by_type': 'The keys are types of changes.',
  'ChangeSummary.by_cause': 'The keys are causes of changes.',
  'PriorityPolicy.policy.facts': 'The keys are the facts that rules name.',
  'Ssvc.value_sources': 'The keys are the values of which the source is named.',
  'DeadlineEstimate.value_sources': 'The keys are the values of which the source is named.',
  'ImportedTriage.by_state': 'The keys are states.',
  TriageStateCounts: 'The keys are states.',
  'GET /health.datasets': 'The keys are data sets.',
  'Health.datasets': 'The keys are data sets.',
}

/** Members whose form is that of the value which they hold. */
const FORM_OF_VALUE: Readonly<Record<string, string>> = {
  data: 'The envelope of every answer.',
  diff: 'The keys are the members that differ.',
  old: 'The former value of any member.',
  new: 'The present value of any member.',
  value: 'In errors, the value as it was sent.',
  stated_by: 'A statement has the members that its value needs, such as vector or tags.',
  others: 'A statement has the members that its value needs, such as vector or tags.',
}

export interface MembersReport {
  readonly members: number
  readonly problems: readonly string[]
}

export function checkMembers(document: Document): MembersReport {
  const members = listMembers(document, (place) => place in KEYED_BY_VALUES)
  const names = Map.groupBy(members, ({ name }) => name)
  return {
    members: names.size,
    problems: [
      ...[...names].flatMap(([name, found]) => [...checkCase(name, found), ...checkType(name, found)]),
      ...members.flatMap(checkCveId),
      ...readOperations(document).flatMap(({ name, parameters, data }) => [
        ...(parameters.includes('after') && !data.includes('pagination')
          ? [`${name} has the parameter after, and no pagination in its answer.`]
          : []),
        ...(data.includes('next_since') && !parameters.includes('since')
          ? [`${name} has next_since in its answer, and no parameter since.`]
          : []),
      ]),
    ],
  }
}

function checkCase(name: string, [first]: readonly Member[]): readonly string[] {
  // Paths such as kev.dateAdded are values, see KEYED_BY_VALUES.
  return !/[A-Z]/.test(name) || CAMEL_CASE.has(name) || LEVEL.test(name)
    ? []
    : [`${name} (${first?.place}) is not in snake_case.`]
}

/** Levels of priority are keys of counts. */
const LEVEL = /^P[0-4]$/

function checkType(name: string, members: readonly Member[]): readonly string[] {
  if (name in FORM_OF_VALUE) return []
  const compared = members.filter(({ place }) => !(place in SPECIFIED_FORMS))
  const [first] = compared
  const other = compared.find(({ type }) => first !== undefined && !isSameType(first.type, type))
  if (first === undefined || other === undefined) return []
  const describe = ({ place, type }: { readonly place: string; readonly type: MemberType }) =>
    `${describeType(type)} in ${place}`
  return [`${name} is ${describe(first)}, but ${describe(other)}.`]
}

function checkCveId({ name, place, type }: Member): readonly string[] {
  return type.kind === 'cve_id' && name !== 'cve_id' && name !== 'cveId'
    ? [`${name} (${place}) is the id of a CVE, and is not called cve_id.`]
    : []
}

if (import.meta.main) {
  const text = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')
  const { members, problems } = checkMembers(JSON.parse(text))
  for (const problem of problems) console.error(problem)
  console.log(`members: ${members} names, ${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
