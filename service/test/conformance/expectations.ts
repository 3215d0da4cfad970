// The expected result of a conformance run. A check that is silently skipped or removed makes the run fail.
import type { Result } from '../../../conformance/lib/suite.mjs'

export interface Expectation {
  /** Name of the data set that the tested service holds. It is used only in messages. */
  readonly data: string
  readonly passed: number
  /** Names of the conformance checks that are skipped, each with the reason why it cannot run with this data set. */
  readonly skips: Readonly<Record<string, string>>
}

export const SMALL: Expectation = {
  data: 'the small data',
  passed: 849,
  skips: {},
}

export const REAL: Expectation = {
  data: 'the real data',
  passed: 846,
  skips: {
    'A14 a cursor from a query with an enterprise source returns 403 on the pro plan':
      'The real data contain no GHSA advisories, so the source has no second page.',
    'attack_vector=physical and attack_vector=P are the same filter':
      'Physical attacks are rare, and no CVE of the discovered period has one.',
    'E23 the entries of exploits are sorted by their days': 'The real data contain no entries of EU KEV.',
  },
}

/** Returns one sentence per difference between the results of a conformance run and the expected results. */
export function findDifferences(results: readonly Result[], { data, passed, skips }: Expectation): string[] {
  const ofStatus = (status: Result['status']) => results.filter((result) => result.status === status)
  const skipped = ofStatus('skipped')
  const expectedSkips = Object.keys(skips)
  return [
    ...ofStatus('failed').map(({ name }) => `The check "${name}" failed.`),
    ...differ('passed', ofStatus('passed').length, passed, data),
    ...differ('skipped', skipped.length, expectedSkips.length, data),
    ...skipped
      .filter(({ name }) => !(name in skips))
      .map(
        ({ name, reason }) => `The check "${name}" was skipped and is not in the list of expected skips: ${reason}.`,
      ),
    ...expectedSkips
      .filter((name) => !skipped.some((result) => result.name === name))
      .map((name) => `The check "${name}" is in the list of expected skips and was not skipped.`),
  ]
}

function differ(status: string, actual: number, expected: number, data: string): string[] {
  if (actual === expected) return []
  return [`${actual} checks ${status} on ${data}, but ${expected} are expected.`]
}
