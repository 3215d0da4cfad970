// Why a record is as it is: every value, who said it, and what would have been there otherwise.
import { formatInstant } from '../../domain/instant.ts'
import type { Rating, Exploitation } from '../model/claim.ts'
import type { Chosen, Resolved, Said } from '../model/resolved.ts'
import type { Facts } from '../model/source-data.ts'

/** All of it short text, for people. */
export interface ExplainedValue {
  readonly name: string
  readonly value: string
  /** Empty where nobody says anything. */
  readonly by: string
  /** As `7.5 (3.1) by cna:apache`, the next one first. */
  readonly runnersUp: readonly string[]
}

export function explain(facts: Facts, resolved: Resolved): readonly ExplainedValue[] {
  return everyValue(facts, resolved).map(({ name, value, by, runnersUp }) => ({
    name,
    value: withoutControls(value),
    by: withoutControls(by),
    runnersUp: runnersUp.map(withoutControls),
  }))
}

function everyValue(facts: Facts, resolved: Resolved): readonly ExplainedValue[] {
  return [
    { name: 'leads', value: resolved.sourceTag, by: resolved.sources.join(', '), runnersUp: [] },
    chosen('status', resolved.status, (status) => status),
    chosen('published', resolved.published, formatInstant),
    chosen('modified', resolved.modified, formatInstant),
    chosen('description', resolved.description, inShort),
    chosen('score', resolved.score, ratingInWords),
    chosen('cvss 3.x', resolved.v3, ratingInWords),
    chosen('cvss 4.0', resolved.v4, ratingInWords),
    chosen('cvss 2.0', resolved.v2, ratingInWords),
    ...weaknesses(resolved),
    cpe(resolved),
    affected(resolved),
    references(resolved),
    chosen('exploitation', resolved.exploitation, exploitationInWords),
    chosen('fix', resolved.fix, inShort),
    kev(facts),
    epss(facts),
    notices(facts),
    evidence(facts),
  ]
}

const NOTHING = '–'
const MAX_LENGTH = 80

function nothing(name: string): ExplainedValue {
  return { name, value: NOTHING, by: '', runnersUp: [] }
}

function chosen<T>(name: string, choice: Chosen<T> | null, inWords: (value: T) => string): ExplainedValue {
  if (choice === null) return nothing(name)
  const runnerUp = ({ value, by }: Said<T>) => `${inWords(value)} by ${by}`
  return { name, value: inWords(choice.value), by: choice.by, runnersUp: choice.runnersUp.map(runnerUp) }
}

/** It is shown on a terminal, and these are words of others. */
function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{C}+/gu, ' ')
}

/** Counted in characters as people see them, so that none is cut in two. */
function inShort(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : characters.join('')
}

function ratingInWords({ score, version, vector, statedScore }: Rating): string {
  const isOther = statedScore !== null && statedScore !== score
  return `${score.toFixed(1)} (${version}) ${vector}${isOther ? `, said to be ${statedScore}` : ''}`
}

function exploitationInWords({ level, date }: Exploitation): string {
  return date === null ? level : `${level}, ${date}`
}

/** One line for each: they are a union, so every one of them has its own speakers. */
function weaknesses(resolved: Resolved): readonly ExplainedValue[] {
  if (resolved.weaknesses.length === 0) return [nothing('weakness')]
  return resolved.weaknesses.map(({ id, by }) => ({ name: 'weakness', value: id, by: by.join(', '), runnersUp: [] }))
}

function cpe({ cpe: { matches, by, isDerived, runnersUp } }: Resolved): ExplainedValue {
  if (by === null) return nothing('cpe')
  const value = `${count(matches.length, 'match', 'matches')}${isDerived ? ', derived from other words' : ''}`
  return { name: 'cpe', value, by, runnersUp: runnersUp.map((each) => `${each.value} by ${each.by}`) }
}

function affected({ affected: all }: Resolved): ExplainedValue {
  return all.length === 0 ? nothing('affected') : counted('affected', all, ['product', 'products'])
}

function references({ references: all }: Resolved): ExplainedValue {
  return all.length === 0 ? nothing('references') : counted('references', all, ['link', 'links'])
}

function counted(name: string, all: readonly { readonly by: string }[], [one, many]: [string, string]): ExplainedValue {
  const speakers = [...new Set(all.map(({ by }) => by))]
  return { name, value: count(all.length, one, many), by: speakers.join(', '), runnersUp: [] }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

function kev({ kev: entry }: Facts): ExplainedValue {
  if (entry === null) return nothing('kev')
  const removed = entry.removedAt === null ? '' : `, removed ${formatInstant(entry.removedAt)}`
  return { name: 'kev', value: `added ${entry.dateAdded}${removed}`, by: 'cisa', runnersUp: [] }
}

function epss({ epssScore }: Facts): ExplainedValue {
  return epssScore === null ? nothing('epss') : { name: 'epss', value: String(epssScore), by: 'first', runnersUp: [] }
}

function notices({ notices: all }: Facts): ExplainedValue {
  if (all.length === 0) return nothing('notices')
  const ids = all.map(({ id }) => id).toSorted()
  return { name: 'notices', value: inShort(ids.join(', ')), by: 'acsc', runnersUp: [] }
}

function evidence({ exploits }: Facts): ExplainedValue {
  if (exploits.length === 0) return nothing('exploits')
  const byFeed = Map.groupBy(exploits, ({ feed }) => feed)
  const value = [...byFeed].map(([feed, items]) => `${items.length} ${feed}`).toSorted()
  return { name: 'exploits', value: value.join(', '), by: [...byFeed.keys()].toSorted().join(', '), runnersUp: [] }
}
