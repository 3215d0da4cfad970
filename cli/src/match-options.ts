// Options that `visctl match` and `visctl scan` share: which matches are listed.
import { Option } from 'commander'
import type { MatchOptions } from 'vis-sdk'
import type { OptionValues } from './command.ts'
import { listMembers, OUTPUT_GROUP } from './options.ts'

type Confidence = NonNullable<MatchOptions['confidence_min']>
type MaxLevel = NonNullable<MatchOptions['priority_max']>

const CONFIDENCES = listMembers<Confidence>({ high: true, medium: true, low: true })
const MAX_LEVELS = listMembers<MaxLevel>({ P0: true, P1: true, P2: true, P3: true, P4: true })

export const MATCH_OPTIONS: readonly Option[] = [
  new Option('--confidence-min <confidence>', 'Minimum confidence of listed matches (default: medium)')
    .choices(CONFIDENCES)
    .helpGroup(OUTPUT_GROUP),
  new Option('--priority-max <level>', 'Least urgent level of listed matches (default: P4)')
    .choices(MAX_LEVELS)
    .helpGroup(OUTPUT_GROUP),
]

export function readMatchOptions({ confidenceMin, priorityMax }: OptionValues) {
  // The casts are safe: commander checks the choices.
  return {
    ...(confidenceMin !== undefined && { confidence_min: confidenceMin as Confidence }),
    ...(priorityMax !== undefined && { priority_max: priorityMax as MaxLevel }),
  }
}
