// Reads versions in prose, such as `8.0.20 and prior`, `6.0, 6.1, 6.2`, `1.0 to 1.3.5` or `4.0.0-4.4.2`, which many
// CNAs write into `version`.
import { isCommitHash, isSeries, isVersion } from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import { markCommits, openFirst, splitRange, type VersionText } from './text-ranges.ts'
import { splitIntoTokens, type Token, type TokenKind } from './version-tokens.ts'

const MAX_RANGES = 200

/**
 * Returns undefined if the text names no version, or if a part of it cannot be read: the product then counts as
 * affected in any version. Words from `productName` (vendor and product) may come before a version.
 */
export function readVersionText(text: string, productName: string): readonly VersionText[] | undefined {
  const tokens = splitIntoTokens(dropProductName(text, productName))
  if (tokens === undefined) return undefined
  const ranges: VersionText[] = []
  const parser: Parser = { tokens, at: 0, productName: productName.toLowerCase(), prefix: '', isPrefixNext: false }
  while (parser.at < tokens.length) {
    const range = readNext(parser, ranges)
    if (range === undefined || ranges.length >= MAX_RANGES) return undefined
    ranges.push(...range)
  }
  if (ranges.length === 0) return undefined
  const opened = tokens.some(({ kind }) => kind === 'olderToo') ? openFirst(ranges) : ranges
  return startAtRemark(opened, text, productName).map(markCommits)
}

/** Drops `TXpert Hub CoreTec 4` from `TXpert Hub CoreTec 4 version 2.0.*`, because the 4 is no version. */
function dropProductName(text: string, productName: string): string {
  const at = text.search(/ versions? /i)
  const name = text.slice(0, Math.max(0, at)).trim().toLowerCase()
  const isNumbered = name.includes(' ') && /[a-z]/.test(name) && /\d$/.test(name)
  return isNumbered && ` ${productName.toLowerCase()}`.endsWith(` ${name}`) ? text.slice(at) : text
}

/** OpenSSL's remark after the fixed version: `Fixed in OpenSSL 1.1.1d (Affected 1.1.1-1.1.1c)`. */
const AFFECTED_REMARK = /\(affected ([\w.-]{1,64})\)$/i

/**
 * Starts the range at the version in the remark; otherwise fixed versions of older branches would count as affected.
 */
function startAtRemark(ranges: Ranges, text: string, productName: string): Ranges {
  const remark = AFFECTED_REMARK.exec(text)?.[1]
  const start = remark === undefined ? undefined : readVersionText(remark, productName)?.[0]?.version
  const [only] = ranges
  const isOpen = ranges.length === 1 && only?.version === null
  return isOpen && start !== undefined ? [{ ...only, version: start }] : ranges
}

interface Parser {
  readonly tokens: readonly Token[]
  readonly productName: string
  at: number
  /** Words before a version that are not the product's name, such as `SAP_BASIS` in `SAP_BASIS 731`. */
  prefix: string
  /** The prefix stands directly before the next version, and not before an earlier one of a list. */
  isPrefixNext: boolean
}

type Ranges = readonly VersionText[]
const NO_RANGE: Ranges = []

/** Returns undefined if the part cannot be read. */
function readNext(parser: Parser, before: Ranges): Ranges | undefined {
  const kind = peek(parser)
  switch (kind) {
    case 'separator':
    case 'colon':
    case 'andBelow':
    case 'olderToo':
      parser.at += 1
      return NO_RANGE
    case 'all':
      parser.at += 1
      return isAllOfSeries(before) ? NO_RANGE : undefined
    case 'compare':
      return readCompared(parser, null)
    case 'before':
    case 'upTo':
      parser.at += 1
      return readEnds(parser, kind, null)
    case 'from':
      return readFrom(parser)
    case 'version':
      return readFromVersion(parser)
    case 'word':
      return readPrefix(parser)
    default:
      return undefined
  }
}

function peek({ tokens, at }: Parser, offset = 0): TokenKind | undefined {
  return tokens[at + offset]?.kind
}

/** Before a version, `All versions` adds nothing; after a version, it refers to the product's model. */
function isAllOfSeries(before: Ranges): boolean {
  const last = before.at(-1)?.version
  return last === undefined || (last !== null && isSeries(last))
}

/** Reads `2.0 and earlier`, `2.0 to 2.4`, `2.x before 2.4`, or only `2.0`. */
function readFromVersion(parser: Parser): Ranges | undefined {
  const version = takeVersion(parser)
  if (version === undefined) return undefined
  const split = splitRange(version)
  if (split !== undefined) return [split]
  switch (peek(parser)) {
    case 'andBelow':
      parser.at += 1
      return [{ version: null, lessThan: null, lessThanOrEqual: version }]
    case 'andAbove':
      parser.at += 1
      return isEndNext(parser, version)
        ? readEndAfter(parser, version)
        : [{ version, lessThan: '*', lessThanOrEqual: null }]
    case 'upTo':
    case 'dash':
      parser.at += 1
      return readEnds(parser, 'upTo', version)
    case 'before':
      parser.at += 1
      return readEnds(parser, 'before', version)
    case 'compare':
      return readCompared(parser, version)
    case 'colon':
      return readAfterColon(parser, version)
    default:
      return [toSingle(version)]
  }
}

/** Reads `8.0+` as version 8.0 and later. */
function toSingle(version: string): VersionText {
  return version.endsWith('+')
    ? { version: version.slice(0, -1), lessThan: '*', lessThanOrEqual: null }
    : { version, lessThan: null, lessThanOrEqual: null }
}

/**
 * Reads `8.6.x.x: 8.6.0.22 and below` as starting at the version before the colon. In `ArubaOS 8.6.x.x: 8.6.0.22 and
 * below`, the first word is a title and not part of the versions.
 */
function readAfterColon(parser: Parser, titled: string): Ranges | undefined {
  const start = parser.prefix === '' ? titled : titled.slice(parser.prefix.length + 1)
  parser.prefix = ''
  parser.at += 1
  if (peek(parser) === 'all') {
    parser.at += 1
    return [toSingle(start)]
  }
  const ranges = peek(parser) === undefined ? [toSingle(start)] : readNext(parser, NO_RANGE)
  return ranges?.map((each) => (each.version === null ? { ...each, version: start } : each))
}

function readFrom(parser: Parser): Ranges | undefined {
  const word = parser.tokens[parser.at]?.text ?? ''
  const isBetween = /^between$/i.test(word)
  const isAfter = /^after$|than$/i.test(word)
  parser.at += 1
  const start = takeVersion(parser)
  if (start === undefined) return undefined
  const next = peek(parser)
  if (next === 'andBelow') return undefined
  if (next === 'upTo' || next === 'dash' || next === 'before' || (isBetween && next === 'separator')) {
    parser.at += 1
    return readEnds(parser, next === 'before' ? 'before' : 'upTo', start)
  }
  if (next === 'compare') return readCompared(parser, start)
  if (next === 'andAbove') parser.at += 1
  if (isEndNext(parser, start)) {
    const ended = readEndAfter(parser, start)
    // A range always includes its start, so `after 2.0` becomes `2.0 and later`.
    return isAfter ? ended?.map((each) => ({ ...each, isDerived: true })) : ended
  }
  return splitRange(start) === undefined ? [{ version: start, lessThan: '*', lessThanOrEqual: null }] : undefined
}

/** Reads the rest of `after 2.0 and before 2.4` or `2.0 and later, but prior to 2.4`, which is one range. */
function readEndAfter(parser: Parser, start: string): Ranges | undefined {
  const offset = countJoiningTokens(parser)
  const relation = peek(parser, offset) === 'before' ? 'before' : 'upTo'
  parser.at += offset + 1
  return readEnds(parser, relation, start)
}

/** In `2.0 and later, before 1.4`, the end is that of another range. */
function isEndNext(parser: Parser, start: string): boolean {
  const offset = countJoiningTokens(parser)
  const next = peek(parser, offset)
  if (offset === 0 || (next !== 'before' && next !== 'upTo')) return false
  const end = parser.tokens.slice(parser.at + offset).find(({ kind }) => kind === 'version')?.text
  return end !== undefined && (compareVersions(start, end) ?? 0) < 0
}

function countJoiningTokens(parser: Parser): number {
  let offset = 0
  while (peek(parser, offset) === 'separator' || isBut(parser, offset)) offset += 1
  return offset
}

function isBut({ tokens, at }: Parser, offset: number): boolean {
  return /^but$/i.test(tokens[at + offset]?.text ?? '')
}

/** `before 2.3.1, 2.2.4 and 2.1.9` names the first fixed versions of several branches; each of them becomes a range. */
function readEnds(parser: Parser, relation: 'before' | 'upTo', start: string | null): Ranges | undefined {
  // `to before 2.0` means `before 2.0`, and `through versions up to and including 2.0` means `through 2.0`.
  const next = peek(parser)
  if (next === 'before' || next === 'upTo') {
    parser.at += 1
    return readEnds(parser, next, start)
  }
  const first = takeVersion(parser)
  const further = start === null ? takeListItems(parser) : []
  if (first === undefined || further === undefined) return undefined
  const ends = [first, ...further]
  return ends.map((end) =>
    relation === 'before'
      ? { version: start, lessThan: end, lessThanOrEqual: null }
      : { version: start, lessThan: null, lessThanOrEqual: end },
  )
}

/** Returns undefined if an item is not a version. */
function takeListItems(parser: Parser): readonly string[] | undefined {
  const items: string[] = []
  while (isPlainListItem(parser)) {
    while (isBeforeItem(parser, 0)) parser.at += 1
    const item = takeVersion(parser)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

/** True if separators follow, and then a version without a comparison of its own. */
function isPlainListItem(parser: Parser): boolean {
  if (peek(parser) !== 'separator') return false
  let offset = 1
  while (isBeforeItem(parser, offset)) offset += 1
  if (peek(parser, offset) !== 'version') return false
  const after = peek(parser, offset + 1)
  return after === undefined || after === 'separator'
}

/** True for a separator, or for a word of the product's name, as in `samba 4.15.11, samba 4.16.6`. */
function isBeforeItem(parser: Parser, offset: number): boolean {
  return peek(parser, offset) === 'separator' || isProductWord(parser, offset)
}

/** Reads `>= 2.0 < 2.4` or `8.x < 8.2`. */
function readCompared(parser: Parser, start: string | null): Ranges | undefined {
  const range = { version: start, lessThan: null as string | null, lessThanOrEqual: null as string | null }
  while (peek(parser) === 'compare') {
    const operator = parser.tokens[parser.at]?.text ?? ''
    parser.at += 1
    const version = takeVersion(parser)
    if (version === undefined) return undefined
    if (operator === '<') range.lessThan = version
    else if (operator === '<=' || operator === '=<') range.lessThanOrEqual = version
    else range.version = version
    const isOpen = operator.startsWith('>') || operator === '=>'
    if (isOpen && !continuesCondition(parser)) range.lessThan = '*'
    if (range.lessThan === null && range.lessThanOrEqual === null && peek(parser) === 'separator') parser.at += 1
    if (!isOpen) break
  }
  return [range]
}

function continuesCondition(parser: Parser): boolean {
  const offset = peek(parser) === 'separator' ? 1 : 0
  return peek(parser, offset) === 'compare' && /^(?:<|=<)/.test(parser.tokens[parser.at + offset]?.text ?? '')
}

/** Drops words of the product's name and keeps up to three other words. */
function readPrefix(parser: Parser): Ranges | undefined {
  const words: string[] = []
  let isBroken = false
  while (peek(parser) === 'word' || peek(parser) === 'dash') {
    const word = parser.tokens[parser.at]?.text ?? ''
    const isLeftOut = PLATFORM.test(word) || isProductWord(parser)
    if (peek(parser) === 'word' && !isLeftOut) words.push(word)
    isBroken ||= isLeftOut && words.length > 0
    parser.at += 1
  }
  // Words before a colon, as in `Java SE: 8u251`, are a title.
  if (peek(parser) === 'colon') {
    parser.at += 1
    words.length = 0
    isBroken = false
  }
  if (/^branch(?:es)?$/i.test(words.at(-1) ?? '')) {
    skipBranch(parser)
    words.length = 0
  }
  const next = peek(parser)
  if (words.length > 3 || next === undefined || next === 'separator') return undefined
  // In `See references link for ZSB-23025`, the words and the version are parts of a sentence.
  if (isBroken && next === 'version') return undefined
  parser.prefix = next === 'version' ? words.join(' ') : ''
  parser.isPrefixNext = parser.prefix !== ''
  return NO_RANGE
}

/** In `Branches 9.0 through 9.16 9.0.0 through 9.16.32`, the branches are a title of the range after them. */
function skipBranch(parser: Parser): void {
  const isSpan = peek(parser, 1) === 'upTo' && peek(parser, 2) === 'version'
  const length = isSpan ? 3 : 1
  if (peek(parser) === 'version' && peek(parser, length) === 'version') parser.at += length
}

function isProductWord({ tokens, at, productName }: Parser, offset = 0): boolean {
  const token = tokens[at + offset]
  return token?.kind === 'word' && productName.includes(token.text.toLowerCase())
}

const PLATFORM = /^(?:for|on)$/i
const MAX_LABELS = 5

/** Takes a version with its labels, such as `3.2.0 p2`, `9.1 Service Pack 1` or `2024 Q1`. */
function takeVersion(parser: Parser): string | undefined {
  while (isProductWord(parser)) parser.at += 1
  if (peek(parser) !== 'version') return undefined
  const version = parser.tokens[parser.at]?.text ?? ''
  const prefix = readPrefixOf(parser, version)
  if (prefix === undefined) return undefined
  const parts = prefix === '' ? [version] : [prefix, version]
  parser.at += 1
  while (peek(parser) === 'word' || (peek(parser) === 'version' && parts.length <= MAX_LABELS)) {
    const label = parser.tokens[parser.at]?.text ?? ''
    if (PLATFORM.test(label)) {
      skipPlatform(parser)
      break
    }
    if (isNextVersion(version, label)) break
    // In `BND-2052W000 versions A8`, the first part is not a version, and no version is written as both parts.
    if (parser.tokens[parser.at]?.gap !== undefined) return undefined
    parts.push(label)
    parser.at += 1
  }
  return joinVersion(parts, parser.productName)
}

/** True in a list without separators, such as `Android-11 Android-12` or `11.1.0-11.1.7 11.2.0-11.2.8`. */
function isNextVersion(version: string, label: string): boolean {
  if (splitRange(version) !== undefined && splitRange(label) !== undefined) return true
  const word = /^[a-z]{3,}-(?=\d)/i.exec(version)?.[0]
  return word !== undefined && label.toLowerCase().startsWith(word.toLowerCase())
}

/**
 * A text with a model before the word `version`, as in `VCC-HD5600P version 2.03-06`, cannot be read, and `System Number
 * BND-2008W000` names no version. In `CATIA Composer Release R2023`, the word is a part of the version. In a list such as
 * `SD 845, 850, SDX20`, the prefix belongs only to bare numbers.
 */
function readPrefixOf(parser: Parser, version: string): string | undefined {
  const { prefix, isPrefixNext, tokens, at } = parser
  parser.isPrefixNext = false
  if (prefix === '' || isCommitHash(version)) return ''
  const gap = isPrefixNext ? (tokens[at]?.gap ?? '') : ''
  if (/^release$/i.test(gap)) return `${prefix} ${gap}`
  if (/^number$/i.test(gap) || (gap !== '' && /\d/.test(prefix))) return undefined
  return isPrefixNext || /^v?\d/i.test(version) ? prefix : ''
}

/** Skips the platform in `16.83 for macOS`. */
function skipPlatform(parser: Parser): void {
  while (peek(parser) === 'word') parser.at += 1
}

/** Returns undefined if words other than version labels follow. */
function joinVersion(parts: readonly string[], productName: string): string | undefined {
  const last = parts.at(-1) ?? ''
  if (parts.length > 1 && /^(?:series|branch)$/i.test(last)) {
    const stem = parts.slice(0, -1).join(' ')
    // Routers of the 9000 Series are a product, and OEL8000III is a model.
    const isProduct = productName.includes(`${stem} ${last}`.toLowerCase())
    return isProduct || !isSeries(`${stem}.x`) ? undefined : `${stem}.x`
  }
  const text = parts.join(' ')
  return isVersion(text) || isSeries(text) || isCommitHash(text) || splitRange(text) !== undefined ? text : undefined
}
