// Describes a CPE match for people: `cpe:2.3:a:apache:log4j:2.0:rc1:…` becomes "apache log4j 2.0 rc1".

interface CpeMatch {
  readonly criteria: string
  readonly versionStartIncluding?: string | null
  readonly versionStartExcluding?: string | null
  readonly versionEndIncluding?: string | null
  readonly versionEndExcluding?: string | null
}

/** Lists the distinct vulnerable products as vendor and name, without versions: "apache log4j". */
export function listProductNames(matches: readonly (CpeMatch & { readonly vulnerable: boolean })[]): readonly string[] {
  const names = matches.filter(({ vulnerable }) => vulnerable).map(({ criteria }) => splitCpe(criteria))
  return [...new Set(names.map(({ vendor, product }) => removeEscapes(`${vendor} ${product}`)))]
}

/** Splits a CPE name at unescaped colons, because vendor and product names may contain escaped colons. */
function splitCpe(criteria: string) {
  const [, , , vendor = '', product = '', version = '', update = ''] = criteria.split(/(?<!\\):/)
  return { vendor, product, version, update }
}

function removeEscapes(name: string): string {
  return name.replace(/\\(.)/g, '$1')
}

/** Describes a product without its edition and platform, which matter to few readers. */
export function describeProduct(match: CpeMatch): string {
  const { vendor, product, version, update } = splitCpe(match.criteria)
  const name = [vendor, product, ...[version, update].filter((each) => !/^[*-]?$/.test(each))]
  return [removeEscapes(name.join(' ')), describeVersions(match)].join(' ').trim()
}

function describeVersions(match: CpeMatch): string {
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match
  return [
    versionStartIncluding ? `from ${versionStartIncluding}` : '',
    versionStartExcluding ? `after ${versionStartExcluding}` : '',
    versionEndIncluding ? `up to ${versionEndIncluding}` : '',
    versionEndExcluding ? `before ${versionEndExcluding}` : '',
  ]
    .filter((each) => each !== '')
    .join(' ')
}

/** A product as a source names it, with versions that are affected or not. */
interface NamedProduct {
  readonly vendor: string
  readonly product: string
  readonly affected?: boolean
  readonly status_unknown?: true
  readonly affected_by_default: boolean
  readonly versions: readonly NamedVersion[]
}

interface NamedVersion {
  readonly affected: boolean
  readonly version: string | null
  readonly less_than: string | null
  readonly less_than_or_equal: string | null
}

const MAX_VERSIONS = 6

/** Describes a product with its versions: "Apache Log4j: from 2.0 before 2.15.0; not affected: 2.12.2". */
export function describeNamedProduct(named: NamedProduct): string {
  const { vendor, product, affected: isAffected, status_unknown, affected_by_default, versions } = named
  const listRanges = (areAffected: boolean) =>
    versions.filter((each) => each.affected === areAffected).map(describeNamedVersion)
  const [affected, unaffected] = [listRanges(true), listRanges(false)]
  const parts = [
    ...capVersions(affected_by_default ? ['every version that is not listed', ...affected] : affected),
    ...(unaffected.length > 0 ? [`not affected: ${capVersions(unaffected).join(', ')}`] : []),
  ]
  if (parts.length > 0) return `${vendor} ${product}: ${parts.join('; ')}`
  if (status_unknown) return `${vendor} ${product}: not known whether it is affected`
  return isAffected === false ? `${vendor} ${product}: no affected version` : `${vendor} ${product}`
}

function describeNamedVersion({ version, less_than, less_than_or_equal }: NamedVersion): string {
  // In the CVE record format, version 0 means a range without a start, and `*` a range without an end.
  const start = version === null || version === '0' ? '' : `from ${version} `
  if (less_than === '*' || less_than_or_equal === '*') return start.trim() || 'every version'
  if (less_than !== null) return `${start}before ${less_than}`
  if (less_than_or_equal !== null) return `${start}up to ${less_than_or_equal}`
  return version ?? 'every version'
}

function capVersions(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_VERSIONS
  return more > 0 ? [...texts.slice(0, MAX_VERSIONS), `and ${more} more`] : texts
}
