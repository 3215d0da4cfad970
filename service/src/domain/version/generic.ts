// Products whose scheme is unknown, as CPE names and texts write them: 2.4.59, 1.0.2k, 11.1.2-h3, 7.0(3)I7(1),
// 2021.1-rc1, R80.10. Numbers and words are compared in turn. Separators do not count, nor do zeros at the end and
// before a word. Words for prereleases sort before the end of the version; words for patches, and a letter such as the
// k of 1.0.2k, sort after it; further numbers sort after all words. There is no reference implementation, so an order
// that depends on an unknown word is unknown.

import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'
import { isCommitHash, isSeries } from './version-form.ts'

interface Token {
  readonly kind: Kind
  /** Digits, or the canonical form of the word. */
  readonly text: string
}

/**
 * `prefix`: a word at the start, such as the R of R80.10. `letter`: the letter after a number, as in 1.0.2k, and one
 * after the letter z there, because OpenSSL continues with 1.0.2za after 1.0.2z. `lone`: a letter between separators,
 * which is a digit in some schemes: 1.0.0.9 is before 1.0.0.a.
 */
type Kind = 'prefix' | 'early' | 'late' | 'letter' | 'lone' | 'unknown' | 'number'

const FORM = /^[\w.+~()/ -]+$/
const LABEL = /^(?:version|release|ver|v)[ ._-]?(?=\d)/
/** The end of a Go module's pseudo-version, which sorts before the release: v1.3.1-0.20190301021747-ccb9e902956d. */
const PSEUDO_VERSION = /-(?:0\.)?(\d{14})-[\da-f]{12}$/
const TOKENS = /\d+|[a-z]+|~(?=\d)/g
const AFTER_Z = /^z[a-z]$/

/** Words for versions before the release, in order. Different words with the same rank have no known order. */
const EARLY_WORDS: ReadonlyMap<string, { readonly name: string; readonly rank: number }> = new Map(
  [
    { rank: 0, words: ['~'], name: '~' },
    { rank: 1, words: ['dev'], name: 'dev' },
    { rank: 1, words: ['nightly'], name: 'nightly' },
    { rank: 1, words: ['canary'], name: 'canary' },
    { rank: 1, words: ['snapshot'], name: 'snapshot' },
    { rank: 2, words: ['alpha', 'a'], name: 'alpha' },
    { rank: 3, words: ['beta', 'b'], name: 'beta' },
    { rank: 4, words: ['milestone', 'm'], name: 'milestone' },
    { rank: 4, words: ['preview'], name: 'preview' },
    { rank: 4, words: ['prerelease', 'pre'], name: 'prerelease' },
    { rank: 4, words: ['ea'], name: 'ea' },
    { rank: 5, words: ['rc', 'cr'], name: 'rc' },
  ].flatMap(({ rank, words, name }) => words.map((word) => [word, { name, rank }] as const)),
)

/** Words for patches of a release. Different words have no known order. */
const LATE_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ['patch', 'p', 'pl'],
    ['hotfix', 'h', 'hf'],
    ['update', 'u', 'upd'],
    ['revision', 'r', 'rev'],
    ['fix pack', 'fp'],
    ['interim fix', 'if'],
    ['service pack', 'sp'],
    ['service update', 'su'],
    ['service release', 'sr'],
    ['engineering special', 'es'],
    ['cumulative update', 'cu'],
    ['build'],
  ].flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)),
)
const RELEASE_WORDS: ReadonlySet<string> = new Set(['final', 'ga', 'release', 'stable', 'rtm', 'lts'])

export const generic = defineScheme<readonly Token[]>(
  parseGeneric,
  (a, b) => compareLists(a, b, compareTokens),
  // Only versions without words have a known order to all others.
  (tokens) => tokens.every(({ kind }) => kind === 'number'),
)

function parseGeneric(version: string): readonly Token[] | undefined {
  const text = version.replaceAll('\\', '').trim().toLowerCase()
  if (!FORM.test(text) || !/\d/.test(text) || isCommitHash(text) || isSeries(text)) return undefined
  const plain = text.replace(LABEL, '').replace(PSEUDO_VERSION, '~$1')
  return dropZeros([...plain.matchAll(TOKENS)].flatMap((match) => readToken(match[0], match.index, plain)))
}

function readToken(token: string, index: number, version: string): Token[] {
  if (isDigit(token[0])) return [{ kind: 'number', text: token }]
  if (index === 0) return [{ kind: 'prefix', text: token }]
  if (RELEASE_WORDS.has(token)) return []
  const isAttached = isDigit(version[index - 1])
  const hasNumber = isDigit(version[index + token.length])
  if (token.length === 1 && token !== '~' && !hasNumber) return [{ kind: isAttached ? 'letter' : 'lone', text: token }]
  if (AFTER_Z.test(token) && isAttached && !hasNumber) return [{ kind: 'letter', text: token }]
  return [readWord(token, isAttached)]
}

/** In 1.00_b07, where it is not attached to a number, b may also stand for a build or a board; the same goes for a. */
function readWord(word: string, isAttached: boolean): Token {
  const early = EARLY_WORDS.get(word)
  const isAmbiguous = !isAttached && (word === 'a' || word === 'b')
  if (early !== undefined && !isAmbiguous) return { kind: 'early', text: early.name }
  const late = LATE_WORDS.get(word)
  return late === undefined ? { kind: 'unknown', text: word } : { kind: 'late', text: late }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/** Drops zeros that do not count, so 1.0-rc1 is before 1, and 1.0 equals 1. */
function dropZeros(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  for (const token of tokens.toReversed()) {
    const isZero = token.kind === 'number' && compareDigits(token.text, '0') === 0
    if (!isZero || kept.at(-1)?.kind === 'number') kept.push(token)
  }
  return kept.toReversed()
}

function compareTokens(a: Token | undefined, b: Token | undefined): number | undefined {
  if (a?.kind === b?.kind) return compareSameKind(a, b)
  const [left, right] = [rankKind(a), rankKind(b)]
  if (left !== undefined && right !== undefined && left !== right) return left - right
  if (a?.kind === 'unknown' && b?.kind === 'number') return -1
  return a?.kind === 'number' && b?.kind === 'unknown' ? 1 : undefined
}

function compareSameKind(a: Token | undefined, b: Token | undefined): number | undefined {
  if (a === undefined || b === undefined || a.text === b.text) return 0
  switch (a.kind) {
    case 'number':
      return compareDigits(a.text, b.text)
    case 'letter':
    case 'lone':
      return compareTexts(a.text, b.text)
    case 'early':
      return rankEarly(a.text) - rankEarly(b.text) || undefined
    case 'late':
    case 'prefix':
    case 'unknown':
      return undefined
  }
}

/** An undefined argument stands for the end of the version, an undefined result for an unknown order. */
function rankKind(token: Token | undefined): number | undefined {
  switch (token?.kind) {
    case 'early':
      return 0
    case undefined:
      return 1
    case 'late':
    case 'letter':
      return 2
    case 'number':
      return 3
    case 'prefix':
    case 'lone':
    case 'unknown':
      return undefined
  }
}

function rankEarly(name: string): number {
  return [...EARLY_WORDS.values()].find((word) => word.name === name)?.rank ?? 0
}
