// Ruby gems: numbers and words, separated by dots or by a change between digits and letters; a hyphen stands for
// `.pre.`. A word marks a prerelease and sorts before any number, so 1.0.a is before 1.0. Words sort alphabetically,
// capitals first, and trailing zeros do not count. The reference is Ruby's Gem::Version.
import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'

const FORM = /^\d+(?:\.[\dA-Za-z]+)*(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/

export const gem = defineScheme<readonly string[]>(parseGem, (a, b) => compareLists(a, b, compareSegments))

function parseGem(version: string): string[] | undefined {
  const text = version.trim()
  if (!FORM.test(text)) return undefined
  const segments = text.replaceAll('-', '.pre.').match(/\d+|[A-Za-z]+/g) ?? []
  const numbers = segments.findIndex((each) => !isNumber(each))
  if (numbers === -1) return dropZeros(segments)
  return [...dropZeros(segments.slice(0, numbers)), ...dropZeros(segments.slice(numbers))]
}

function isNumber(segment: string): boolean {
  return /^\d/.test(segment)
}

function dropZeros(segments: readonly string[]): string[] {
  const last = segments.findLastIndex((each) => !isNumber(each) || compareDigits(each, '0') !== 0)
  return segments.slice(0, last + 1)
}

function compareSegments(a = '0', b = '0'): number {
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 1 : -1
  return isNumber(a) ? compareDigits(a, b) : compareTexts(a, b)
}
