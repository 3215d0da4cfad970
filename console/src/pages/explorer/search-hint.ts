// Words of a search that name a filter: "FortiOS exploited 2024" searches for texts that contain all three, which is rarely
// what a person means.
import type { FilterName } from '../../text/search/filters.ts'
import { type ExplorerState, withFilter } from './state.ts'

interface SearchHint {
  /** The words that are left. */
  readonly words: string
  /** What the filters say, such as `exploited` and `published 2024`. */
  readonly filters: readonly string[]
  /** The state with the filters in place of the words. */
  readonly state: ExplorerState
}

interface NamedFilter {
  readonly text: string
  readonly set: Readonly<Partial<Record<FilterName, string>>>
}

const NAMED: Readonly<Record<string, NamedFilter>> = {
  exploited: { text: 'exploited', set: { exploit_maturity: 'active,ransomware' } },
  ransomware: { text: 'exploited by ransomware', set: { exploit_maturity: 'ransomware' } },
  kev: { text: 'in CISA KEV', set: { kev: 'true' } },
  critical: { text: 'severity critical', set: { severity: 'critical' } },
}
const LEVEL = /^p[0-4]$/
const YEAR = /^(?:199\d|20\d\d)$/

/** Returns undefined if no word names a filter, or if no other word is left. */
export function findSearchHint(state: ExplorerState, thisYear: number): SearchHint | undefined {
  const words = (state.filters.q ?? '').split(/\s+/).filter((word) => word !== '')
  const named = words.map((word) => readFilter(word.toLowerCase(), thisYear))
  const found = named.filter((each) => each !== undefined)
  const left = words.filter((_, index) => named[index] === undefined).join(' ')
  const years = found.filter(({ set }) => set.published_after !== undefined).length
  // Two years are more likely versions, as in "Office 2016 2019".
  if (found.length === 0 || left === '' || years > 1) return undefined
  const has = (text: string) => found.some((each) => each.text === text)
  const used = found.filter(({ text }) => text !== 'exploited' || !has('exploited by ransomware'))
  const set: Readonly<Record<string, string>> = Object.assign({}, ...used.map((each) => each.set))
  const filtered = Object.entries(set).reduce(
    // The cast is safe: the names are those of NamedFilter.
    (before, [name, value]) => withFilter(before, name as FilterName, value),
    state,
  )
  return { words: left, filters: [...new Set(used.map(({ text }) => text))], state: withFilter(filtered, 'q', left) }
}

function readFilter(word: string, thisYear: number): NamedFilter | undefined {
  if (LEVEL.test(word)) return { text: `level ${word.toUpperCase()}`, set: { priority: word.toUpperCase() } }
  if (YEAR.test(word) && Number(word) <= thisYear)
    return { text: `published ${word}`, set: { published_after: `${word}-01-01`, published_before: `${word}-12-31` } }
  return Object.hasOwn(NAMED, word) ? NAMED[word] : undefined
}
