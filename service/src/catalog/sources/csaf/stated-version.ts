// Reads the version of a product in a CSAF document: a version, a version range specifier (`vers:generic/>=1.0|<1.4`), or
// a text such as `< 08A06`.
import type { AffectedRange } from '../../model/claim.ts'
import { readVersionLimits } from '../versions/read-version-limits.ts'
import { MAX_STATEMENT_LENGTH } from '../versions/version-tokens.ts'

type Stated = Pick<AffectedRange, 'version' | 'lessThan' | 'lessThanOrEqual' | 'isCommit' | 'isDerived' | 'statedText'>

const EVERY_VERSION: Stated = { version: '0', lessThan: '*', lessThanOrEqual: null }
const ALL = /^(?:\*|all|all versions?|any|any versions?)$/i

/** A text that cannot be read stays as it is: which versions it means is then unknown. */
export function readStatedVersion(text: string, vendor: string, product: string): readonly Stated[] {
  const unread: Stated = { version: text, lessThan: null, lessThanOrEqual: null }
  if (text.length > MAX_STATEMENT_LENGTH) return [unread]
  const specifier = /^vers:[a-z\d.+-]{1,40}\/(.*)$/i.exec(text)?.[1]
  const ranges = specifier === undefined ? readText(text, vendor, product) : readSpecifier(specifier, product)
  if (ranges === undefined) return [unread]
  const [only] = ranges
  const isSame =
    ranges.length === 1 && only?.version === text && only.lessThan === null && only.lessThanOrEqual === null
  return isSame ? ranges : ranges.map((each) => ({ ...each, statedText: text }))
}

function readText(text: string, vendor: string, product: string): readonly Stated[] {
  const versions = text.split(' | ').map((each) => dropName(each.trim(), product))
  return versions.flatMap((version) =>
    ALL.test(version) ? [EVERY_VERSION] : readVersionLimits({ version: toSeries(version) }, `${vendor} ${product}`),
  )
}

/** Palo Alto Networks writes `10.2 All` for all versions of 10.2. */
function toSeries(version: string): string {
  return version.replace(/^(\d[\w.]{0,30}) All$/, '$1.*')
}

/** Palo Alto Networks writes `PAN-OS 8.0.*` as the version of PAN-OS, and `PAN-OS>=8.0.10` in specifiers. */
function dropName(text: string, product: string): string {
  const isNamed = product !== '' && text.toLowerCase().startsWith(product.toLowerCase())
  return isNamed && text.length > product.length ? text.slice(product.length).trim() : text
}

const CONSTRAINT = /^(>=|<=|!=|<|>|=)?\s{0,9}([^<>=!]+)$/
/** Some publishers leave out the bar in `>=1.0|<1.4`. */
const BEFORE_CONSTRAINT = /(?<=[^<>=!])(?=[<>=!])/

/** Returns undefined if the specifier excludes versions, or is invalid. */
function readSpecifier(specifier: string, product: string): readonly Stated[] | undefined {
  const ranges: Stated[] = []
  let start: string | null = null
  const parts = specifier.split('|').flatMap((each) => dropName(each.trim(), product).split(BEFORE_CONSTRAINT))
  for (const part of parts) {
    const [, operator = '=', encoded = ''] = CONSTRAINT.exec(part) ?? []
    const version = decodeVersion(encoded.trim())
    if (version === '' || operator === '!=') return undefined
    if (ALL.test(version)) return operator === '>' || operator === '>=' ? undefined : [EVERY_VERSION]
    if (operator.startsWith('<')) {
      ranges.push(operator === '<' ? toRange(start, version, null) : toRange(start, null, version))
      start = null
      continue
    }
    if (start !== null) return undefined
    if (operator === '=') ranges.push(toRange(version, null, null))
    else start = version
  }
  return start === null ? ranges : [...ranges, toRange(start, '*', null)]
}

function toRange(version: string | null, lessThan: string | null, lessThanOrEqual: string | null): Stated {
  return { version, lessThan, lessThanOrEqual }
}

function decodeVersion(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
