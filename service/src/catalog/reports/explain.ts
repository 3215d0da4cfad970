// Explains how a CVE was merged from its sources: lists every value with its provider, and the other providers' values
// that were not chosen.
import type { StatementContent } from '../../domain/source/stored-sources.ts'
import { listSourcedValues, type SourcedCve, type SourcedValue, type Statement } from '../resolve/value-sources.ts'

/** One value of a resolved CVE, as short texts for display on a terminal. */
export interface ExplainedValue {
  readonly name: string
  readonly value: string
  /** Names of the value's providers, as one text; empty if the field has no value. */
  readonly by: string
  /** Time of the deciding statement; empty if it is not known. */
  readonly time: string
  /** Values from other providers that were not chosen, highest precedence first, such as `7.5 (3.1) by cna:apache`. */
  readonly runnersUp: readonly string[]
}

export function explain(cve: SourcedCve): readonly ExplainedValue[] {
  return listSourcedValues(cve).map((each) => {
    const { name, value, by, time, runnersUp } = explainValue(each)
    return {
      name,
      value: stripControls(value),
      by: stripControls(by),
      time,
      runnersUp: runnersUp.map(stripControls),
    }
  })
}

export const NO_VALUE = '–'
const MAX_LENGTH = 80

function explainValue({ spec: { label: name, unit }, sources }: SourcedValue): ExplainedValue {
  const [first, ...agreeing] = sources?.from ?? []
  const describe = (statement: Statement) => describeStatement(statement, unit)
  const runnersUp = (sources?.others ?? []).map((each) => `${describe(each)} by ${each.source}`)
  if (first === undefined) return { name, value: NO_VALUE, by: '', time: '', runnersUp }
  // Sources that state parts of the value, such as weaknesses, are shown one by one.
  const texts = [first, ...agreeing].map(describe)
  const isPart = texts.some((text) => text !== texts[0])
  const value = isPart ? [first, ...agreeing].map((each, at) => `${texts[at]} by ${each.source}`).join('; ') : texts[0]
  const by = [first, ...agreeing].map(({ source }) => source).join(', ')
  return { name, value: value ?? NO_VALUE, by, time: first.time ?? '', runnersUp }
}

function describeStatement({ content, time }: Statement, unit: SourcedValue['spec']['unit']): string {
  if (content.removed_at !== undefined) return `added ${time}, removed ${content.removed_at}`
  if (content.vector !== undefined) return describeRating(content)
  if (content.cwe_list !== undefined) return content.cwe_list.join(' ')
  if (content.tags !== undefined) return content.tags.join(' ')
  if (content.count !== undefined && unit !== undefined) return describeCount(content.count, unit, content)
  return [shorten(content.value ?? time ?? NO_VALUE), ...describePlace(content)].join(', ')
}

/** Versions of several products or branches are no contradiction. */
function describePlace({ product, branch, downstream, derived }: StatementContent): readonly string[] {
  if (product === undefined) return []
  return [
    shorten(product),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(downstream ? ['downstream'] : []),
    ...(derived ? ['derived'] : []),
  ]
}

function describeRating({ score, version, vector, stated_score }: StatementContent): string {
  return `${score?.toFixed(1)} (${version}) ${vector}${stated_score === undefined ? '' : `, stated as ${stated_score}`}`
}

function describeCount(count: number, [one, many]: readonly [string, string], { derived }: StatementContent): string {
  return `${count} ${count === 1 ? one : many}${derived ? ', derived' : ''}`
}

/** Replaces control characters in upstream texts with spaces, because a terminal would interpret them. */
export function stripControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{C}+/gu, ' ')
}

/** Shortens a text to at most 80 code points. Counting code points keeps surrogate pairs intact. */
function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : characters.join('')
}
