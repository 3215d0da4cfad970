// Options that `visctl match` and `visctl scan` share: which matches are listed.
import { Option } from 'commander'
import type { MatchOptions } from 'vis-sdk'
import { scanSbomParameters } from 'vis-sdk/vocabulary'
import type { OptionValues } from './command.ts'
import { OUTPUT_GROUP } from './options.ts'

type Confidence = NonNullable<MatchOptions['confidence_min']>
type MaxLevel = NonNullable<MatchOptions['priority_max']>

export const MATCH_OPTIONS: readonly Option[] = [
  new Option('--confidence-min <confidence>', 'Minimum confidence of listed matches (default: medium)')
    .choices(Object.keys(scanSbomParameters.confidence_min.words))
    .helpGroup(OUTPUT_GROUP),
  new Option('--priority-max <level>', 'Least urgent level of listed matches (default: P4)')
    .choices(Object.keys(scanSbomParameters.priority_max.words))
    .helpGroup(OUTPUT_GROUP),
]

export function readMatchOptions({ confidenceMin, priorityMax }: OptionValues) {
  // The casts are safe: commander checks the choices.
  return {
    ...(confidenceMin !== undefined && { confidence_min: confidenceMin as Confidence }),
    ...(priorityMax !== undefined && { priority_max: priorityMax as MaxLevel }),
  }
}
