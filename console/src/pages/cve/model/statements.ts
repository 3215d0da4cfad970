// "Who says so": for each value of the record, the sources that state it and what other sources state.
import type { SourceStatement, ValueSources } from 'vis-sdk'
import { readDay } from '../../../text/days.ts'
import { describeSource } from '../../../text/source-names.ts'

export type SourcedValueName = Exclude<keyof ValueSources, 'disagreements'>

export interface StatementLine {
  readonly source: string
  /** Display name of the source, such as "NVD" for `nvd`. */
  readonly sourceName: string
  readonly day?: string | undefined
  /** Text of the statement. Empty if the source states the same value as the record. */
  readonly content: string
}

export interface SourcedValue {
  readonly name: SourcedValueName
  readonly label: string
  /** Sources that agree with the record. The value comes from the first one. */
  readonly agreeing: readonly StatementLine[]
  readonly others: readonly StatementLine[]
  /** Number of statements that the record omits. */
  readonly omitted: number
  /** Says in words how sources disagree about the value; undefined if they do not. */
  readonly disagreement: string | undefined
}

/** Labels of the values, in page order. */
const VALUES: Readonly<Record<SourcedValueName, string>> = {
  severity: 'Score',
  severity_word: 'Severity in words',
  cvss_v3_1: 'CVSS 3.x',
  cvss_v4_0: 'CVSS 4.0',
  cvss_v2_0: 'CVSS 2.0',
  weaknesses: 'Weaknesses',
  cpe: 'CPE matches',
  products: 'Products',
  fix: 'Fix',
  conclusions: 'Conclusions',
  exploitation: 'Exploitation',
  automatable: 'Automatable',
  technical_impact: 'Technical impact',
  kev: 'KEV',
  epss: 'EPSS',
  exploits: 'Exploits',
  attack: 'Techniques',
  acsc: 'Notices',
  description: 'Description',
  status: 'Status',
  tags: 'Tags',
  published: 'Published',
  modified: 'Modified',
  references: 'References',
  source_tag: 'Records',
}

type Topic = NonNullable<ValueSources['disagreements']>[number]['about']

/** The value next to which a disagreement is shown. */
const VALUES_OF_TOPICS: Readonly<Record<Topic, SourcedValueName>> = {
  cvss_v3_1: 'cvss_v3_1',
  cvss_v4_0: 'cvss_v4_0',
  cvss_v2_0: 'cvss_v2_0',
  exploitation: 'exploitation',
  automatable: 'automatable',
  technical_impact: 'technical_impact',
  affected: 'cpe',
  rejected: 'status',
  kev_ssvc: 'exploitation',
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
  const others: readonly SourceStatement[] = value.others ?? []
  return {
    name,
    label: VALUES[name],
    agreeing: value.stated_by.map((each) => toLine(each, name)),
    others: others.map((each) => toLine(each, name)),
    omitted: value.omitted ?? 0,
    disagreement: findDisagreement(sources, name),
  }
}

function findDisagreement(sources: ValueSources | undefined, name: SourcedValueName): string | undefined {
  const found = (sources?.disagreements ?? []).filter(({ about }) => VALUES_OF_TOPICS[about] === name)
  return found.length === 0 ? undefined : found.map(({ text }) => text).join(' ')
}

function toLine(statement: SourceStatement, name: SourcedValueName): StatementLine {
  const { value } = statement
  return {
    source: statement.source,
    sourceName: describeSource(statement.source),
    day: readDay(statement.time ?? statement.date),
    content: describeContent(
      value === undefined ? statement : { ...statement, value: describeValue(name, value) },
      name,
    ),
  }
}

/** Members of a source's document that hold a fixed version, in words. */
const FIX_MEMBERS = [
  ['versionEndExcluding ', 'affected before '],
  ['lessThan ', 'affected before '],
  ['changes.at ', 'fixed from '],
  ['unaffected ', 'not affected: '],
  ['patchedSince ', 'a patch exists since '],
] as const

function describeFixMember(value: string): string {
  const [member, words] = FIX_MEMBERS.find(([each]) => value.startsWith(each)) ?? ['', '']
  return `${words}${value.slice(member.length)}`
}

/** A time is shown as its day, like all times of upstream, and a record by the name of its source. */
function describeValue(name: SourcedValueName, value: string): string {
  if (name === 'fix') return describeFixMember(value)
  if (name === 'published' || name === 'modified') return readDay(value) ?? value
  return name === 'source_tag' ? describeSource(value) : value
}

/** What is counted, for one and for more. */
const COUNTED: Readonly<Partial<Record<SourcedValueName, readonly [one: string, more: string]>>> = {
  cpe: ['CPE match', 'CPE matches'],
  products: ['product', 'products'],
  references: ['reference', 'references'],
  attack: ['technique', 'techniques'],
  exploits: ['exploit', 'exploits'],
  acsc: ['notice', 'notices'],
}

function describeCount(name: SourcedValueName, count: number): string {
  const [one, more] = COUNTED[name] ?? ['', '']
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`.trim()
}

function describeContent(statement: SourceStatement, name: SourcedValueName): string {
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
    count !== undefined && describeCount(name, count),
    derived && '(derived by this service)',
    removed_at !== undefined && `removed on ${removed_at.slice(0, 10)}`,
    truncated && '(truncated by this service)',
  ]
  return parts.filter(Boolean).join(' ')
}
