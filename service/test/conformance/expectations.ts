// The expected result of a conformance run: every check of the suite passes, except for named skips.
import type { Check, Result } from '../../../conformance/lib/suite.mjs'

/** Names of the checks that are skipped, each with the reason why the data set does not allow a verdict. */
export type ExpectedSkips = Readonly<Record<string, string>>

export const WHOLE_CATALOG_SKIPS: ExpectedSkips = {}

/** Skips with the files in `data` alone, which contain neither GHSA advisories nor EU KEV entries. */
export const REAL_DATA_SKIPS: ExpectedSkips = {
  ...WHOLE_CATALOG_SKIPS,
  'A14 a cursor from a query with an enterprise source returns 403 on the pro plan':
    'The source has no advisories, so it has no second page.',
  'E23 the entries of exploits are sorted by their days': 'There are no entries of EU KEV.',
}

/** Skips with the generated records. Tests of the service cover these rules with records of their own. */
export const SMALL_DATA_SKIPS: ExpectedSkips = {
  'E15 a CVE found by disagree=rejected says in its sources who disagrees': 'No sources disagree about a rejection.',
  'E15 a CVE found by disagree=kev_ssvc says in its sources who disagrees': 'No CVE in KEV has an SSVC assessment.',
}

/** Returns one sentence per check whose result differs from the expected one. */
export function findDifferences(
  checks: readonly Check[],
  results: readonly Result[],
  expectedSkips: ExpectedSkips,
): string[] {
  const byName = new Map(results.map((result) => [result.name, result]))
  const names = new Set([...checks.map(({ name }) => name), ...byName.keys(), ...Object.keys(expectedSkips)])
  return [...names].flatMap((name) => describeDifference(name, byName.get(name), name in expectedSkips) ?? [])
}

/** Returns the sentence about an endpoint, such as `GET /api/v1/ping`, for which no check got a 2xx answer. */
export function askForCheck(endpoint: string): string {
  return `No check got a 2xx answer of ${endpoint}: add a check to the file of conformance/checks that suits its subject.`
}

function describeDifference(name: string, result: Result | undefined, isSkipExpected: boolean): string | undefined {
  if (result === undefined) return `The check "${name}" did not run.`
  if (result.status === 'failed') return `The check "${name}" failed.`
  if (result.status === 'skipped' && !isSkipExpected)
    return `The check "${name}" was skipped and is not in the list of expected skips: ${result.reason}.`
  if (result.status === 'passed' && isSkipExpected)
    return `The check "${name}" is in the list of expected skips and passed: remove it from the list.`
  return undefined
}
