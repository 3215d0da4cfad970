// Decides whether a text of a source says a version. The texts are compared as texts, not as versions: a served version
// must be one that the source wrote.

import { remember } from '../../../../domain/remember.ts'

/** `exact`: the text is the version. `series`: it is a series such as `5.x`. `words`: it contains the version. */
export type Said = 'exact' | 'series' | 'words' | undefined

/** `*` and words that name every version, or the first one. */
const EVERY =
  /^(?:\*|v?0\+?|0\.0(?:\.0)?|all(?: versions?)?|any|-|n\/?a|none|unknown|unspecified|not (?:specified|applicable|available)|null)$/i

export function isEvery(text: string): boolean {
  return EVERY.test(text.trim())
}

/** True for one version without spaces, relations or wildcards. */
export function isPlainVersion(text: string): boolean {
  return /^(?:[a-z]{1,12}[._-]?)?\d[\w.+~:()-]*$/i.test(text.trim()) && !isSeries(text) && !/\w-v?\d+\.\d/i.test(text)
}

/** A record with a thousand single versions compares each of them with each. */
const MAX_REMEMBERED = 50_000

const fold = remember(foldText, MAX_REMEMBERED)

/** True for a full commit hash. */
export function isCommit(text: string): boolean {
  return /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(text.trim())
}

/** True for 8.6 and 8.6.0. */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => dropZeros(foldVersion(each)))
  return a === b
}

function dropZeros(version: string): string {
  return version.endsWith('.0') ? dropZeros(version.slice(0, -2)) : version
}

/**
 * CPE names write underscores for spaces, CNAs write `v` before versions, and CISA-ADP escapes `1.24.17+rke2r1` as
 * `1.24.17\+/rke2r1`.
 */
export function foldVersion(text: string): string {
  return fold(text) ?? ''
}

function foldText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll('\\+/', '+')
    .replaceAll('\\', '')
    .replaceAll(/\p{Dash_Punctuation}/gu, '-')
    .replaceAll(/[\s_]+/g, ' ')
    .replaceAll(/(?<![a-z\d.])v\.?(?=\d)/g, '')
}

/** `isProse`: the text may be a sentence or a list that contains the version. */
export function says(text: string | null, version: string, isProse: boolean): Said {
  if (text === null) return undefined
  const [stated, served] = [foldVersion(text), foldVersion(version)]
  if (stated === served) return 'exact'
  if (listSeriesEnds(stated)?.includes(served.replace(/^[a-z][a-z\d -]* (?=\d)|^[a-z]+(?=\d)/, ''))) return 'series'
  if (isProse && namesSeries(stated, served)) return 'series'
  if (!isProse) return undefined
  return mentions(stated, served) || isPlatform(stated, served) || mentionsTitled(stated, served) ? 'words' : undefined
}

/** `3.2.x` is served for `All versions of 3.2 series`. */
function namesSeries(text: string, version: string): boolean {
  const stem = /^(.*\d)\.x$/.exec(version)?.[1]
  return stem !== undefined && ['series', 'branch'].some((word) => mentions(text, `${stem} ${word}`))
}

/** In `FortiGate 5.4.0 through 5.4.12`, the words before the first version belong to the second one, too. */
function mentionsTitled(text: string, version: string): boolean {
  const [, title, rest] = /^([a-z][a-z -]*[a-z]) (\d.*)$/.exec(version) ?? []
  return title !== undefined && rest !== undefined && text.includes(title) && mentions(text, rest)
}

/** NVD writes Android 13 as 13.0, and manufacturers write `Android13` and `Android 12, 13`. */
function isPlatform(text: string, version: string): boolean {
  const lists = text.matchAll(/(?:android|openwrt|yocto|rdk-b)[ -]?(v?\d[\w.]*(?:(?:, ?| and | & )v?\d[\w.]*)*)/g)
  return Array.from(lists, ([, list = '']) => list.split(/, ?| and | & /))
    .flat()
    .some((stated) => [stated, `${stated}.0`].includes(version))
}

/** Finds the version as a whole word. A build or a patch level may follow in parentheses. */
function mentions(text: string, version: string): boolean {
  for (let at = text.indexOf(version); at >= 0; at = text.indexOf(version, at + 1)) {
    const [before, after] = [
      text.slice(0, at).replace(/(?<![a-z])(?:v|ver|version|rel)\.?$/, ' '),
      text.slice(at + version.length),
    ]
    if (!/[\w.]$/.test(before) && !/^(?:\w|\.\d)/.test(after)) return true
  }
  return toLetters(text).includes(` ${toLetters(version).trim()} `)
}

/** Compares `3.2.0 p2` with `3.2.0, p2` and `11.2 (build 5)` with `11.2 build 5`. */
function toLetters(text: string): string {
  return ` ${text.replaceAll(/[^\w.+~-]+/g, ' ')} `
}

/** Returns `6.1` for `6.1.*` and `5` for `5.x`. `ending` finds the end of a series within a word. */
function listStems(text: string, ending: RegExp): readonly string[] {
  return text.split(/[^\w.*-]+/).flatMap((word) => {
    const end = word.search(ending)
    const [stem = ''] = word.slice(0, Math.max(0, end)).replace(/[.-]$/, '').split('-').slice(-1)
    const start = stem.search(/\d/)
    return start < 0 ? [] : [stem.slice(start)]
  })
}

function isSeries(text: string): boolean {
  return listStems(text, /[*]|\bx\b/i).length > 0
}

/** The first version of a series and the first version after it: 6.1 and 6.2 for `6.1.*`. */
const listSeriesEnds = remember(readSeriesEnds, MAX_REMEMBERED)

function readSeriesEnds(text: string): readonly string[] {
  const stems = listStems(text, /[*]|(?<!x)x+\b/i)
  const ofBranch = /^.* (\d[\w.]*) (?:series|branch)$/.exec(text)?.[1]
  const branch = /^(.*\d) (?:series|branch)$/.exec(text)?.[1]
  // `5.13.0-52*` has the stems 52 and 5.13.0-52, and `10-00-*` has 10-00; `11.x-dev` is the series of 11-dev.
  const whole = /^v?(\d[\w.-]*\d)-?\*$/.exec(text)?.[1]
  const found = [...stems, branch, ofBranch, whole].filter((each) => each !== undefined)
  const suffix = /[x*](-[a-z]+)$/.exec(text)?.[1] ?? ''
  return found.flatMap((stem) => [stem, increase(stem), stem + suffix, increase(stem) + suffix])
}

/** 1.4 for 1.3.2: the version after the branch of a fixed version. */
export function findNextBranch(version: string): string | undefined {
  const stem = /^(.*\d)\.\d+$/.exec(version)?.[1]
  return stem === undefined ? undefined : increase(stem)
}

function increase(stem: string): string {
  return stem.replace(/\d{1,19}$/, (last) => String(Number(last) + 1).padStart(last.length, '0'))
}
