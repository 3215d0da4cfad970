// Reads an override (Anchore's correction of an NVD record): CPE configurations that are missing or too broad in NVD.
import type { Claim } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { objectIn, parseObject } from './json.ts'
import { readConfigurations } from './read-configurations.ts'
import { fixInConfigurations } from './read-fix.ts'

const ANCHORE = 'anchore'

export function readOverride({ modified, record }: SourceRecord): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const configurations = readConfigurations(objectIn(parsed, 'cve'), 'configurations')
  return {
    source: 'overrides',
    provider: ANCHORE,
    modified,
    published: null,
    status: null,
    description: null,
    tags: [],
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
