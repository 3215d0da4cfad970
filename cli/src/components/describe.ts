// Texts about components, their matches and the databases that judged them, for `visctl match` and `visctl scan`.
import type { MatchedComponent, MatchResult } from 'vis-sdk'
import { SOURCES } from 'vis-sdk/sources'

type Verdict = MatchedComponent['verdict']

type Overview = MatchResult['overview']
type FixedVersions = MatchedComponent['matches'][number]['fixed_in']
type Basis = NonNullable<Overview['oldest_data']>['as_of_basis']

/** In order of precedence. If a verdict is missing here, the code does not compile. */
const VERDICTS = {
  affected: true,
  possibly_affected: true,
  not_covered: true,
  not_affected: true,
  no_known_advisory: true,
} satisfies Readonly<Record<Verdict, true>>

const VERDICT_WORDS = Object.keys(VERDICTS) as Verdict[]

/** Returns a name such as `npm/lark 1.2.2`. */
export function describeComponent({ interpreted_as }: Pick<MatchedComponent, 'interpreted_as'>): string {
  const { version } = interpreted_as
  return `${describeProduct(interpreted_as)} ${version ?? 'without a version'}`
}

export function describeProduct({ vendor, product }: { readonly vendor: string | null; readonly product: string }) {
  return vendor === null ? product : `${vendor}/${product}`
}

export function listFixedVersions(fixedIn: FixedVersions): string {
  return [...new Set(fixedIn.map(({ version }) => version))].join(', ') || '-'
}

/** Returns `-` for a component without a match, which does not need to change. */
export function describeUpgrade({ upgrade_to }: MatchedComponent): string {
  if (upgrade_to === undefined) return '-'
  return upgrade_to.version ?? 'none known'
}

/** Returns the number of components by verdict. */
export function describeVerdicts({ by_verdict }: Overview): string {
  return VERDICT_WORDS.map((verdict) => `${verdict.replaceAll('_', ' ')} ${by_verdict[verdict]}`).join(', ')
}

const DAY_MS = 24 * 60 * 60 * 1000

const BASES: Readonly<Record<NonNullable<Basis>, string>> = {
  released: 'released',
  newest_record: 'newest record of',
  delivered: 'delivered',
}

/** Describes how many components are covered, and the age of the oldest database that judged one. */
export function describeCoverage(
  { components_total, by_coverage_gap, oldest_data }: Overview,
  answeredAt: string,
): string {
  const covered = `Covered by complete and current databases: ${formatCount(by_coverage_gap.covered)} of ${formatCount(components_total)} components`
  if (oldest_data === null) return `${covered}; no database has data about any of them.`
  const { source, as_of, as_of_basis } = oldest_data
  const days = Math.max(0, Math.floor((Date.parse(answeredAt) - Date.parse(as_of)) / DAY_MS))
  const basis = as_of_basis === null ? 'of' : BASES[as_of_basis]
  const name = SOURCES[source]?.title ?? source
  return `${covered}; the oldest data is ${name}, ${basis} ${as_of.slice(0, 10)}, ${formatCount(days)} ${days === 1 ? 'day' : 'days'} old.`
}

export function formatCount(number: number): string {
  return number.toLocaleString('en')
}
