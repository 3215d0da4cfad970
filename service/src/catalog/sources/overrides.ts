// What Anchore says: which products are affected, where NVD does not say or says too much.

import type { Statement } from '../model/claim.ts'
import type { RecordFact } from '../model/source-data.ts'
import { objectIn, parseObject } from './json.ts'
import { fixInConfigurations, readConfigurations } from './read-configurations.ts'

const ANCHORE = 'anchore'

export function readOverride({ modified, record }: RecordFact): Statement | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const configurations = readConfigurations(objectIn(parsed, 'cve'), 'configurations')
  return {
    source: 'overrides',
    speaker: ANCHORE,
    modified,
    published: null,
    status: null,
    description: null,
    ratings: [],
    weaknesses: [],
    configurations,
    configurationsBy: ANCHORE,
    affected: [],
    references: [],
    exploitation: null,
    fix: fixInConfigurations(configurations),
    severityWord: null,
  }
}
