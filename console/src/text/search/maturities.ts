// The maturity of exploits as a facet. The API's levels exclude each other, so that "exploited" alone would leave out the
// CVEs that ransomware uses. The facet offers all exploited CVEs, and those that ransomware uses as a part of them. The
// filter keeps the API's values.
const ALL_EXPLOITED = ['active', 'ransomware'] as const

/** Returns the checked values of the facet: `active` stands for both levels of exploitation. */
export function listChosenMaturities(filter: readonly string[]): readonly string[] {
  if (ALL_EXPLOITED.every((each) => filter.includes(each))) return filter.filter((each) => each !== 'ransomware')
  return filter.filter((each) => each !== 'active')
}

/** Returns whether the filter has one of the two levels of exploitation, so that the facet's value is partly chosen. */
export function isPartlyExploited(filter: readonly string[]): boolean {
  return filter.includes('active') !== filter.includes('ransomware')
}

/** Returns the filter after a person checks or clears a value of the facet. */
export function chooseMaturity(filter: readonly string[], value: string, isOn: boolean): readonly string[] {
  const replaces = isLevelOfExploitation(value) ? isLevelOfExploitation : (each: string) => each === value
  const others = filter.filter((each) => !replaces(each))
  if (!isOn) return others
  return [...others, ...(value === 'active' ? ALL_EXPLOITED : [value])]
}

function isLevelOfExploitation(value: string): boolean {
  return value === 'active' || value === 'ransomware'
}

interface Counted {
  readonly value: string
  readonly count: number | undefined
}

/** Puts all exploited CVEs first, with their sum, and those that ransomware uses below. */
export function nestExploited(values: readonly Counted[]): readonly Counted[] {
  const find = (value: string) => values.find((each) => each.value === value)?.count
  const [active, ransomware] = [find('active'), find('ransomware')]
  const sum = active === undefined || ransomware === undefined ? undefined : active + ransomware
  const others = values.filter(({ value }) => !isLevelOfExploitation(value))
  return [{ value: 'active', count: sum }, { value: 'ransomware', count: ransomware }, ...others]
}

/** Names the values of the filter in the facet's words. */
export function describeMaturities(filter: readonly string[], words: Readonly<Record<string, string>>): string {
  const hasRansomware = filter.includes('ransomware')
  const exploited = filter.includes('active')
    ? hasRansomware
      ? 'Exploited'
      : 'Exploited, no ransomware known'
    : 'Exploited by ransomware'
  const others = filter.filter((each) => !isLevelOfExploitation(each)).map((each) => words[each] ?? each)
  return [...(filter.some(isLevelOfExploitation) ? [exploited] : []), ...others].join(', ')
}
