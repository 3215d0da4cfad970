// Python packages according to PEP 440: epoch, release numbers, then dev < a < b < rc < release < post, then the local
// version. `1.0-Alpha.1` and `1.0a1` are equal. The reference is the Python package `packaging`, which pip uses.
import { compare, valid } from '@renovatebot/pep440'
import { compareDigits, compareLists, compareTexts, defineScheme } from './scheme.ts'

interface PythonVersion {
  readonly publicPart: string
  /** Kept separately: @renovatebot/pep440 reads parts of Git hashes, such as 5e12 and 0x1f, as numbers. */
  readonly localParts: readonly string[]
}

/** @renovatebot/pep440 rounds numbers this long. */
const LONG_NUMBER = /\d{16}/

export const pep440 = defineScheme<PythonVersion>(
  parsePython,
  (a, b) => compare(a.publicPart, b.publicPart) || compareLists(a.localParts, b.localParts, compareLocalParts),
)

function parsePython(version: string): PythonVersion | undefined {
  const text = version.trim()
  const [publicPart = '', local = ''] = text.split('+')
  if (valid(text) === null || LONG_NUMBER.test(publicPart)) return undefined
  return { publicPart, localParts: local === '' ? [] : local.toLowerCase().split(/[._-]/) }
}

function compareLocalParts(a: string | undefined, b: string | undefined): number {
  const order = rankLocalPart(a) - rankLocalPart(b)
  if (order !== 0 || a === undefined || b === undefined) return order
  return isNumber(a) ? compareDigits(a, b) : compareTexts(a, b)
}

/** Undefined stands for the end of the local version. */
function rankLocalPart(part: string | undefined): number {
  if (part === undefined) return 0
  return isNumber(part) ? 2 : 1
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part)
}
