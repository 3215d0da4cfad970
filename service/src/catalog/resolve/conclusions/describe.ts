// Describes conclusions in words, as `include=sources` and `catalog explain` show them.
import { toDisplayName, toLeadingName } from '../../../domain/source/provider-names.ts'
import type { Affected, AffectedRange, Provider } from '../../model/claim.ts'
import type { AffectedVersion, Conclusion, UnaffectedVersions } from '../../model/conclusion.ts'

const MAX_VERSIONS = 5

/** For example `2.4 is affected: NVD lists it as affected; GitHub calls it fixed.` */
export function describeConclusion(conclusion: Conclusion): string {
  return conclusion.kind === 'affected' ? describeAffected(conclusion) : describeUnaffected(conclusion)
}

function describeAffected({ version, products, against, listedBy, describedBy }: AffectedVersion): string {
  const evidence = [
    ...(listedBy.length > 0
      ? [`${joinNames(listedBy)} ${listedBy.length === 1 ? 'lists' : 'list'} it as affected`]
      : []),
    ...(describedBy.length > 0 ? [`${describeTexts(describedBy)} it as affected`] : []),
  ]
  const name = products?.[0] === undefined ? version : `${nameProduct(products[0])} ${version}`
  return `${name} is affected: ${evidence.join(', and ')}. ${describeOthers(against)} it fixed.`
}

function describeTexts(providers: readonly Provider[]): string {
  const isOne = providers.length === 1
  return `the ${isOne ? 'description' : 'descriptions'} of ${joinNames(providers)} ${isOne ? 'names' : 'name'}`
}

function describeOthers(against: readonly Provider[]): string {
  const [first = '', ...others] = against
  const names = joinNames([first, ...others])
  const lead = names.replace(toDisplayName(first), toLeadingName(first))
  return `${lead} ${against.length === 1 ? 'calls' : 'call'}`
}

function describeUnaffected({ product, against, listedBy, mayAffectOthers }: UnaffectedVersions): string {
  const versions = describeRanges(product.ranges)
  const by = `${joinNames(listedBy)} ${listedBy.length === 1 ? 'lists' : 'list'} them as unaffected`
  const others = mayAffectOthers ? ' Other versions may be affected.' : ''
  return `${nameProduct(product)} ${versions}: unaffected, because ${by}. ${describeOthers(against)} them affected.${others}`
}

function describeRanges(ranges: readonly AffectedRange[]): string {
  const shown = ranges.slice(0, MAX_VERSIONS).map(describeRange)
  const omitted = ranges.length - shown.length
  return omitted === 0 ? shown.join(', ') : `${shown.join(', ')} and ${omitted} more`
}

function describeRange({ version, lessThan, lessThanOrEqual }: AffectedRange): string {
  const end = lessThan === null ? lessThanOrEqual : lessThan
  if (end === null) return version ?? 'all versions'
  return `${version ?? '0'} ${lessThan === null ? 'through' : 'before'} ${end}`
}

function nameProduct({ vendor, product }: Affected): string {
  return `${vendor} ${product}`.trim()
}

function joinNames(providers: readonly Provider[]): string {
  const names = providers.map(toDisplayName)
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
