// Compares the two ways in which PyPA's database names affected versions: ranges, which the service stores and compares, and
// a list of all affected releases, which PyPA's own program computes.
import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import type { AffectedRow } from '../../../service/src/record/affected-row.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { placeInRows, type RealAdvisory, readAdvisories, selectRows } from './advisory-files.ts'

const folder = realData("the comparison of PyPA's lists of versions with its ranges", 'data-more') ?? ''

interface OsvPackage {
  readonly package: { readonly name: string }
  readonly ranges?: readonly { readonly type: string }[]
  readonly versions?: readonly string[]
}

interface ListedPackage {
  readonly id: string
  readonly purl: string
  readonly rows: readonly AffectedRow[]
  readonly listed: ReadonlySet<string>
}

interface Release {
  readonly id: string
  readonly version: string
  readonly cause: string
}

describe.skipIf(folder === '')("PyPA's lists of affected versions", () => {
  it('agree with the ranges on at least 99.9 % of 139,000 versions', async () => {
    const packages = await readPackages()
    const releases = packages.flatMap((each) => [...each.listed].map((version) => judgeListed(each, version)))
    const inside = releases.filter(({ cause }) => cause === AGREES)

    report(`${packages.length} packages of advisories, ${releases.length} listed versions`, releases)
    expect(packages.length).toBeGreaterThan(2600)
    expect(releases.length).toBeGreaterThan(139_000)
    expect(inside.length / releases.length).toBeGreaterThan(0.999)
    // A list that names more than its ranges: these releases are called unaffected.
    expect(releases.filter(({ cause }) => cause === OUTSIDE).map(({ id, version }) => `${id} ${version}`)).toEqual([
      ...['3.2a1', '3.2b1', '3.2rc1', '4.2a1', '4.2b1', '4.2rc1'].map((version) => `PYSEC-2023-61 ${version}`),
      ...['23.9.0', '23.9.0.post1'].map((version) => `PYSEC-2023-177 ${version}`),
    ])
  })

  it('contain no release outside the ranges, except releases that PyPA does not list', async () => {
    const packages = await readPackages()
    const known = listReleases(packages)
    const releases = packages.flatMap((each) =>
      [...(known.get(each.purl) ?? [])]
        .filter((version) => !each.listed.has(version))
        .map((version) => judgeUnlisted(each, version)),
    )
    const explained = releases.filter(({ cause }) => cause !== OTHER)

    report(`${releases.length} releases of the same packages that the lists do not name`, releases)
    expect(releases.length).toBeGreaterThan(130_000)
    expect(explained.length / releases.length).toBeGreaterThan(0.999)
  })
})

const AGREES = 'agrees'
const OUTSIDE = 'outside the ranges'
const OTHER = 'inside the ranges, not listed'

function judgeListed({ id, rows }: ListedPackage, version: string): Release {
  const place = placeInRows(rows, version)
  if (place === 'inside') return { id, version, cause: AGREES }
  return { id, version, cause: place === 'outside' ? OUTSIDE : 'not a version by PEP 440' }
}

function judgeUnlisted({ id, rows, listed }: ListedPackage, version: string): Release {
  const place = placeInRows(rows, version)
  if (place === 'outside') return { id, version, cause: AGREES }
  if (place === 'unknown') return { id, version, cause: 'not a version by PEP 440' }
  const { compare } = SCHEMES.pep440
  if (/\d(?:a|b|rc|\.dev)\d/.test(version)) return { id, version, cause: 'prerelease that PyPA does not list' }
  const isLater = (other: string) => (compare(version, other) ?? 0) > 0
  const ofSeries = [...listed].filter((each) => each.split('.')[0] === version.split('.')[0])
  return { id, version, cause: ofSeries.every(isLater) ? 'later than all listed versions of its series' : OTHER }
}

async function readPackages(): Promise<readonly ListedPackage[]> {
  const packages: ListedPackage[] = []
  for await (const advisory of readAdvisories(folder, 'pypa')) packages.push(...listPackages(advisory))
  return packages
}

/** Lists the packages of an advisory that have both ranges of versions and a list of versions. */
function listPackages({ id, raw, rows }: RealAdvisory): readonly ListedPackage[] {
  const entries = (raw['affected'] ?? []) as readonly OsvPackage[]
  const byPurl = Map.groupBy(entries, (each) => `pkg:pypi/${each.package.name.toLowerCase()}`)
  return [...byPurl].flatMap(([purl, ofPackage]) => {
    const listed = new Set(ofPackage.flatMap(({ versions = [] }) => versions))
    const hasRanges = ofPackage.some(({ ranges = [] }) => ranges.some(({ type }) => type !== 'GIT'))
    return hasRanges && listed.size > 0 ? [{ id, purl, rows: selectRows(rows, purl), listed }] : []
  })
}

/** Lists the releases of each package that any advisory names. */
function listReleases(packages: readonly ListedPackage[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byPurl = Map.groupBy(packages, ({ purl }) => purl)
  return new Map([...byPurl].map(([purl, all]) => [purl, new Set(all.flatMap(({ listed }) => [...listed]))]))
}

const MAX_EXAMPLES = 5

function report(heading: string, releases: readonly Release[]): void {
  const lines = [...Map.groupBy(releases, ({ cause }) => cause)].map(([cause, all]) => {
    const examples = cause === AGREES ? [] : all.slice(0, MAX_EXAMPLES).map(({ id, version }) => `${id} ${version}`)
    return `  ${cause}: ${all.length} (${((100 * all.length) / releases.length).toFixed(3)} %) ${examples.join(', ')}`
  })
  process.stdout.write(`${[heading, ...lines].join('\n')}\n`)
}
