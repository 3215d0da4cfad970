// Reads the `cve` object that NVD's API and data feeds contain.
import type { Affected, Claim, Exploitation, Rating, Reference, Weakness } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { type JsonObject, numberIn, objectIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { NVD, toNvdProvider, toOrganisationName } from './provider.ts'
import { fixInAffected, readAffected } from './read-affected.ts'
import { fixInConfigurations, readConfigurations } from './read-configurations.ts'
import { orderExploitation, readExploitation } from './read-exploitation.ts'
import { readPublished } from './read-instant.ts'
import { readRating } from './read-rating.ts'
import { readReference } from './read-reference.ts'
import { readWeakness } from './read-weakness.ts'

/**
 * Reads an NVD record. Ignores the members that begin with `cisa`, NVD's copy of a KEV entry: the service imports KEV
 * itself, which also shows removed entries.
 */
export function readNvd({ modified, record }: SourceRecord): Claim | undefined {
  const cve = parseObject(record)
  if (cve === undefined) return undefined
  const configurations = readConfigurations(cve, 'configurations')
  const affected = readAllAffected(cve)
  return {
    source: 'nvd',
    provider: NVD,
    modified,
    published: readPublished(textIn(cve, 'published'), modified),
    status: readStatus(cve),
    description: readDescription(cve),
    ratings: readRatings(objectIn(cve, 'metrics')),
    weaknesses: readWeaknesses(cve),
    configurations,
    configurationsBy: NVD,
    affected,
    references: readReferences(cve),
    exploitation: readBestExploitation(objectIn(cve, 'metrics')),
    fix: fixInConfigurations(configurations) ?? fixInAffected(affected),
    severityWord: null,
  }
}

const STATUSES: ReadonlyMap<string, string> = new Map(
  ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Analyzed', 'Modified', 'Deferred', 'Rejected'].map(
    (status) => [status.toLowerCase(), status],
  ),
)

/** Returns the NVD status of a CVE, or null for a status that is not in STATUSES. */
function readStatus(cve: JsonObject): string | null {
  return STATUSES.get(textIn(cve, 'vulnStatus')?.toLowerCase() ?? '') ?? null
}

function readDescription(cve: JsonObject): string | null {
  const english = objectsIn(cve, 'descriptions').find((each) => /^en\b/i.test(textIn(each, 'lang') ?? ''))
  return english === undefined ? null : textIn(english, 'value')
}

const METRICS = ['cvssMetricV31', 'cvssMetricV30', 'cvssMetricV40', 'cvssMetricV2'] as const

function readRatings(metrics: JsonObject): readonly Rating[] {
  return METRICS.flatMap((name) => objectsIn(metrics, name)).flatMap((metric) => {
    const data = objectIn(metric, 'cvssData')
    const input = {
      by: toNvdProvider(textIn(metric, 'source')),
      isPrimary: textIn(metric, 'type') === 'Primary',
      vector: textIn(data, 'vectorString'),
      score: numberIn(data, 'baseScore'),
    }
    return readRating(input) ?? []
  })
}

function readWeaknesses(cve: JsonObject): readonly Weakness[] {
  return objectsIn(cve, 'weaknesses').flatMap((each) => {
    const by = toNvdProvider(textIn(each, 'source'))
    return objectsIn(each, 'description').flatMap((text) => readWeakness(textIn(text, 'value') ?? '', by) ?? [])
  })
}

function readAllAffected(cve: JsonObject): readonly Affected[] {
  return objectsIn(cve, 'affected').flatMap((part) => {
    const by = toNvdProvider(textIn(part, 'source'))
    return objectsIn(part, 'affectedData').flatMap((each) => readAffected(each, by) ?? [])
  })
}

function readReferences(cve: JsonObject): readonly Reference[] {
  return objectsIn(cve, 'references').flatMap(
    (each) =>
      readReference(textIn(each, 'url'), toOrganisationName(textIn(each, 'source')), textsIn(each, 'tags')) ?? [],
  )
}

function readBestExploitation(metrics: JsonObject): Exploitation | null {
  const assessments = objectsIn(metrics, 'ssvcV203').flatMap(
    (each) => readExploitation(objectIn(each, 'ssvcData'), toNvdProvider(textIn(each, 'source'))) ?? [],
  )
  return orderExploitation(assessments)[0] ?? null
}
