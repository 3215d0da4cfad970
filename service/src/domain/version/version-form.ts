// Recognises versions, series of versions and commit hashes by their form.

const WORD = '[a-z][\\w/-]{0,30}'
const CORE = '(?:[a-z][a-z_-]{0,23})?[._-]?\\d[\\w.+~:()-]{0,62}(?:/\\d\\d?)?'
/** Labels that follow a version, such as `p2`, `Update 05`, `Service Pack 1`, `AFBT48C` or `20240909`. */
const LABEL =
  '(?:(?:patch|update|upd|hotfix|hot|fix|build|rev|revision|service|pack|errata|beta|alpha|rc|lts|ltsr|ga|rtm|golden|' +
  'refresh|stable|release|esr|eap|arn|dev|mpp|cd|cu|me|sp|hf|p|u|r|q)\\.?|[a-z_.-]{0,12}\\d[\\w.+~:()-]{0,40})'
const VERSION = new RegExp(`^(?:${WORD} ){0,3}${CORE}(?: ${LABEL}){0,5}$`, 'i')
const SIMPLE = new RegExp(`^${CORE}$`, 'i')
const SERIES = /^(.*\d)(?:(?:[.-][*x]+)+|[*])(-[a-z]+)?$/i

/** Maximum length of a version. Longer texts are prose, and would make the regular expressions slow. */
const MAX_VERSION_LENGTH = 96

/** Words that relate versions to each other. A text with one of them is a statement about versions, not a version. */
const RELATION =
  /(?:^| )(?:prior|before|earlier|older|below|until|through|up|to|and|or|from|since|least|than|later|newer|above|fixed|affects?) /i

/** Returns whether the text is one version, which may have words before it and labels after it. */
export function isVersion(text: string): boolean {
  if (text.length > MAX_VERSION_LENGTH || RELATION.test(text)) return false
  return (SIMPLE.test(text) || (text.includes(' ') && VERSION.test(text))) && !(mayBeSeries(text) && SERIES.test(text))
}

/** Returns whether the text is one version without spaces. Most versions are, so callers can skip slower parsing. */
export function isSimpleVersion(text: string): boolean {
  return text.length <= MAX_VERSION_LENGTH && SIMPLE.test(text)
}

/** Returns whether the text stands for all versions of a series, such as `6.1.*`, `9.3.x`, `21.1*` or `21.1*-EVO`. */
export function isSeries(text: string): boolean {
  return parseSeries(text) !== undefined
}

/** Excludes most versions without a regular expression: a series contains `*` or `x`. */
function mayBeSeries(text: string): boolean {
  return text.includes('*') || text.includes('x') || text.includes('X')
}

export interface Series {
  /** First version of the series: `6.1` for `6.1.*`. */
  readonly first: string
  /** First version after the series: `6.2` for `6.1.*`; undefined if the series does not end with a number. */
  readonly next: string | undefined
}

/** Returns undefined for a text that is not a series. */
export function parseSeries(text: string): Series | undefined {
  if (text.length > MAX_VERSION_LENGTH || !mayBeSeries(text)) return undefined
  const [, stem, suffix = ''] = SERIES.exec(text) ?? []
  if (stem === undefined || !isVersion(stem)) return undefined
  const last = /(?<!\d)\d+$/.exec(stem)?.[0]
  const isNumber = last !== undefined && last.length <= 9
  // The next number keeps leading zeros, as in `09-01-*` and `09-02`.
  const next = isNumber
    ? stem.slice(0, -last.length) + String(Number(last) + 1).padStart(last.length, '0') + suffix
    : undefined
  return { first: `${stem}${suffix}`, next }
}

/** Returns whether the text names a build of the version, such as `6.12.0 (Build 1271551)` or `2022.1.2 (Patch)`. */
export function isBuildOf(text: string, version: string): boolean {
  return text.startsWith(`${version} (`)
}

const MIN_HASH_LENGTH = 7
const HASH = /^(?:[\da-f]{7,39}|[\da-fA-F]{40}|[\da-fA-F]{64})$/
/** Model names and builds that consist of the same characters as a hash, such as `da14695` and `b20210419`. */
const MODEL = /^[a-f]{1,2}\d{4,6}$|^[a-f]20\d{6}$/

/**
 * Returns whether the text has the form of a commit hash: 7 or more hexadecimal digits with at least one letter and one
 * digit. Short hashes are written in lower case.
 */
export function isCommitHash(text: string): boolean {
  // Most versions are short or contain a dot; they need no regular expression.
  if (text.length < MIN_HASH_LENGTH || text.includes('.')) return false
  return HASH.test(text) && /[a-f]/i.test(text) && /\d/.test(text) && !MODEL.test(text)
}
