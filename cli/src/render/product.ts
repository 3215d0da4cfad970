// A CPE match in words: `cpe:2.3:a:maker:thing:1.0:rc1:…` is for machines.

interface Match {
  readonly criteria: string
  readonly versionStartIncluding?: string
  readonly versionStartExcluding?: string
  readonly versionEndIncluding?: string
  readonly versionEndExcluding?: string
}

/** Editions and platforms are left out: they tell few readers anything. */
export function productOf(match: Match): string {
  // Colons in names are escaped.
  const [, , , vendor = '', product = '', version = '', update = ''] = match.criteria.split(/(?<!\\):/)
  const name = [vendor, product, ...[version, update].filter((each) => !/^[*-]?$/.test(each))]
  return [name.join(' ').replace(/\\(.)/g, '$1'), versionsOf(match)].join(' ').trim()
}

function versionsOf(match: Match): string {
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
