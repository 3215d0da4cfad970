// RPM packages, `[epoch:]version[-release]`. Segments of digits or letters are compared in turn: numbers sort after
// words, a longer list sorts after a shorter one, `~` sorts before everything, and `^` after the end but before any
// further segment. A version without a release sorts before the same version with one. The reference is rpmvercmp of
// librpm, as called by Python's `rpm.labelCompare`.
import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'

interface RpmVersion {
  readonly epoch: string
  readonly version: readonly string[]
  readonly release: readonly string[]
}

const FORM = /^(?:(\d{1,10}):)?([\w.+~^]+)(?:-([\w.+~^]+))?$/

export const rpm = defineScheme<RpmVersion>(
  parseRpm,
  (a, b) =>
    compareDigits(a.epoch, b.epoch) || compareSegments(a.version, b.version) || compareSegments(a.release, b.release),
  () => true,
)

function parseRpm(version: string): RpmVersion | undefined {
  const [, epoch = '0', upstream, release = ''] = FORM.exec(version) ?? []
  return upstream === undefined
    ? undefined
    : { epoch, version: splitSegments(upstream), release: splitSegments(release) }
}

/** All other characters are only separators. */
function splitSegments(text: string): string[] {
  return text.match(/\d+|[A-Za-z]+|[~^]/g) ?? []
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  return compareLists(a, b, (x, y) => {
    const kinds = rankSegment(x) - rankSegment(y)
    if (kinds !== 0 || x === undefined || y === undefined) return kinds
    return isNumber(x) ? compareDigits(x, y) : compareTexts(x, y)
  })
}

/** Undefined stands for the end of the version. */
function rankSegment(segment: string | undefined): number {
  if (segment === '~') return 0
  if (segment === undefined) return 1
  if (segment === '^') return 2
  return isNumber(segment) ? 4 : 3
}

function isNumber(segment: string): boolean {
  return /^\d/.test(segment)
}
