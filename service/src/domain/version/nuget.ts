// .NET packages: one to four numbers, case-insensitive prerelease labels as in Semantic Versioning, and ignored
// metadata. Missing numbers are zero, and a label that does not fit into 32 bits is a word. The reference is
// NuGet.Versioning of the NuGet client.
import { compareLists, compareTexts, defineScheme } from './scheme.ts'

interface NugetVersion {
  readonly numbers: readonly number[]
  /** Empty for a version that is not a prerelease. */
  readonly labels: readonly string[]
}

const FORM = /^(\d+(?:\.\d+){0,3})(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/
const LEADING_ZERO = /^0\d+$/
const INTEGER = /^-?\d{1,10}$/
const MAX_NUMBER = 2 ** 31 - 1

export const nuget = defineScheme<NugetVersion>(parseNuget, (a, b) => {
  const order = compareLists(a.numbers, b.numbers, (x = 0, y = 0) => x - y)
  if (order !== 0) return order
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length
  return compareLists(a.labels, b.labels, compareLabels)
})

function parseNuget(version: string): NugetVersion | undefined {
  const [, digits, label] = FORM.exec(version.trim()) ?? []
  if (digits === undefined) return undefined
  const numbers = digits.split('.').map(Number)
  const labels = label?.split('.') ?? []
  if (numbers.some((each) => each > MAX_NUMBER) || labels.some((each) => LEADING_ZERO.test(each))) return undefined
  return { numbers, labels }
}

function compareLabels(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  const [x, y] = [readInteger(a), readInteger(b)]
  if (x !== undefined && y !== undefined) return x - y
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1
  return compareTexts(a.toUpperCase(), b.toUpperCase())
}

/** NuGet also reads `-1` as a number. */
function readInteger(label: string): number | undefined {
  if (!INTEGER.test(label)) return undefined
  const value = Number(label)
  return value <= MAX_NUMBER && value >= -MAX_NUMBER - 1 ? value : undefined
}
