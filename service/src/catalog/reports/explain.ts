// Explains how a CVE was merged from its sources: lists every value with its provider, and the values of other
// providers that were not chosen.
import { formatInstant } from '../../domain/instant.ts'
import type { Exploitation, Rating } from '../model/claim.ts'
import type { Attributed, Chosen, Resolved } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'

/** One value of a resolved CVE, as short texts for display on a terminal. */
export interface ExplainedValue {
  readonly name: string
  readonly value: string
  /** Names of the providers of the value, as one text. The text is empty if the field has no value. */
  readonly by: string
  /** Values from other providers that were not chosen, highest precedence first, such as `7.5 (3.1) by cna:apache`. */
  readonly runnersUp: readonly string[]
}

export function explain(sourceData: SourceData, resolved: Resolved): readonly ExplainedValue[] {
  return listValues(sourceData, resolved).map(({ name, value, by, runnersUp }) => ({
    name,
    value: stripControls(value),
    by: stripControls(by),
    runnersUp: runnersUp.map(stripControls),
  }))
}

function listValues(sourceData: SourceData, resolved: Resolved): readonly ExplainedValue[] {
  return [
    { name: 'leads', value: resolved.sourceTag, by: resolved.sources.join(', '), runnersUp: [] },
    explainChoice('status', resolved.status, (status) => status),
    explainChoice('published', resolved.published, formatInstant),
    explainChoice('modified', resolved.modified, formatInstant),
    explainChoice('description', resolved.description, shorten),
    explainChoice('score', resolved.score, formatRating),
    explainChoice('cvss 3.x', resolved.v3, formatRating),
    explainChoice('cvss 4.0', resolved.v4, formatRating),
    explainChoice('cvss 2.0', resolved.v2, formatRating),
    ...explainWeaknesses(resolved),
    explainCpe(resolved),
    explainAffected(resolved),
    explainReferences(resolved),
    explainChoice('exploitation', resolved.exploitation, formatExploitation),
    explainChoice('fix', resolved.fix, shorten),
    explainKev(sourceData),
    explainEpss(sourceData),
    explainNotices(sourceData),
    explainExploits(sourceData),
  ]
}

const NO_VALUE = '–'
const MAX_LENGTH = 80

function explainMissing(name: string): ExplainedValue {
  return { name, value: NO_VALUE, by: '', runnersUp: [] }
}

function explainChoice<T>(name: string, choice: Chosen<T> | null, format: (value: T) => string): ExplainedValue {
  if (choice === null) return explainMissing(name)
  const runnerUp = ({ value, by }: Attributed<T>) => `${format(value)} by ${by}`
  return { name, value: format(choice.value), by: choice.by, runnersUp: choice.runnersUp.map(runnerUp) }
}

/** Replaces control characters in upstream texts with spaces, because a terminal would interpret them. */
function stripControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{C}+/gu, ' ')
}

/** Shortens a text to at most 80 code points. Counting code points keeps surrogate pairs together. */
function shorten(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : characters.join('')
}

function formatRating({ score, version, vector, statedScore }: Rating): string {
  const isOther = statedScore !== null && statedScore !== score
  return `${score.toFixed(1)} (${version}) ${vector}${isOther ? `, stated as ${statedScore}` : ''}`
}

function formatExploitation({ level, date }: Exploitation): string {
  return date === null ? level : `${level}, ${date}`
}

/** Returns one line per weakness, because each weakness has its own list of providers. */
function explainWeaknesses(resolved: Resolved): readonly ExplainedValue[] {
  if (resolved.weaknesses.length === 0) return [explainMissing('weakness')]
  return resolved.weaknesses.map(({ id, by }) => ({ name: 'weakness', value: id, by: by.join(', '), runnersUp: [] }))
}

function explainCpe({ cpe: { matches, by, isDerived, runnersUp } }: Resolved): ExplainedValue {
  if (by === null) return explainMissing('cpe')
  const value = `${formatCount(matches.length, 'match', 'matches')}${isDerived ? ', derived from product names' : ''}`
  return { name: 'cpe', value, by, runnersUp: runnersUp.map((each) => `${each.value} by ${each.by}`) }
}

function explainAffected({ affected: all }: Resolved): ExplainedValue {
  return all.length === 0 ? explainMissing('affected') : explainCount('affected', all, ['product', 'products'])
}

function explainReferences({ references: all }: Resolved): ExplainedValue {
  return all.length === 0 ? explainMissing('references') : explainCount('references', all, ['link', 'links'])
}

function explainCount(
  name: string,
  all: readonly { readonly by: string }[],
  [one, many]: [string, string],
): ExplainedValue {
  const providers = [...new Set(all.map(({ by }) => by))]
  return { name, value: formatCount(all.length, one, many), by: providers.join(', '), runnersUp: [] }
}

function formatCount(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

function explainKev({ kev: entry }: SourceData): ExplainedValue {
  if (entry === null) return explainMissing('kev')
  const removed = entry.removedAt === null ? '' : `, removed ${formatInstant(entry.removedAt)}`
  return { name: 'kev', value: `added ${entry.dateAdded}${removed}`, by: 'cisa', runnersUp: [] }
}

function explainEpss({ epssScore }: SourceData): ExplainedValue {
  return epssScore === null
    ? explainMissing('epss')
    : { name: 'epss', value: String(epssScore), by: 'first', runnersUp: [] }
}

function explainNotices({ notices: all }: SourceData): ExplainedValue {
  if (all.length === 0) return explainMissing('notices')
  const ids = all.map(({ id }) => id).toSorted()
  return { name: 'notices', value: shorten(ids.join(', ')), by: 'acsc', runnersUp: [] }
}

function explainExploits({ exploits }: SourceData): ExplainedValue {
  if (exploits.length === 0) return explainMissing('exploits')
  const byFeed = Map.groupBy(exploits, ({ feed }) => feed)
  const value = [...byFeed].map(([feed, items]) => `${items.length} ${feed}`).toSorted()
  return { name: 'exploits', value: value.join(', '), by: [...byFeed.keys()].toSorted().join(', '), runnersUp: [] }
}
