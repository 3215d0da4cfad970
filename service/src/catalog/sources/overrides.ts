// Reads overrides, in which Anchore corrects CPE configurations that are missing or too broad in NVD, and links to its
// sources.
import type { Claim, Reference } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { readConfigurations } from './fields/read-configurations.ts'
import { fixInConfigurations } from './fields/read-fix.ts'
import { readReference } from './fields/read-reference.ts'
import { type JsonObject, objectIn, objectsIn, parseObject, textIn } from './json.ts'

const ANCHORE = 'anchore'

export function readOverride({ modified, record }: SourceRecord): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const cve = objectIn(parsed, 'cve')
  const configurations = readConfigurations(cve, 'configurations')
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
    references: readReferences(cve),
    exploitation: null,
    fix: fixInConfigurations(configurations, null),
    severityWord: null,
  }
}

/** Overrides name `anchoreadp` as the source of each link and give no tags. */
function readReferences(cve: JsonObject): readonly Reference[] {
  return objectsIn(cve, 'references').flatMap((each) => readReference(textIn(each, 'url'), ANCHORE, []) ?? [])
}
