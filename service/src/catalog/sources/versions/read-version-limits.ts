// Reads the entries of `versions` in CVE List records. They should have a version in `version` and the end of a range
// in `lessThan` or `lessThanOrEqual`, but many CNAs write conditions or prose there.
import {
  isBuildOf,
  isCommitHash,
  isSimpleVersion,
  isUnreadable,
  isVersion,
} from '../../../domain/version/version-form.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import { type JsonObject, textIn } from '../json.ts'
import { joinEscapedVersion } from './join-escaped-version.ts'
import { readComparators } from './read-comparators.ts'
import { readVersionText } from './read-version-text.ts'
import { markCommits, type VersionText } from './text-ranges.ts'
import { MAX_STATEMENT_LENGTH, toPlainMarks } from './version-tokens.ts'

/** Returns one range per version or range that the entry names. A text that cannot be read stays as it is. */
export function readVersionLimits(entry: JsonObject, productName: string): readonly VersionText[] {
  const version = readMember(entry, 'version')
  const lessThan = readMember(entry, 'lessThan')
  const lessThanOrEqual = readMember(entry, 'lessThanOrEqual')
  const stated = { version, lessThan, lessThanOrEqual }
  if (Object.values(stated).some((each) => each !== null && each.length > MAX_STATEMENT_LENGTH)) return [stated]
  if (isCommitRange(textIn(entry, 'versionType'), stated)) return [{ ...stated, isCommit: true }]
  if (isPlain(version) && isPlain(lessThan) && isPlain(lessThanOrEqual)) return [stated]
  if (version !== null && isBuildOf(lessThan ?? lessThanOrEqual ?? '', version)) return [stated]
  if (version !== null && lessThan === null && lessThanOrEqual === null)
    return readText(version, productName) ?? [stated]
  const range = dropDate(readRange(stated, productName))
  return [range, ...readFurtherRanges(range, lessThan ?? lessThanOrEqual ?? '', productName)]
}

/**
 * A list such as `8.0 U1b, 7.0 U3m` ends a range of each branch. In a single release train, as in `22.3R2-S2, 22.3R3-S1`,
 * the further range begins with the release to which the patch belongs.
 */
function readFurtherRanges(range: VersionText, text: string, productName: string): readonly VersionText[] {
  const { version, lessThan } = range
  if (lessThan === null || range.isDerived !== true || lessThan === '*' || isPlain(text)) return []
  return listEnds(text, productName).flatMap((end) => {
    // `2,24.1` is a misspelt 2.24.1.
    if (end === lessThan || end.includes('.') !== lessThan.includes('.')) return []
    const start = readTrain(end) === undefined ? version : readRelease(end)
    return start === undefined ? [] : [{ version: start, lessThan: end, lessThanOrEqual: null, isDerived: true }]
  })
}

/** Returns 22.3 for 22.3R2-S2. */
function readTrain(version: string): string | undefined {
  return /^\d+\.\d+(?=r\d)/i.exec(version)?.[0]
}

/** Returns 22.3R3 for 22.3R3-S1, and undefined for 22.3R3, which has no patch. */
function readRelease(version: string): string | undefined {
  return /^\d+\.\d+r\d+(?=-s\d)/i.exec(version)?.[0]
}

function readMember(entry: JsonObject, name: string): string | null {
  const text = textIn(entry, name)
  return text === null || text.length > MAX_STATEMENT_LENGTH ? text : joinEscapedVersion(text)
}

function readText(text: string, productName: string): readonly VersionText[] | undefined {
  const compared = /[<>=]/.test(text) ? readComparators(text)?.map(markCommits) : undefined
  return compared ?? readVersionText(text, productName)
}

const COMMITS = /^git|commit/i
const HEXADECIMAL = /^[\da-f]{7,64}$/i
const DOTTED = /\d\.\d/

/**
 * Some CNAs use the versionType `git` for tags in their repository, and the Linux kernel uses `original_commit_for_fix`
 * for a release number. Texts with a dot between digits are therefore versions, unless an end of the range is a commit
 * hash.
 */
function isCommitRange(type: string | null, { version, lessThan, lessThanOrEqual }: VersionText): boolean {
  const ends = [version ?? '', lessThan ?? '', lessThanOrEqual ?? '']
  if (ends.some(isCommitHash)) return true
  if (type === null || !COMMITS.test(type)) return false
  return ends.some((each) => HEXADECIMAL.test(each)) || !ends.some((each) => DOTTED.test(each))
}

/** A hyphen between dotted numbers can separate the ends of a range. */
function isPlain(text: string | null): boolean {
  if (text === null || text === '*') return true
  if (isSimpleVersion(text)) return !(text.includes('-') || text.endsWith('+')) || !/\.\w+-v?\d+\.|\+$/i.test(text)
  return LABELLED.test(text)
}

/** A version with a patch level. Some of Cisco's records list thousands of them. */
const LABELLED = /^\d[\w.]{0,30} (?:ap|p|sp|update |patch )\d{1,9}$/i

const ONLY_BELOW = /^(?:(?:and|or)\s+)?(?:all\s+)?(?:prior|earlier|below|previous|older|lower)(?:\s+versions?)?$/i
/** Words that include the end in the range, even in `lessThan`: `9.18.0 and below`. */
const END_BELOW = /,? (?:and|or) (?:all )?(?:prior|earlier|below|previous|older|lower)(?: versions?| releases?)?$/i
const FIX_PREFIX = /^(?:upgraded? to|updated? to|fixed in|before|prior to)\s+/i
// regex-bound: readVersionLimits reads at most MAX_STATEMENT_LENGTH (1,024) characters
const FIX_SUFFIX = /\s+(?:or|and) (?:later|newer|higher|above|greater)\b.*$/i
/** A later branch that is not affected, as in `5.3.39, 6.0+`. */
const LATER_BRANCH = /(?<=\d), ?v?\d[\w.]{0,30}\+$/
/** Other advice after the fixed version, as in `Upgrade to version 2.4.1 or block the port`. */
// regex-bound: readVersionLimits reads at most MAX_STATEMENT_LENGTH (1,024) characters
const OTHER_ADVICE = /\s+(?:or|and) (?!v?\d|versions?\b|releases?\b)[a-z].*$/i

function readRange(stated: VersionText, productName: string): VersionText {
  const { version, lessThan, lessThanOrEqual } = stated
  const end = toPlainMarks(lessThan?.replace(LATER_BRANCH, '') ?? lessThanOrEqual ?? '')
  // Some CNAs write the end into `version` and only the comparison into the other member.
  if (end === '<') return { version: null, lessThan: version, lessThanOrEqual: null }
  if (end === '<=' || ONLY_BELOW.test(end)) return { version: null, lessThan: null, lessThanOrEqual: version }
  if (END_BELOW.test(end)) {
    const { end: included, ...mark } = readEnd(end.replace(END_BELOW, ''), productName)
    return { version: readStart(version, included, productName), lessThan: null, lessThanOrEqual: included, ...mark }
  }
  // regex-bound: readVersionLimits reads at most MAX_STATEMENT_LENGTH (1,024) characters
  const [, operator = '', text = ''] = /^(<=?)?\s*(.*)$/.exec(end) ?? []
  const isFixed = FIX_PREFIX.test(text)
  const { end: last, ...mark } = readEnd(isFixed ? trimAdvice(text) : text.replace(FIX_SUFFIX, ''), productName)
  // A text that is no version is served as the source writes it.
  if (isUnreadable(last)) return { ...stated, version: readStart(version, last, productName) }
  // The Israeli CNA (INCD) writes `Upgrade to version 2.4.1` into `lessThanOrEqual` too (11 CVEs): 2.4.1 is not
  // affected.
  const isIncluded = operator === '' ? lessThan === null && !(isFixed && isVersion(last)) : operator === '<='
  return {
    version: readStart(version, last, productName),
    lessThan: isIncluded ? null : last,
    lessThanOrEqual: isIncluded ? last : null,
    ...mark,
  }
}

function trimAdvice(text: string): string {
  return text.replace(FIX_PREFIX, '').replace(FIX_SUFFIX, '').replace(OTHER_ADVICE, '')
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * In `21.2.3 before 2024-06-21`, the date is that of a hotfix for 21.2.3, and versions and dates have no common order.
 */
function dropDate(range: VersionText): VersionText {
  const { version, lessThan, lessThanOrEqual } = range
  const isDated = DATE.test(lessThan ?? lessThanOrEqual ?? '')
  const isVersioned = version !== null && DOTTED.test(version) && !/^\d{4}[-.]/.test(version)
  return isDated && isVersioned ? { version, lessThan: null, lessThanOrEqual: null, isDerived: true } : range
}

/**
 * Words such as `earlier` or `all versions` mean that there is no start. In `2019 (14.0)`, the version in parentheses
 * is the start if the range ends before version 2019.
 */
function readStart(version: string | null, end: string, productName: string): string | null {
  if (version === null || isPlain(version)) return version
  const ranges = readText(version, productName)
  if (ranges === undefined) return /\d/.test(version) ? version : null
  const start = dropWords(ranges[0]?.version ?? null, end)
  const inner = /\((\d[\w.]{0,30})\)/.exec(version)?.[1]
  return inner !== undefined && start !== null && (compareVersions(start, end) ?? 0) > 0 ? inner : start
}

const WORDS = /^(?:[a-z][\w-]* )+(?=v?\d)/i

/** Drops `kubelet` from `kubelet v1.22.0` if the end of the range has no such words. */
function dropWords(start: string | null, end: string): string | null {
  return start === null || WORDS.test(end) ? start : start.replace(WORDS, '')
}

interface ReadEnd extends Pick<VersionText, 'isDerived'> {
  readonly end: string
}

function readEnd(text: string, productName: string): ReadEnd {
  if (isPlain(text)) return { end: text }
  const known = listEnds(text, productName)
  const end = chooseEnd(known) ?? text
  return known.length > 1 && end !== text ? { end, isDerived: true } : { end }
}

function listEnds(text: string, productName: string): readonly string[] {
  // `9,.2` is a misspelt version and no list.
  if (/,\s*\./.test(text)) return []
  const ends = readVersionText(text, productName)?.map((each) => each.lessThan ?? each.lessThanOrEqual ?? each.version)
  return [...new Set(ends?.filter((each) => each !== null))]
}

/**
 * A list names one end per branch, and the greatest end covers all branches. But in a single release train, such as
 * `22.3R2-S2, 22.3R3`, every later release contains the fix, so the range ends at the first, which CNAs list first.
 * Versions of several components, such as `DKCMAIN 90-08-81, SVP 90-08-81`, have no common order.
 */
function chooseEnd(ends: readonly string[]): string | undefined {
  if (new Set(ends.map((each) => WORDS.exec(each)?.[0])).size > 1) return undefined
  const trains = new Set(ends.map(readTrain))
  if (trains.size === 1 && !trains.has(undefined)) return ends[0]
  return ends.toSorted((a, b) => compareVersions(a, b) ?? 0).at(-1)
}
