// Compares the ranges and fixes in detail records with the raw record of their source.
import { namesFix } from './check-affected.ts'
import { type Compared, compareMatches } from './check-matches.ts'
import { compareRange, OPEN_RANGE, type ServedRange } from './compare-range.ts'
import { type Raw, toRaw, toRaws, toWords } from './raw-json.ts'
import type { ServedDetail } from './served-values.ts'
import { isSaidBy, RULES, type Statement } from './statement.ts'

export function compareDetailRanges(
  { source, record }: ServedDetail,
  statements: readonly Statement[],
): readonly Compared[] {
  const own = statements.filter((each) => each.record === source)
  const affected = toRaw(record['affected_products'])
  return [
    ...toRaws(affected['products']).flatMap((product) => compareProduct(product, own)),
    ...compareDetailMatches(affected, source, statements),
  ]
}

function compareDetailMatches(affected: Raw, record: string, statements: readonly Statement[]): readonly Compared[] {
  const stated = toWords(affected['cpe_source'])
  const matches = toRaws(affected['cpe_configurations'])
  if (matches.length === 0) return []
  return compareMatches(matches, { source: (stated ?? '').replace(/^derived:/, ''), record }, statements)
}

function compareProduct(product: Raw, statements: readonly Statement[]): readonly Compared[] {
  const named = statements.filter((each) => isSameProduct(product, each))
  if (named.length === 0) return ['product']
  return toRaws(product['versions']).map((range) => compareDetailRange(range, named))
}

/** Words that CNAs write instead of a name are left out. */
function isSameProduct(product: Raw, { vendor, product: stated, purl }: Statement): boolean {
  const url = toWords(product['package_url'])
  if (url !== null) return url === purl
  const [ofVendor, name] = [toWords(product['vendor']) ?? '', toWords(product['product']) ?? '']
  return (ofVendor === '' || ofVendor === vendor) && (name === '' || stated === name || stated.startsWith(`${name} `))
}

/** A product without a version has the range of an open end, or none at all. */
function compareDetailRange(range: Raw, statements: readonly Statement[]): Compared {
  const [version, before, through] = [range['version'], range['less_than'], range['less_than_or_equal']].map(toWords)
  const isAffected = range['affected'] === true
  const [end, unknown] = [before ?? through ?? null, toWords(range['unknown_end'])]
  if (unknown !== null) return statements.some((each) => namesEnd(each, unknown)) ? undefined : 'end'
  const isOpenEnded = statements.every((each) => each.isOpenEnded)
  const isAlone = end === null && version !== null && !isOpenEnded
  const served: ServedRange = isAlone
    ? { ...OPEN_RANGE, isAffected, versions: [version ?? ''] }
    : {
        ...OPEN_RANGE,
        isAffected,
        low: version === '0' || version === '*' ? null : (version ?? null),
        isLowIncluded: true,
        high: end === '*' ? null : end,
        isHighIncluded: (before ?? null) === null,
      }
  return isVerbatim(range, statements) ? undefined : compareRange(served, statements)
}

/** An end that is no version is served as the source's text. */
function namesEnd({ ranges }: Statement, text: string): boolean {
  return ranges.some(({ before, through }) => before === text || through === text)
}

/** Every member has the source's own text, even if the text is no version. */
function isVerbatim(served: Raw, statements: readonly Statement[]): boolean {
  const [version, before, through] = [served['version'], served['less_than'], served['less_than_or_equal']].map(toWords)
  const status = served['affected'] === true ? 'affected' : 'unaffected'
  return statements.some(({ ranges }) =>
    ranges.some(
      (range) =>
        (range.status === status || (status === 'unaffected' && range.status === 'unknown')) &&
        (range.from ?? range.only) === version &&
        range.before === before &&
        range.through === through,
    ),
  )
}

/** A fix can have rivals: other versions that sources name. */
export function compareFixes({ record }: ServedDetail, statements: readonly Statement[]): readonly Compared[] {
  return toRaws(record['fixes']).flatMap((fix) => [
    compareFix(fix, statements),
    ...toRaws(fix['rivals'])
      .filter((rival) => rival['affected'] !== true)
      .map((rival) => compareFix(rival, statements)),
  ])
}

/** A fix of the source `rules` is our conclusion. */
function compareFix(fix: Raw, statements: readonly Statement[]): Compared {
  const [source, version] = [toWords(fix['source']) ?? '', toWords(fix['version']) ?? '']
  if (source === RULES) return undefined
  const bySource = statements.filter((each) => isSaidBy(each, source))
  if (bySource.length === 0) return 'source'
  return bySource.some((each) => namesFix(each, version)) ? undefined : 'fix'
}
