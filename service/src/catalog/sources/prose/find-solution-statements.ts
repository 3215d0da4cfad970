// Finds fixed versions in solutions. A solution is the vendor's text about the remedy, so `Update Example Router to
// 2.4.1` names a fix even without a recommendation, which would be required in a description. These forms add the fix
// for 271 CVEs; each of the 271 hits was read and names a fixed version. In solutions of CVEs that also have fixed
// versions as structured data, 98 % of 4,979 versions agree; the others mostly belong to another branch. Each statement
// is read from a limited number of words, which takes linear time.
import type { FixStatement } from '../../model/fix-evidence.ts'
import {
  describe,
  END_OF_SENTENCE,
  findVersion,
  hasWord,
  NEGATION,
  NEGATION_DISTANCE,
  REMEDIES,
  readLabelledVersion,
  readVersion,
  splitWords,
  toWord,
} from './find-fix-statement.ts'

const UPGRADE = /^up(?:grade|date)[sd]?$|^up(?:grad|dat)ing$/
/**
 * `corrected` is missing, because tables have the heading `Corrected in Firmware Revision` before the affected
 * versions.
 */
const FIXED = /^(?:fixed|patched|resolved|solved|addressed|remediated)$/
/** Products or the vendor's name may come between `update` and `to`, or `fixed` and `in`. */
const MAX_OBJECT_WORDS = 10
/** Maximum number of words between `to` and the version, as in `to the latest version of Example Router 2.4.1`. */
const MAX_NAME_WORDS = 12
/**
 * A version after one of these words is the last affected one (`later than 2.4.1`), or does not belong to the product.
 */
const OTHER_VERSION =
  /^(?:than|>|from|php|python|java|jdk|jre|node(?:\.?js)?|mysql|mariadb|postgresql|glibc|openssl|android|ios|macos|windows|tls|ssl|smb\w*|snmp\w*|http\S*|cvss|before|prior|below)$/
/** Words before a second number, as in `1.2.59 DB.ver 41`. The affected version may differ only in that number. */
const FURTHER_NUMBER = /^(?:build|rev|revision|patch|hotfix|hf|sp)$|^b\d{1,9}$|\bver$/
/** Words for a fix that does not exist yet, as in `will be fixed in 2.4.1`. */
const PLANNED = /^(?:will|planned|plans|scheduled|expected|future|upcoming)$/
/** Matches the word after the version in `Upgrade to 2.4.1 once it is available`. */
const WHEN_AVAILABLE = /^once$/
const VERSION_ONLY = /^(?:versions?|and|or|later|higher|newer|above|onwards?|released?|firmware|software|\W*)$/
const MAX_VERSION_ONLY_WORDS = 5

/** Lists the statements in the order of the text. */
export function listSolutionStatements(text: string): readonly FixStatement[] {
  const words = splitWords(text.trim())
  const only = readVersionOnly(words)
  if (only !== undefined) return [only]
  return [...words.keys()].flatMap((at) => readSolution(words, at) ?? [])
}

function readSolution(words: readonly string[], at: number): FixStatement | undefined {
  const word = toWord(words[at])
  if (UPGRADE.test(word)) return readAfter('upgrade to', words, at, /^to$/)
  if (FIXED.test(word)) return readFixedVersion(words, at) ?? readAfter('fixed in', words, at, /^(?:in|at)$/)
  return readFixing(words, at)
}

/** Reads `Update Example Router to version 2.4.1` or `fixed by the vendor in version 2.4.1`. */
function readAfter(phrase: FixStatement['phrase'], words: readonly string[], at: number, preposition: RegExp) {
  if (END_OF_SENTENCE.test(words[at] ?? '.')) return undefined
  const to = findPreposition(words, at + 1, preposition)
  const version = to === undefined ? undefined : findVersion(words, to + 1, MAX_NAME_WORDS)
  if (to === undefined || version === undefined) return undefined
  const end = findVersionAt(words, to + 1)
  const isRefuted =
    hasWord(words, at - NEGATION_DISTANCE, at, NEGATION) ||
    hasWord(words, at - NEGATION_DISTANCE, end, PLANNED) ||
    hasWord(words, end + 1, end + 3, WHEN_AVAILABLE) ||
    hasWord(words, to + 1, end, OTHER_VERSION) ||
    (!version.includes(' ') && hasWord(words, end + 1, end + 2, FURTHER_NUMBER))
  return isRefuted ? undefined : describe(phrase, version)
}

function findVersionAt(words: readonly string[], from: number): number {
  let at = from
  while (at < words.length && readVersion(words[at]) === undefined) at += 1
  return at
}

function findPreposition(words: readonly string[], from: number, preposition: RegExp): number | undefined {
  for (let at = from; at <= from + MAX_OBJECT_WORDS && at < words.length; at += 1) {
    if (preposition.test(toWord(words[at]))) return at
    if (END_OF_SENTENCE.test(words[at] ?? '.')) return undefined
  }
  return undefined
}

/** Reads `the patched version 2.4.1`. */
function readFixedVersion(words: readonly string[], at: number): FixStatement | undefined {
  const isVersion = /^versions?$/.test(toWord(words[at + 1]))
  return isVersion ? describe('fixed in', readLabelledVersion(words, at + 2)) : undefined
}

/** Reads `The vendor released version 2.4.1, which resolves the issue`. */
function readFixing(words: readonly string[], at: number): FixStatement | undefined {
  const isFixing = /^(?:which|that|to)$/.test(toWord(words[at + 1])) && REMEDIES.test(toWord(words[at + 2]))
  return isFixing ? describe('fixed in', readVersion(words[at])) : undefined
}

/** Reads a solution that consists only of a version, such as `2.4.1 and later`. */
function readVersionOnly(words: readonly string[]): FixStatement | undefined {
  if (words.length > MAX_VERSION_ONLY_WORDS || !words.slice(1).every((each) => VERSION_ONLY.test(toWord(each))))
    return undefined
  return describe('fixed in', readVersion(words[0]))
}
