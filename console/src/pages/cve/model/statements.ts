// "Who says so": for each value of the record, the sources that state it and what other sources state.
import type { SourceStatement, ValueSources } from 'vis-sdk'
import { readDay } from '../../../text/days.ts'
import { describeSource } from '../../../text/source-names.ts'

export type SourcedValueName = keyof ValueSources

export interface StatementLine {
  readonly source: string
  /** Display name of the source, such as "NVD" for `nvd`. */
  readonly sourceName: string
  readonly day?: string | undefined
  /** Text of the statement. Empty if the source states the same value as the record. */
  readonly content: string
  /** The statement in a few characters, such as the score without its vector. */
  readonly short: string
}

export interface SourcedValue {
  readonly name: SourcedValueName
  readonly label: string
  /** Sources that agree with the record. The value comes from the first one. */
  readonly agreeing: readonly StatementLine[]
  readonly others: readonly StatementLine[]
  /** Number of statements that the record omits. */
  readonly omitted: number
  /** Whether another source states a different value. Differing counts are not a disagreement. */
  readonly hasDisagreement: boolean
}

interface ValueSpec {
  readonly label: string
  /** Whether the sources state a single value that they can disagree about. */
  readonly isComparable: boolean
}

const compared = (label: string): ValueSpec => ({ label, isComparable: true })
const collected = (label: string): ValueSpec => ({ label, isComparable: false })

/** Values in page order. */
const VALUES: Readonly<Record<SourcedValueName, ValueSpec>> = {
  severity: compared('Score'),
  cvss_v3_1: compared('CVSS 3.x'),
  cvss_v4_0: compared('CVSS 4.0'),
  cvss_v2_0: compared('CVSS 2.0'),
  weaknesses: compared('Weaknesses'),
  cpe: collected('CPE matches'),
  products: collected('Products'),
  fix: collected('Fix'),
  exploitation: compared('Exploitation'),
  automatable: compared('Automatable'),
  technical_impact: compared('Technical impact'),
  kev: collected('KEV'),
  epss: collected('EPSS'),
  exploits: collected('Exploits'),
  attack: collected('Techniques'),
  acsc: collected('Notices'),
  description: collected('Description'),
  status: collected('Status'),
  tags: collected('Tags'),
  published: collected('Published'),
  modified: collected('Modified'),
  references: collected('References'),
  source_tag: collected('Records'),
}

/** Lists the values that at least one source states, in page order. */
export function listSourcedValues(sources: ValueSources | undefined): readonly SourcedValue[] {
  const names = Object.keys(VALUES) as SourcedValueName[]
  return names.flatMap((name) => findSourcedValue(sources, name) ?? [])
}

/** Returns undefined if no source states the value. */
export function findSourcedValue(sources: ValueSources | undefined, name: SourcedValueName): SourcedValue | undefined {
  const value = sources?.[name]
  if (value === undefined) return undefined
  const { label, isComparable } = VALUES[name]
  const others: readonly SourceStatement[] = value.others ?? []
  return {
    name,
    label,
    agreeing: value.from.map(toLine),
    others: others.map(toLine),
    omitted: value.omitted ?? 0,
    hasDisagreement: isComparable && value.from.length > 0 && others.length > 0,
  }
}

function toLine(statement: SourceStatement): StatementLine {
  return {
    source: statement.source,
    sourceName: describeSource(statement.source),
    day: readDay(statement.time ?? statement.date),
    content: describeContent(statement),
    short: describeShort(statement),
  }
}

const MAX_SHORT_LENGTH = 28

function describeShort({ value, score, cwe_list, tags, count }: SourceStatement): string {
  const text =
    score?.toFixed(1) ?? cwe_list?.join(', ') ?? tags?.join(', ') ?? count?.toLocaleString('en') ?? value ?? ''
  return text.length > MAX_SHORT_LENGTH ? `${text.slice(0, MAX_SHORT_LENGTH)}…` : text
}

function describeContent(statement: SourceStatement): string {
  const {
    value,
    product,
    branch,
    version,
    score,
    vector,
    stated_score,
    cwe_list = [],
    tags = [],
    count,
    derived,
    removed_at,
    truncated,
  } = statement
  const parts = [
    value,
    product && `(${[product, branch && `branch ${branch}`].filter(Boolean).join(', ')})`,
    version && `CVSS ${version}`,
    score?.toFixed(1),
    vector,
    stated_score !== undefined && `states ${stated_score.toFixed(1)}, which does not follow from its vector`,
    cwe_list.join(', '),
    tags.join(', '),
    count?.toLocaleString('en'),
    derived && '(derived by this service)',
    removed_at !== undefined && `removed on ${removed_at.slice(0, 10)}`,
    truncated && '(truncated by this service)',
  ]
  return parts.filter(Boolean).join(' ')
}
