// PHP packages: one to four numbers, or a date, then a stability with numbers, then `dev`. The order is dev < alpha <
// beta < RC < release < patch, and 1.2.x-dev is the end of the series 1.2. Branches such as dev-main have no order. The
// reference is VersionParser and Comparator of the PHP package composer/semver.
import { compareDigits, compareLists, defineScheme } from './scheme.ts'

const STABILITY = '[._-]?(?:(stable|beta|b|rc|alpha|a|patch|pl|p)(\\d*(?:[.-]\\d+)*))?([.-]?dev)?'
const CLASSIC = new RegExp(`^v?(\\d{1,5})(\\.\\d+)?(\\.\\d+)?(\\.\\d+)?${STABILITY}$`)
const DATED = new RegExp(`^v?(\\d{4}(?:[.:-]?\\d{2}){1,6}(?:[.:-]?\\d{1,3}){0,2})${STABILITY}$`)
const SERIES = /^v?(\d+)(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?[.-]?dev$/
const METADATA = /^([^,\s+]+)\+\S+$/
/** Composer's number for the `x` in a series. */
const END_OF_SERIES = '9999999'
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['p', 'patch'],
  ['pl', 'patch'],
])
/** The empty text stands for the end of a version and for numbers. */
const STABILITIES = ['dev', 'alpha', 'beta', 'rc', '', 'patch']

export const composer = defineScheme<readonly string[]>(parseComposer, (a, b) => compareLists(a, b, compareParts))

/** Returns the parts of a version: 1, 2, 0, 0, beta, 3 for `1.2b3`. */
function parseComposer(version: string): string[] | undefined {
  const text = version.trim().toLowerCase()
  const plain = METADATA.exec(text)?.[1] ?? text
  const [isClassic, first = '', second = '.0', third = '.0', fourth = '.0', ...classicEnd] = CLASSIC.exec(plain) ?? []
  if (isClassic !== undefined) return [...splitNumbers(first + second + third + fourth), ...readEnd(classicEnd)]
  const [isDated, date = '', ...datedEnd] = DATED.exec(plain) ?? []
  if (isDated !== undefined) return [...splitNumbers(date), ...readEnd(datedEnd)]
  const [isSeries, major = '', ...others] = SERIES.exec(plain) ?? []
  if (isSeries === undefined) return undefined
  const numbers = [0, 1, 2].map((index) => (others[index] ?? '.x').slice(1))
  return [major, ...numbers.map((each) => (/\d/.test(each) ? each : END_OF_SERIES)), 'dev']
}

function splitNumbers(text: string): string[] {
  return text.split(/\D/).filter((each) => each !== '')
}

function readEnd([stability, numbers = '', dev]: readonly (string | undefined)[]): string[] {
  if (stability === 'stable') return []
  const name = stability === undefined ? [] : [LONG_NAMES.get(stability) ?? stability]
  return [...name, ...splitNumbers(numbers), ...(dev === undefined ? [] : ['dev'])]
}

function compareParts(a: string | undefined, b: string | undefined): number {
  const order = rankStability(a) - rankStability(b)
  if (order !== 0 || rankStability(a) !== STABILITIES.indexOf('')) return order
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  return compareDigits(a, b)
}

function rankStability(part: string | undefined): number {
  return STABILITIES.indexOf(part === undefined || /^\d/.test(part) ? '' : part)
}
