// Filters by CVSS base score and EPSS score. A minimum or maximum excludes CVEs that have no value, because an SQL
// comparison with null is not true (decision C7).
import { sql } from 'kysely'
import { list, optional } from '../../contract/request/parameters.ts'
import { decimal, flag, withExample, word } from '../../contract/request/value-types.ts'
import { testAmong, testColumn, testNumber } from '../column-values.ts'
import { defineFilter } from '../filter.ts'
import { isAroundBands, isInBands, levelType, selectBands } from './values/severity.ts'

const score = (example: number) => withExample(decimal({ minimum: 0, maximum: 10 }), example)
const probability = (example: number) => withExample(decimal({ minimum: 0, maximum: 1 }), example)

const notAbove = (filter: string) => ({
  filter,
  message: `must not exceed ${filter}`,
  isExceeded: (min: number, max: number) => min > max,
})

export const severity = defineFilter({
  label: 'severity',
  parameter: list(
    levelType(),
    'Severity is any of these levels: critical 9.0-10.0, high 7.0-8.9, medium 4.0-6.9, low 0.1-3.9.',
    { example: ['critical', 'high'] },
  ),
  lists: ['search', 'recent', 'changes'],
  condition: isInBands,
  test: (levels) => {
    const bands = selectBands(levels)
    return testColumn('score', (score) => score !== null && bands.some(({ min, max }) => score >= min && score <= max))
  },
  boundedColumn: 'severity',
  bound: isAroundBands,
})

export const severityMin = defineFilter({
  label: 'severity from',
  parameter: optional(score(7), 'Minimum base score. Legacy: prefer severity.'),
  lists: ['search'],
  condition: (min) => sql`cve.score >= ${min}`,
  test: (min) => testNumber('score', (score) => score >= min),
  boundedColumn: 'severity',
  upperEnd: notAbove('severity_max'),
})

export const severityMax = defineFilter({
  label: 'severity up to',
  parameter: optional(score(8.9), 'Maximum base score. Legacy: prefer severity.'),
  lists: ['search'],
  condition: (max) => sql`cve.score <= ${max}`,
  test: (max) => testNumber('score', (score) => score <= max),
  boundedColumn: 'severity',
})

export const cvssMin = defineFilter({
  label: 'CVSS at least',
  parameter: optional(score(9), 'Minimum base score.'),
  lists: ['search'],
  condition: (min) => sql`cve.score >= ${min}`,
  test: (min) => testNumber('score', (score) => score >= min),
  boundedColumn: 'severity',
})

export const epssMin = defineFilter({
  label: 'EPSS at least',
  parameter: optional(probability(0.5), 'Minimum EPSS score.'),
  lists: ['search'],
  reads: 'epss',
  condition: (min) => sql`epss.score >= ${min}`,
  test: (min) => testNumber('epss', (score) => score >= min),
  boundedColumn: 'epss',
  upperEnd: notAbove('epss_max'),
})

export const epssMax = defineFilter({
  label: 'EPSS at most',
  parameter: optional(probability(0.9), 'Maximum EPSS score.'),
  lists: ['search'],
  reads: 'epss',
  condition: (max) => sql`epss.score <= ${max}`,
  test: (max) => testNumber('epss', (score) => score <= max),
  boundedColumn: 'epss',
})

export const epssPercentileMin = defineFilter({
  label: 'EPSS percentile at least',
  parameter: optional(
    probability(0.95),
    'Minimum EPSS percentile: the share of scored CVEs with the same or a lower score.',
  ),
  lists: ['search', 'recent'],
  reads: 'epss',
  condition: (min) => sql`epss.percentile >= ${min}`,
  test: (min) => testNumber('percentile', (percentile) => percentile >= min),
  boundedColumn: 'epss',
})

export const hasEpss = defineFilter({
  label: 'EPSS score',
  parameter: optional(
    flag({ true: 'with an EPSS score', false: 'without an EPSS score' }),
    'Whether the CVE has an EPSS score.',
  ),
  lists: ['search', 'recent'],
  reads: 'epss',
  condition: (isRequired) => (isRequired ? sql`epss.score is not null` : sql`epss.score is null`),
  test: (isRequired) => testColumn('epss', (score) => (score !== null) === isRequired),
  boundedColumn: 'epss',
})

export const hasCvss = defineFilter({
  label: 'CVSS score',
  parameter: optional(
    flag({ true: 'with a CVSS score', false: 'without a CVSS score' }),
    'Whether the CVE has a CVSS base score.',
  ),
  lists: ['search', 'recent'],
  condition: (isRequired) => (isRequired ? sql`cve.score is not null` : sql`cve.score is null`),
  test: (isRequired) => testColumn('score', (score) => (score !== null) === isRequired),
})

export const scoreVersion = defineFilter({
  label: 'score by',
  parameter: list(
    word(['2', '3', '4'], { labels: { 2: 'CVSS 2', 3: 'CVSS 3', 4: 'CVSS 4' } }),
    'CVSS version of the base score is any of these: the score that filters and sort orders use. 3 means 3.0 and 3.1.',
    { example: ['4'] },
  ),
  lists: ['search', 'recent'],
  condition: (versions) => sql`cve.score_version = any(${versions.map(Number)}::smallint[])`,
  test: (versions) => testAmong('score_version', versions.map(Number)),
})
