// Reads overrides, in which Anchore corrects CPE configurations that are missing or too broad in NVD, and links to its
// sources. An override repeats the description, date, CNA and links of the CVE's record; they are read for a CVE that
// neither NVD nor the CVE List has (decision E32).
import type { Claim, Reference } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { readConfigurations } from './fields/read-configurations.ts'
import { fixInConfigurations } from './fields/read-fix.ts'
import { readPublished } from './fields/read-instant.ts'
import { readReference } from './fields/read-reference.ts'
import { type JsonObject, objectIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { readProse } from './prose/read-prose.ts'

const ANCHORE = 'anchore'

export function readOverride({ modified, record }: SourceRecord, isUnlisted = false): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const cve = objectIn(parsed, 'cve')
  const configurations = readConfigurations(cve, 'configurations')
  const annotation = isUnlisted ? objectIn(parsed, '_annotation') : {}
  const assigner = textIn(annotation, 'cna')
  return {
    source: 'overrides',
    provider: ANCHORE,
    modified,
    published: readPublished(textIn(annotation, 'published'), modified),
    ...(assigner !== null && { assigner }),
    status: null,
    description: readProse(annotation, 'description'),
    tags: [],
    ratings: [],
    weaknesses: [],
    configurations,
    configurationsBy: ANCHORE,
    affected: [],
    references: [...readReferences(cve), ...textsIn(annotation, 'references').flatMap(readLink)],
    exploitation: null,
    fix: fixInConfigurations(configurations, null),
    severityWord: null,
  }
}

/** Overrides name `anchoreadp` as the source of each link and give no tags. */
function readReferences(cve: JsonObject): readonly Reference[] {
  return objectsIn(cve, 'references').flatMap((each) => readLink(textIn(each, 'url')))
}

function readLink(url: string | null): readonly Reference[] {
  const reference = readReference(url, ANCHORE, [])
  return reference === undefined ? [] : [reference]
}
