// Splits a version statement in prose into tokens.

export type TokenKind =
  | 'version'
  | 'compare'
  | 'before'
  | 'upTo'
  | 'from'
  | 'andBelow'
  | 'andAbove'
  | 'olderToo'
  | 'all'
  | 'dash'
  | 'colon'
  | 'separator'
  /** The rest of the text, which is about another product. */
  | 'other'
  | 'word'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Words and numbers that are left out between this token and the one before. */
  readonly gap?: string
}

/** Matches optional letters, then digits, with the characters that occur inside versions. */
const VERSION = /[a-z]{0,8}[._-]?\d[\w.+~()*-]*(?::\d[\w.+~()*-]*)?(?:\/\d\d?(?![\d.]))?/
// In `6.3.7 and before 6.2.4`, the word belongs to the version after it; in `5.5.57 and earlier 5.6.37`, to the version
// before it.
const ORDER = String.raw`prior|earlier|lower|older|previous|(?:below|before|under)(?!\s+v?\d)`
const LATER = 'later|above|newer|higher|up|onwards?|greater|after|beyond'
const THINGS = String.raw`(?:\s+(?:versions?|releases?|builds?|firmware|revisions?)\b)*`

/**
 * The patterns are tried in this order at each position. `below` and `before` can come before a version (`before 2.0`)
 * or after it (`2.0 and below`).
 */
const PATTERNS: readonly (readonly [TokenKind | 'skip', RegExp])[] = [
  ['skip', /\s+|["'`]+|\((?![^()]*\b(?:and|or)\s+(?:earlier|prior|below|later|above))[^()]*\)|[()]/],
  ['compare', /<=|=<|>=|=>|==?|<|>/],
  // `Older unsupported versions are also affected` refers to the whole list, not only to its last version.
  [
    'olderToo',
    /(?:(?:and|or|&) )?(?:(?:all|any) )?(?:older|earlier|previous|prior),? (?:(?:and )?unsupported (?:versions?|releases?)(?: are also (?:affected|vulnerable))?|(?:versions?|releases?) are also (?:affected|vulnerable))\b/,
  ],
  [
    'andBelow',
    new RegExp(String.raw`(?:and|or|&)\s+(?:all\s+)?(?:versions?\s+)?(?:${ORDER})\b(?!\s+(?:to|than)\b)${THINGS}`),
  ],
  [
    'andAbove',
    new RegExp(
      String.raw`(?:(?:and|or|&)\s+(?:all\s+)?(?:versions?\s+)?(?:${LATER})\b(?!\s+than\b)|onwards?\b)${THINGS}`,
    ),
  ],
  [
    'upTo',
    /(?:prior to and including|up to,? and including|to and including|up ?to(?!,? but|,? \(?excl)|through|thru|till|to)\b/,
  ],
  [
    'before',
    /(?:fixed[ -]+(?:in|versions?)\b(?: -)?|up ?to,? (?:but not including|\(?excluding\)?)|prior to|(?:earlier|lower|less|older) than|previous to|before|below|under|until)(?![a-z])/,
  ],
  [
    'from',
    /(?:from|since|starting (?:with|from|at)|beginning with|between|after|(?:later|newer|greater|higher) than)\b/,
  ],
  ['all', /(?:all|any|every)\b/],
  [
    'skip',
    /(?:commit|git|firmware|software|fw|the|is|are|affect(?:s|ed)|vulnerable|versions?|releases?|of|in|number|inclusive|build number)\b(?![\w-])/,
  ],
  ['skip', /(?:ver|vers|rel|v|no)\.?\s*(?=v?\.?\d)/],
  // In `6.0.2, build 68`, the build belongs to the version.
  ['skip', /,\s+(?=(?:build|patch|rev|revision)\b)/],
  // Without this, `8/30/2024` would be read as version 2024 (14 CVEs).
  ['word', /(?:\d{1,4}\/\d{1,2}\/\d{2,4}|\d\d?\/20\d\d)(?![\w./])/],
  ['version', VERSION],
  ['separator', /[,;|/&]|(?:and|or|as well as)\b/],
  ['colon', /:/],
  ['dash', /-(?=\s)/],
  // regex-bound: splitIntoTokens accepts at most MAX_STATEMENT_LENGTH (1,024) characters
  ['word', /[^\s,;|/:()"'<>=]*\w[^\s,;|/:()"'<>=]*/],
  ['skip', /./],
]
// regex-bound: splitIntoTokens accepts at most MAX_STATEMENT_LENGTH (1,024) characters
const STICKY = PATTERNS.map(([kind, pattern]) => [kind, new RegExp(pattern.source, 'iy')] as const)

/** Longer texts are descriptions, not versions. */
export const MAX_STATEMENT_LENGTH = 1024

export function splitIntoTokens(text: string): readonly Token[] | undefined {
  if (text.length > MAX_STATEMENT_LENGTH) return undefined
  const plain = toPlainMarks(text)
  const tokens: Token[] = []
  let gap = ''
  for (let at = 0; at < plain.length; ) {
    const previous = tokens.at(-1)
    // In `32 .011` and `<.3.7`, the dot belongs to the version; in `Version.5.0` and `9,.2`, it does not.
    const keepsDot = !/[a-z]/i.test(plain[at - 1] ?? '') && previous?.kind !== 'separator'
    const [kind, found] = findRelease(plain, at, previous) ?? findOther(plain, at, previous) ?? findToken(plain, at)
    at += found.length
    if (kind === 'skip') {
      gap += MARK.test(found) ? '' : found
      continue
    }
    const token = { kind, text: kind === 'version' ? trimVersion(found, keepsDot) : found }
    tokens.push(/\w/.test(gap) ? { ...token, gap: gap.trim() } : token)
    gap = ''
    // In `1.0.6. 1.0.7`, the dot is a typing error for a comma.
    if (kind === 'version' && found.endsWith('.') && /^\s+v?\d/i.test(plain.slice(at, at + 9)))
      tokens.push({ kind: 'separator', text: '.' })
  }
  return tokens
}

/** The `v` before a version is not a word. */
const MARK = /^v\.?\s*$/i

/** Matches `Rel.40250` in `2.4.3 Build 20260722 Rel.40250`, or `Release 14` in `Patch Release 14`. */
const RELEASE = /(?:rel\.?|release )\d[\w.()-]{0,40}/iy

/** After a version or the word patch, a release number is part of the version. */
function findRelease(text: string, at: number, previous?: Token): readonly [TokenKind, string] | undefined {
  if (previous?.kind !== 'version' && !/^patch$/i.test(previous?.text ?? '')) return undefined
  RELEASE.lastIndex = at
  const found = RELEASE.exec(text)?.[0]
  return found === undefined ? undefined : ['version', found]
}

const IN = /in (?=[a-z])/iy

/** In `SMR Oct-2024 Release in Android 12, 13`, the numbers after the word are versions of another product. */
function findOther(text: string, at: number, previous?: Token): readonly [TokenKind, string] | undefined {
  if (previous?.kind !== 'version') return undefined
  IN.lastIndex = at
  return IN.test(text) ? ['other', text.slice(at)] : undefined
}

function findToken(text: string, at: number): readonly [TokenKind | 'skip', string] {
  for (const [kind, pattern] of STICKY) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) return [kind, found]
  }
  return ['skip', text.charAt(at)]
}

/** Also removes the escapes in CPE values. */
export function toPlainMarks(text: string): string {
  return text
    .replaceAll(/[\p{Dash_Punctuation}]/gu, '-')
    .replaceAll(/[‘’“”]/g, "'")
    .replaceAll('（', ' (')
    .replaceAll('）', ') ')
    .replaceAll('≤', '<=')
    .replaceAll('≥', '>=')
    .replaceAll('\\', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Removes sentence punctuation, the dot after the word in `Version.5.0`, and a closing parenthesis without an opening one. */
function trimVersion(text: string, keepsDot: boolean): string {
  // regex-bound: a token has at most MAX_STATEMENT_LENGTH (1,024) characters
  const ended = text.replace(/[.:~-]+$/, '')
  const trimmed = keepsDot ? ended : ended.replace(/^\.(?=\d)/, '')
  return trimmed.endsWith(')') && !trimmed.includes('(') ? trimmed.slice(0, -1) : trimmed
}
