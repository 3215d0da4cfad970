// Finds a statement in prose that names a fixed version, such as `before 2.4.1` or `fixed in version 2.4.1`. For more
// than 17,000 of 264,000 CVEs, sources name the fixed version in prose only. Among 36,951 texts of CVEs whose fixed
// versions are also structured data, 95 % of the versions agree; the others are mostly versions of another branch.
//
// Only forms that leave no doubt are accepted. The text is read word by word, so that the time is linear in its length.

/** Words of which every statement contains one. Texts without these words are not split. */
const HINT = /\b(?:before|prior|fixed|patched|resolved|addressed|corrected|remediated|upgrad|updat)/i
/** A version needs a dot between digits, because a number without a dot can be a year, a count or a port. */
const VERSION = /^v?\d{1,8}\.\d[\w.~-]{0,61}$/i
const WILDCARD = /[.]x$/i
const PUNCTUATION_AT_START = /^[(['"]/
const PUNCTUATION_AT_END = /[+).,;:'"\]]{1,4}$/
const END_OF_SENTENCE = /[.;!?]$/
const MAX_WORD_LENGTH = 80

/** Words that may stand between `before` and the version. */
const VERSION_WORDS: ReadonlySet<string> = new Set(['version', 'versions', 'release', 'the', 'v'])
const MAX_VERSION_WORDS = 2
/** Maximum number of words between `fixed in` or `upgrade to` and the version: the name of the product. */
const MAX_PRODUCT_WORDS = 6
/** Maximum distance of a word that negates a fix (`partially patched in 2.4.1`). */
const NEGATION_DISTANCE = 4
/** Maximum distance of a word that makes an upgrade a recommendation (`upgrading to 2.4.1 resolves this issue`). */
const RECOMMENDATION_DISTANCE = 10

const FIXED: ReadonlySet<string> = new Set(['fixed', 'patched', 'resolved', 'addressed', 'corrected', 'remediated'])
const UPGRADE: ReadonlySet<string> = new Set(['upgrade', 'upgrading', 'upgraded', 'update', 'updating'])
const NEGATION =
  /^(?:not|never|cannot|partially|partly|partial|incompletely|incomplete|incorrectly|improperly|insufficiently)$|n['’]t$/
const RECOMMENDATION =
  /^(?:recommend|advise|should$|please$|must$|urge|encourage|fix|address|resolve|mitigate|remediate|eliminate|receive$)/
const INCLUSION = /^\(?inclu/

/** Longest text that is read, in UTF-16 code units. */
const MAX_LENGTH = 20_000

export interface FixStatement {
  readonly phrase: 'before' | 'fixed in' | 'upgrade to'
  readonly version: string
}

/** Returns null if the text names no fixed version. */
export function findFixStatement(text: string): FixStatement | null {
  if (!HINT.test(text)) return null
  const words = text.slice(0, MAX_LENGTH).split(/\s+/)
  for (const at of words.keys()) {
    const statement = readStatement(words, at)
    if (statement !== undefined) return statement
  }
  return null
}

function readStatement(words: readonly string[], at: number): FixStatement | undefined {
  const [word, next] = [toWord(words[at]), toWord(words[at + 1])]
  if (word === 'before') return readBefore(words, at + 1)
  if (word === 'prior' && next === 'to') return readBefore(words, at + 2)
  if (FIXED.has(word) && next === 'in' && !hasWord(words, at - NEGATION_DISTANCE, at, NEGATION))
    return describe('fixed in', findVersion(words, at + 2, MAX_PRODUCT_WORDS))
  if (UPGRADE.has(word) && next === 'to' && isRecommended(words, at))
    return describe('upgrade to', findVersion(words, at + 2, MAX_PRODUCT_WORDS))
  return undefined
}

/**
 * Returns whether an upgrade is recommended: it begins a sentence (`Upgrade to 2.4.1`) or a word nearby recommends it.
 * Other sentences describe what happens after an upgrade.
 */
function isRecommended(words: readonly string[], at: number): boolean {
  if (END_OF_SENTENCE.test(words[at - 1] ?? '.')) return true
  return hasWord(words, at - RECOMMENDATION_DISTANCE, at + RECOMMENDATION_DISTANCE, RECOMMENDATION)
}

/** Reads the version after `before` or `prior to`. A version that the text includes in the affected ones is no fix. */
function readBefore(words: readonly string[], from: number): FixStatement | undefined {
  let at = from
  while (at < from + MAX_VERSION_WORDS && VERSION_WORDS.has(toWord(words[at]))) at += 1
  const version = readVersion(words[at])
  return hasWord(words, at + 1, at + 3, INCLUSION) ? undefined : describe('before', version)
}

/** Returns the first version among the next words of the same sentence. */
function findVersion(words: readonly string[], from: number, maxWords: number): string | undefined {
  for (const word of words.slice(from, from + maxWords + 1)) {
    const version = readVersion(word)
    if (version !== undefined) return version
    if (END_OF_SENTENCE.test(word)) return undefined
  }
  return undefined
}

function readVersion(word?: string): string | undefined {
  const text = trimPunctuation(word)
  return VERSION.test(text) && !WILDCARD.test(text) ? text.replace(/^v/i, '') : undefined
}

function describe(phrase: FixStatement['phrase'], version: string | undefined): FixStatement | undefined {
  return version === undefined ? undefined : { phrase, version }
}

function hasWord(words: readonly string[], from: number, to: number, pattern: RegExp): boolean {
  return words.slice(Math.max(0, from), to).some((each) => pattern.test(toWord(each)))
}

function toWord(word?: string): string {
  return trimPunctuation(word).toLowerCase()
}

function trimPunctuation(word = ''): string {
  if (word.length > MAX_WORD_LENGTH) return ''
  return word.replace(PUNCTUATION_AT_START, '').replace(PUNCTUATION_AT_END, '')
}
