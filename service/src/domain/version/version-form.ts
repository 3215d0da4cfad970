// Recognises versions, version series and commit hashes by their form.

const WORD = '[a-z][\\w/-]{0,30}'
const CORE = '(?:[a-z][a-z_-]{0,23})?[._-]?\\d[\\w.+~:()-]{0,62}(?:/\\d\\d?)?'
/** A label after a version, such as `p2`, `Update 05`, `Service Pack 1`, `AFBT48C` or `20240909`. */
const LABEL =
  '(?:(?:patch|update|upd|hotfix|hot|fix|build|rev|revision|service|pack|errata|beta|alpha|rc|lts|ltsr|ga|rtm|golden|' +
  'refresh|stable|release|esr|eap|arn|dev|mpp|cd|cu|me|sp|hf|p|u|r|q)\\.?|[a-z_.-]{0,12}\\d[\\w.+~:()-]{0,40})'
const VERSION = new RegExp(`^(?:${WORD} ){0,3}${CORE}(?: ${LABEL}){0,5}$`, 'i')
const SIMPLE = new RegExp(`^${CORE}$`, 'i')
/** `24b8ed847` is part of a commit hash and has no next number. */
const NUMBERED = /(?:^|[^\da-z])[a-z]{0,23}\d+$/i
const SERIES = /^(.*\d)(?:(?:[.-][*x]+)+|[*])(-[a-z]+)?$/i

/** Longer texts are prose and would slow down the regular expressions. */
const MAX_VERSION_LENGTH = 96

/** A text that relates versions to each other is a statement, not a version. */
const RELATION =
  /(?:^| )(?:prior|before|earlier|older|below|until|through|up|to|and|or|from|since|least|than|later|newer|above|fixed|affects?) /i

/** `See advisory XSA-417` refers to another text, and `N3 Firmware 2.02` names a model and its version. */
const STATEMENT = /^(?:see|refer|consult|check) | (?:versions?|ver\.?|firmware) /i

/** A series before other words, as in `5.x 4.x`: the text names several versions. */
const SERIES_INSIDE = /\d\.[x*] /i

/** A version may have words before it and labels after it. */
export function isVersion(text: string): boolean {
  if (text.length > MAX_VERSION_LENGTH || (mayBeSeries(text) && SERIES.test(text))) return false
  if (!text.includes(' ')) return SIMPLE.test(text)
  const isProse = RELATION.test(text) || STATEMENT.test(text) || SERIES_INSIDE.test(text)
  return !isProse && (SIMPLE.test(text) || VERSION.test(text))
}

/** True for text without spaces, as in most versions; callers can then skip slower parsing. */
export function isSimpleVersion(text: string): boolean {
  return text.length <= MAX_VERSION_LENGTH && SIMPLE.test(text)
}

/** Returns true for example for `6.1.*`, `9.3.x`, `21.1*` or `21.1*-EVO`. */
export function isSeries(text: string): boolean {
  return parseSeries(text) !== undefined
}

/** Excludes most versions without a regular expression. */
function mayBeSeries(text: string): boolean {
  return text.includes('*') || text.includes('x') || text.includes('X')
}

export interface Series {
  /** The first version of the series: `6.1` for `6.1.*`. */
  readonly first: string
  /** The version after the series: `6.2` for `6.1.*`; undefined if the series does not end with a number. */
  readonly next: string | undefined
}

export function parseSeries(text: string): Series | undefined {
  if (text.length > MAX_VERSION_LENGTH || !mayBeSeries(text)) return undefined
  const [, stem, suffix = ''] = SERIES.exec(text) ?? []
  if (stem === undefined || !isVersion(stem) || !NUMBERED.test(stem)) return undefined
  const last = /(?<!\d)\d+$/.exec(stem)?.[0]
  const isNumber = last !== undefined && last.length <= 9
  // Leading zeros are kept: `09-01-*` is followed by `09-02`.
  const next = isNumber
    ? stem.slice(0, -last.length) + String(Number(last) + 1).padStart(last.length, '0') + suffix
    : undefined
  return { first: `${stem}${suffix}`, next }
}

const EVERY = /^(?:\*|all\b.*)$/i

/**
 * True for a URL, a date in words or other prose in place of a limit. Words for every version, such as `*` and `all
 * versions`, are readable.
 */
export function isUnreadable(text: string): boolean {
  return !EVERY.test(text) && !isVersion(text) && !isSeries(text) && !isCommitHash(text)
}

/** True for a text that is no version at all, readable or not: it has no digit, or is a URL. */
export function isNoVersion(text: string): boolean {
  return !EVERY.test(text) && (!/\d/.test(text) || text.includes('://'))
}

/** Returns true for `6.12.0 (Build 1271551)` or `2022.1.2 (Patch)`. */
export function isBuildOf(text: string, version: string): boolean {
  return text.startsWith(`${version} (`)
}

const MIN_HASH_LENGTH = 7
const HASH = /^(?:[\da-f]{7,39}|[\da-fA-F]{40}|[\da-fA-F]{64})$/
/** Models and builds that consist of the characters of a hash, such as `da14695`, `d15655150` and `b20210419`. */
const MODEL = /^[a-f]{1,2}\d{4,9}$/

/** A hash has 7 or more hexadecimal digits, with at least one letter and one digit. Short hashes are in lower case. */
export function isCommitHash(text: string): boolean {
  // Most versions are short or contain a dot, and need no regular expression.
  if (text.length < MIN_HASH_LENGTH || text.includes('.')) return false
  return HASH.test(text) && /[a-f]/i.test(text) && /\d/.test(text) && !MODEL.test(text)
}
