import type { Affected, Claim, NamingClaim, Rating, Reference, Ssvc, Tag, Weakness } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { markBranchEnds } from './fields/branch-ends.ts'
import { readAffected } from './fields/read-affected.ts'
import { readConfigurations } from './fields/read-configurations.ts'
import { orderExploitation, toExploitation } from './fields/read-exploitation.ts'
import { readFix } from './fields/read-fix.ts'
import { readPublished } from './fields/read-instant.ts'
import { readRating } from './fields/read-rating.ts'
import { readReference } from './fields/read-reference.ts'
import { readSsvc } from './fields/read-ssvc.ts'
import { readMarkers, readTags } from './fields/read-tags.ts'
import { readWeakness } from './fields/read-weakness.ts'
import { type JsonObject, numberIn, objectIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { readDescription } from './prose/read-prose.ts'
import { NVD, toAssigner, toCommentProvider, toNvdProvider, toOrganisationName } from './provider.ts'

/**
 * Ignores the members that begin with `cisa`, which are NVD's copy of KEV: the service imports KEV itself, including
 * removed entries.
 */
export function readNvd({ modified, record }: SourceRecord): Claim | undefined {
  const cve = parseObject(record)
  if (cve === undefined) return undefined
  const naming = readNaming(cve, modified)
  const { configurations, affected } = naming
  const ssvc = readAssessments(objectIn(cve, 'metrics'), modified)
  const prose = readDescription(findDescription(cve))
  const assigner = toAssigner(null, textIn(cve, 'sourceIdentifier'))
  return {
    ...naming,
    provider: NVD,
    published: readPublished(textIn(cve, 'published'), modified),
    ...(assigner !== undefined && { assigner }),
    ...prose,
    tags: [...readAllTags(cve), ...readMarkers(prose.description, NVD)],
    ratings: readRatings(objectIn(cve, 'metrics')),
    weaknesses: readWeaknesses(cve),
    configurationsBy: NVD,
    references: readReferences(cve),
    exploitation: orderExploitation(ssvc.flatMap((each) => toExploitation(each) ?? []))[0] ?? null,
    ssvc,
    ...readFix({ configurations, configurationsBy: NVD, affected, description: prose.description }),
    solutions: readSolutions(cve),
    severityWord: null,
  }
}

/** Reads only what teaches product names. */
export function readNvdNaming({ modified, record }: SourceRecord): NamingClaim | undefined {
  const cve = parseObject(record)
  return cve && readNaming(cve, modified)
}

function readNaming(cve: JsonObject, modified: Date): NamingClaim {
  return {
    source: 'nvd',
    modified,
    status: readStatus(cve),
    configurations: readConfigurations(cve, 'configurations'),
    affected: readAllAffected(cve),
  }
}

const STATUSES: ReadonlyMap<string, string> = new Map(
  ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Analyzed', 'Modified', 'Deferred', 'Rejected'].map(
    (status) => [status.toLowerCase(), status],
  ),
)

/** Uses NVD's spelling. An unknown status stays unchanged (decision C12). */
function readStatus(cve: JsonObject): string | null {
  const status = textIn(cve, 'vulnStatus')
  return status === null ? null : (STATUSES.get(status.toLowerCase()) ?? status)
}

function findDescription(cve: JsonObject): JsonObject | undefined {
  return objectsIn(cve, 'descriptions').find((each) => /^en\b/i.test(textIn(each, 'lang') ?? ''))
}

function readAllTags(cve: JsonObject): readonly Tag[] {
  return objectsIn(cve, 'cveTags').flatMap((each) =>
    readTags(textsIn(each, 'tags'), toNvdProvider(textIn(each, 'sourceIdentifier'))),
  )
}

/** Reads the analysts' solution, and vendors' comments, which NVD has added to several thousand older records. */
function readSolutions(cve: JsonObject): NonNullable<Claim['solutions']> {
  const comments = objectsIn(cve, 'vendorComments').map((each) => ({
    text: textIn(each, 'comment'),
    by: toCommentProvider(textIn(each, 'organization')),
  }))
  return [{ text: textIn(cve, 'evaluatorSolution'), by: NVD }, ...comments].flatMap(({ text, by }) =>
    text === null ? [] : [{ text, by }],
  )
}

const METRICS = ['cvssMetricV31', 'cvssMetricV30', 'cvssMetricV40', 'cvssMetricV2'] as const

function readRatings(metrics: JsonObject): readonly Rating[] {
  return METRICS.flatMap((name) => objectsIn(metrics, name)).flatMap((metric) => {
    const data = objectIn(metric, 'cvssData')
    const input = {
      by: toNvdProvider(textIn(metric, 'source')),
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
    return markBranchEnds(objectsIn(part, 'affectedData').flatMap((each) => readAffected(each, by) ?? []))
  })
}

function readReferences(cve: JsonObject): readonly Reference[] {
  return objectsIn(cve, 'references').flatMap(
    (each) =>
      readReference(textIn(each, 'url'), toOrganisationName(textIn(each, 'source')), textsIn(each, 'tags')) ?? [],
  )
}

function readAssessments(metrics: JsonObject, modified: Date): readonly Ssvc[] {
  return objectsIn(metrics, 'ssvcV203').flatMap(
    (each) => readSsvc(objectIn(each, 'ssvcData'), toNvdProvider(textIn(each, 'source')), modified) ?? [],
  )
}
