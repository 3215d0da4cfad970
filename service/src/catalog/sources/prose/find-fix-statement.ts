// Finds statements in prose that name a fixed version, such as `before 2.4.1` or `fixed in version 2.4.1`. For more
// than 17,000 of 264,000 CVEs, only prose names the fixed version. Among 36,951 texts of CVEs that also have fixed
// versions as structured data, 95 % of the versions agree; the others mostly belong to another branch.
//
// Only forms that leave no doubt are accepted. Less frequent forms, such as `Version 2.4.1 contains a patch`, count
// only if a text has none of the frequent ones. Together with patch levels (`before 5.2 Patch 11`), they add the fix
// for 722 CVEs; all of the 153 hits that were read, at most 40 per form, name a fix. Reading word by word takes linear
// time.
import type { FixStatement } from '../../model/fix-evidence.ts'

/** Every statement contains one of these; texts without them are not split. */
const HINT = /\b(?:before|prior|fix|patch|resolve|address|correct|remediate|upgrad|updat)|<[ v]{0,2}\d/i
/** A number without a dot can be a year, a count or a port. */
const VERSION = /^(?:v\.?)?\d{1,8}\.\d[\w.~-]{0,61}$/i
const WILDCARD = /[.]x$/i
/** `12.06.2018`, before which a product is affected. */
const DATE = /^\d{1,2}\.\d{1,2}\.(?:19|20)\d{2}$/
const PUNCTUATION_AT_START = /^[(['"]/
const PLAIN_WORD = /^[a-z]*$/i
const PUNCTUATION_AT_END = /[+).,;:'"\]-]{1,4}$/
export const END_OF_SENTENCE = /[.;!?]$/
const END_OF_NAME = /[.,;:!?)]$/
const MAX_WORD_LENGTH = 80

/** Words that may come between `before` and the version. */
const VERSION_WORDS: ReadonlySet<string> = new Set(['version', 'versions', 'release', 'releases', 'the', 'v'])
const MAX_VERSION_WORDS = 2
/** The product's name may come between `fixed in` or `upgrade to` and the version. */
const MAX_PRODUCT_WORDS = 6
/** A word within this distance negates a fix (`partially patched in 2.4.1`). */
export const NEGATION_DISTANCE = 4
/** A word within this distance makes an upgrade a recommendation (`upgrading to 2.4.1 resolves this issue`). */
const RECOMMENDATION_DISTANCE = 10

const FIXED: ReadonlySet<string> = new Set(['fixed', 'patched', 'resolved', 'addressed', 'corrected', 'remediated'])
const UPGRADE: ReadonlySet<string> = new Set(['upgrade', 'upgrading', 'upgraded', 'update', 'updating'])
export const NEGATION =
  /^(?:not|never|cannot|partially|partly|partial|incompletely|incomplete|incorrectly|improperly|insufficiently)$|n['’]t$/
const RECOMMENDATION =
  /^(?:recommend|advise|should$|please$|must$|urge|encourage|fix|address|resolve|mitigate|remediate|eliminate|receive$)/
const INCLUSION = /^\(?inclu/

/** A product name between `prior to` and the version contains none of these words. */
const NOT_IN_NAME =
  /^(?:an?|and|are|as|at|because|being|by|during|for|from|has|have|if|in|is|it|its|of|on|or|that|this|through|to|via|was|were|when|which|while|with|without)$/
const CONDITION =
  /^(?:if|when|where|while|with|on|under|using|running|requires?|php|python|java|jdk|jre|node(?:\.?js)?|ruby|perl|mysql|mariadb|postgresql|kernel|glibc|openssl|android|ios|macos|windows|browsers?|tls|score|cvss)$/
const CONDITION_DISTANCE = 4
export const REMEDIES = /^(?:fix|patch|resolve|address|correct|remediate)(?:e?s)?$/
const OBJECT = /^(?:the|this|these|it|that|both|all|cve-.*)$/
const CONTAINS = /^(?:contain|include|provide)s?$|^ha(?:s|ve)$/
const FIX = /^(?:bug)?(?:fix|patch)(?:es)?$/
const LISTING: ReadonlySet<string> = new Set(['and', 'or', '&', 'version', 'versions', 'later'])
const MAX_LISTED_WORDS = 10
const AVAILABLE: ReadonlySet<string> = new Set(
  'is are was were has have been made available released included provided implemented'.split(' '),
)
const MAX_AVAILABLE_WORDS = 5
/** Words that mean that a fix is incomplete or wrong. */
const DOUBT =
  /^(?:not|never|no|incomplete|insufficient|inadequate|incorrect|improper|partial|faulty|broken|missing|bypass|regress|introduc|due|because|despite|initial|previous|original)/
const DOUBT_DISTANCE = 6
const LABEL = /^(?:patch|hotfix|ifix|update|build|sp|cu|hf|errata)$/i
const LABEL_WITH_NUMBER = /^(?:patch|hotfix(?:rev)?|ifix|update|sp|cu|hf|p)-?\d{1,6}$/i
const LEVEL = /^\d[\w.]{0,20}$/
/** `2.7 SP7 Patch 10 HF1` has three levels. */
const MAX_LEVELS = 3

/** Maximum length in UTF-16 code units. */
const MAX_LENGTH = 20_000

/** The less certain forms count only if the text contains none of the others. */
export function findFixStatement(text: string): FixStatement | null {
  if (!HINT.test(text)) return null
  const words = splitWords(text)
  return findFirst(words, readStatement) ?? findFirst(words, readOtherStatement) ?? null
}

export function listFixStatements(text: string): readonly FixStatement[] {
  if (!HINT.test(text)) return []
  const words = splitWords(text)
  return [...words.keys()].flatMap((at) => readStatement(words, at) ?? readOtherStatement(words, at) ?? [])
}

export function splitWords(text: string): readonly string[] {
  return text.slice(0, MAX_LENGTH).split(/\s+/)
}

function findFirst(words: readonly string[], read: typeof readStatement): FixStatement | undefined {
  for (const at of words.keys()) {
    const statement = read(words, at)
    if (statement !== undefined) return statement
  }
  return undefined
}

function readStatement(words: readonly string[], at: number): FixStatement | undefined {
  const word = toWord(words[at])
  const isNext = (text: string) => toWord(words[at + 1]) === text
  if (word === 'before') return readBefore(words, at + 1)
  if (word === 'prior' && isNext('to')) return readBefore(words, at + 2)
  if (FIXED.has(word) && isNext('in') && !hasWord(words, at - NEGATION_DISTANCE, at, NEGATION))
    return describe('fixed in', findVersion(words, at + 2, MAX_PRODUCT_WORDS))
  if (UPGRADE.has(word) && isNext('to') && isRecommended(words, at))
    return describe('upgrade to', findVersion(words, at + 2, MAX_PRODUCT_WORDS))
  return undefined
}

function readOtherStatement(words: readonly string[], at: number): FixStatement | undefined {
  const word = toWord(words[at])
  if (word === 'before') return readBeforeProduct(words, at + 1)
  if (word === 'prior' && toWord(words[at + 1]) === 'to') return readBeforeProduct(words, at + 2)
  if (word.startsWith('<')) return readLessThan(words, at)
  if (word === 'version' || word === 'versions') return readFixingVersion(words, at + 1)
  if (FIX.test(word)) return readFixIn(words, at)
  return undefined
}

/**
 * The text begins a sentence (`Upgrade to 2.4.1`) or has a recommending word nearby; other sentences say what happens
 * after an upgrade.
 */
function isRecommended(words: readonly string[], at: number): boolean {
  if (END_OF_SENTENCE.test(words[at - 1] ?? '.')) return true
  return hasWord(words, at - RECOMMENDATION_DISTANCE, at + RECOMMENDATION_DISTANCE, RECOMMENDATION)
}

/** A version that the text includes among the affected ones is not a fix. */
function readBefore(words: readonly string[], from: number): FixStatement | undefined {
  let at = from
  while (at < from + MAX_VERSION_WORDS && VERSION_WORDS.has(toWord(words[at]))) at += 1
  return hasWord(words, at + 1, at + 3, INCLUSION) ? undefined : describe('before', readLabelledVersion(words, at))
}

/**
 * Reads `prior to Example Router OS version 2.4.1`. A comma is followed by another product or branch, as in `7.1 before
 * patch 3, version 7.2`. The word version may be missing if the name is repeated, as in `Example Router before Example
 * Router 2.4.1`.
 */
function readBeforeProduct(words: readonly string[], from: number): FixStatement | undefined {
  for (let at = from; at <= from + MAX_PRODUCT_WORDS; at += 1) {
    const word = toWord(words[at])
    if (VERSION_WORDS.has(word) && word !== 'the') return readBefore(words, at)
    const isVersion = at > from && readVersion(words[at]) !== undefined
    if (isVersion && isRepeated(words, from, at)) return readBefore(words, at)
    if (NOT_IN_NAME.test(word) || CONDITION.test(word) || END_OF_NAME.test(words[at] ?? '.')) return undefined
  }
  return undefined
}

/** Words such as `versions` may come between the product's name and `before`. */
const MAX_WORDS_AFTER_NAME = 4

/** True if the name also occurs shortly before `before` or `prior to`. */
function isRepeated(words: readonly string[], from: number, to: number): boolean {
  const name = words.slice(from, to).map(toWord)
  const start = Math.max(0, from - name.length - MAX_WORDS_AFTER_NAME)
  const before = words.slice(start, from).map(toWord)
  return before.some((_, at) => name.every((word, index) => before[at + index] === word))
}

/** Reads `Example Router < 2.4.1`. Versions of a platform are a condition: `on systems with PHP < 8.0`. */
function readLessThan(words: readonly string[], at: number): FixStatement | undefined {
  if (hasWord(words, at - CONDITION_DISTANCE, at, CONDITION)) return undefined
  const isApart = toWord(words[at]) === '<'
  const end = isApart ? at + 1 : at
  if (hasWord(words, end + 1, end + 3, INCLUSION)) return undefined
  return describe('before', isApart ? readLabelledVersion(words, end) : readVersion(toWord(words[at]).slice(1)))
}

/** Reads `Version 2.4.1 fixes the issue` or `Versions 2.4.1 and 3.0.2 contain a patch`. */
function readFixingVersion(words: readonly string[], from: number): FixStatement | undefined {
  const version = readVersion(words[from])
  if (version === undefined || END_OF_SENTENCE.test(words[from] ?? '.')) return undefined
  let at = from + 1
  while (at < from + MAX_LISTED_WORDS && isListed(words[at])) at += 1
  const [verb, next] = [toWord(words[at]), toWord(words[at + 1])]
  const isFixing = REMEDIES.test(verb) && OBJECT.test(next)
  const isContaining = CONTAINS.test(verb) && hasWord(words, at + 1, at + 4, FIX)
  const isPartial = hasWord(words, at, at + NEGATION_DISTANCE, NEGATION)
  return (isFixing || isContaining) && !isPartial ? describe('fixed in', version) : undefined
}

function isListed(word: string | undefined): boolean {
  return readVersion(word) !== undefined || LISTING.has(toWord(word))
}

/** Reads `a fix in 2.4.1` or `a patch is available in version 2.4.1`. */
function readFixIn(words: readonly string[], at: number): FixStatement | undefined {
  let end = at + 1
  while (end < at + MAX_AVAILABLE_WORDS && AVAILABLE.has(toWord(words[end]))) end += 1
  if (toWord(words[end]) !== 'in' || words.slice(at, end + 1).some((each) => END_OF_SENTENCE.test(each)))
    return undefined
  if (hasWord(words, at - DOUBT_DISTANCE, end + DOUBT_DISTANCE, DOUBT)) return undefined
  return describe('fixed in', findVersion(words, end + 1, MAX_VERSION_WORDS))
}

/** Searches only within the same sentence. */
export function findVersion(words: readonly string[], from: number, maxWords: number): string | undefined {
  for (let at = from; at <= from + maxWords && at < words.length; at += 1) {
    const version = readLabelledVersion(words, at)
    if (version !== undefined) return version
    if (END_OF_SENTENCE.test(words[at] ?? '.')) return undefined
  }
  return undefined
}

/**
 * Reads `5.2 Patch 11` as a whole, because version 5.2 without the patch is affected. Words after punctuation belong to
 * the sentence.
 */
export function readLabelledVersion(words: readonly string[], at: number): string | undefined {
  const version = readVersion(words[at])
  if (version === undefined || PUNCTUATION_AT_END.test(words[at] ?? '')) return version
  const levels: string[] = []
  for (let next = at + 1; levels.length < MAX_LEVELS; next += 1) {
    const [label, number] = [trimPunctuation(words[next]), trimPunctuation(words[next + 1])]
    if (LABEL_WITH_NUMBER.test(label)) levels.push(label)
    else if (LABEL.test(label) && LEVEL.test(number)) {
      levels.push(`${label} ${number}`)
      next += 1
    } else break
    if (PUNCTUATION_AT_END.test(words[next] ?? '')) break
  }
  return [version, ...levels].join(' ')
}

/** Also reads the version after a package name (`router@2.4.1`). */
export function readVersion(word?: string): string | undefined {
  const trimmed = trimPunctuation(word)
  const text = trimmed.slice(trimmed.lastIndexOf('@') + 1)
  return VERSION.test(text) && !WILDCARD.test(text) && !DATE.test(text) ? text.replace(/^v\.?/i, '') : undefined
}

export function describe(phrase: FixStatement['phrase'], version: string | undefined): FixStatement | undefined {
  return version === undefined ? undefined : { phrase, version }
}

export function hasWord(words: readonly string[], from: number, to: number, pattern: RegExp): boolean {
  return words.slice(Math.max(0, from), to).some((each) => pattern.test(toWord(each)))
}

export function toWord(word?: string): string {
  return trimPunctuation(word).toLowerCase()
}

function trimPunctuation(word = ''): string {
  if (word.length > MAX_WORD_LENGTH) return ''
  // Most words contain no punctuation, and this test takes a third of the time of the replacements.
  if (PLAIN_WORD.test(word)) return word
  return word.replace(PUNCTUATION_AT_START, '').replace(PUNCTUATION_AT_END, '')
}
