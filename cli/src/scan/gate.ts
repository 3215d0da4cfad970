// The gate of `visctl scan --fail-on`: its options, its exit code, and the lines of the report about it.
import type { Option } from 'commander'
import type { SbomScan, ScanOptions } from 'vis-sdk'
import { type OptionValues, UsageError } from '../command.ts'
import { listOption, toFlag, valueOption } from '../options.ts'

export type Gate = NonNullable<SbomScan['gate']>

type GateReason = Gate['findings'][number]
type GateComponents = GateReason['listed']

/** Exit codes of a scan with --fail-on. Errors exit with 2 as well: in both cases, not everything was judged. */
export const SCAN_EXIT_CODES: Readonly<Record<Gate['result'], number>> = { failed: 1, incomplete: 2, passed: 0 }

type GateParameter = 'allow' | 'own' | 'max_data_age'

const FACTORIES = {
  allow: listOption(
    'reason[:pattern]',
    'Accept a reason for an incomplete gate, for components that match a pattern: uncovered:pkg:generic/* (repeatable)',
  ),
  own: listOption('pattern', 'Your own packages, which no source covers: pkg:npm/@acme/* (repeatable)'),
  max_data_age: valueOption('days', 'Accept data that is at most this old, such as 45d'),
} satisfies Readonly<Record<GateParameter, ReturnType<typeof listOption>>>

const PARAMETERS = Object.keys(FACTORIES) as GateParameter[]

export function createGateOptions(group: string): readonly Option[] {
  return PARAMETERS.flatMap((name) => FACTORIES[name](toFlag(name)).map((option) => option.helpGroup(group)))
}

/** Returns the gate's parameters. They are refused without --fail-on, because they would have no effect. */
export function readGateOptions({ failOn, allow, own, maxDataAge, allowEmpty }: OptionValues) {
  const given: Readonly<Record<GateParameter, unknown>> = { allow, own, max_data_age: maxDataAge }
  const first = PARAMETERS.find((name) => given[name] !== undefined)
  if (failOn === undefined && first !== undefined) throw new UsageError(`${toFlag(first)} requires --fail-on.`)
  if (failOn === undefined) return {}
  // The casts are safe: listOption returns lists of strings, and valueOption a string. The service validates them.
  const accepted = [...((allow as readonly string[] | undefined) ?? []), ...(allowEmpty === true ? ['empty'] : [])]
  return {
    ...(accepted.length > 0 && { allow: accepted as NonNullable<ScanOptions['allow']> }),
    ...(own !== undefined && { own: own as readonly string[] }),
    ...(maxDataAge !== undefined && { max_data_age: maxDataAge as string }),
  }
}

/** What the reasons mean, and what to do about them. */
const REASON_TEXTS: Readonly<Record<GateReason['reason'], string>> = {
  affected: 'Affected',
  possibly: 'Not decided, possibly affected at this level; judge them and --suppress, or --allow possibly',
  unrated: 'Not decided, hits without a level; judge them and --suppress, or --allow unrated',
  uncovered: 'Not covered by complete databases; name your own with --own, or --allow uncovered:PATTERN',
  unknown_version: 'Not judged, no version; add it to the document, or --allow unknown_version:PATTERN',
  unordered: 'Not judged, versions without a known order; check them by hand, or --allow unordered:PATTERN',
  stale: 'Judged by stale data; visctl health shows its age, --max-data-age accepts it',
  skipped: 'Not judged, the entry cannot be read; correct the document, or --allow skipped:PATTERN',
  empty: 'Nothing was judged, the document has no component; --allow-empty accepts this',
}

const NATURE_TEXTS: Readonly<Record<Gate['not_judged'][number]['nature'], string>> = {
  root: 'the software that the document describes',
  file: 'files',
  operating_system: 'the operating system, by its packages instead',
  own: 'own packages',
}

/** Lists the reasons, the allowances and the entries that were not judged, each with its component names. */
export function listGateLines(gate: Gate): readonly string[] {
  return [
    ...gate.findings.map(describeReason),
    ...gate.allowances.map(
      ({ reason, pattern, count, listed }) =>
        `Allowed by ${describeAllowance(reason, pattern)}: ${nameComponents(count, listed)}.`,
    ),
    ...gate.not_judged.map(
      ({ nature, count, listed }) => `Not judged by nature, ${NATURE_TEXTS[nature]}: ${nameComponents(count, listed)}.`,
    ),
    ...gate.warnings.map((text) => `Warning: ${text}`),
  ]
}

export function describeReason({ reason, count, listed }: GateReason): string {
  const names = reason === 'empty' ? '' : `: ${nameComponents(count, listed)}`
  return `${REASON_TEXTS[reason]}${names}.`
}

function describeAllowance(reason: Gate['allowances'][number]['reason'], pattern: string | undefined): string {
  if (reason === 'stale') return '--max-data-age'
  return `--allow ${reason}${pattern === undefined ? '' : `:${pattern}`}`
}

/** Names the components listed in the answer, and says how many more there are. */
function nameComponents(count: number, components: GateComponents): string {
  if (count === 0) return 'no component'
  const names = components.map(({ index, ref, name, ids = [] }) => {
    const shown = name || ref || `entry ${index ?? 0} of the document`
    return ids.length === 0 ? shown : `${shown} (${ids.join(', ')})`
  })
  const more = count - components.length
  return `${count.toLocaleString('en')}: ${[...names, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join(', ')}`
}

/** Describes the gate's result in a sentence. */
export function describeGate({ result, fail_on }: Gate): string {
  const levels = fail_on === 'P0' ? 'level P0' : `level ${fail_on} or a more urgent one`
  switch (result) {
    case 'failed':
      return `Failed: a CVE of ${levels} affects a component.`
    case 'incomplete':
      return `Incomplete: no CVE of ${levels} is known to affect a component, but not everything was judged.`
    case 'passed':
      return `Passed: no CVE of ${levels} affects a component.`
  }
}
