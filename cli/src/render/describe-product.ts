// Describes a CPE match for people: `cpe:2.3:a:apache:log4j:2.0:rc1:…` becomes "apache log4j 2.0 rc1".

interface CpeMatch {
  readonly criteria: string
  readonly versionStartIncluding?: string
  readonly versionStartExcluding?: string
  readonly versionEndIncluding?: string
  readonly versionEndExcluding?: string
}

/** Describes a product without its edition and platform, which matter to few readers. */
export function describeProduct(match: CpeMatch): string {
  // Splits at unescaped colons, because vendor and product names may contain escaped colons.
  const [, , , vendor = '', product = '', version = '', update = ''] = match.criteria.split(/(?<!\\):/)
  const name = [vendor, product, ...[version, update].filter((each) => !/^[*-]?$/.test(each))]
  return [name.join(' ').replace(/\\(.)/g, '$1'), describeVersions(match)].join(' ').trim()
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
