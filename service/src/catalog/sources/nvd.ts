// What NVD says, from the `cve` object of its API and feeds.

import type { Affected, Rating, Exploitation, Reference, Weakness, Statement } from '../model/claim.ts'
import type { RecordFact } from '../model/source-data.ts'
import { type JsonObject, numberIn, objectIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { fixInAffected, readAffected } from './read-affected.ts'
import { fixInConfigurations, readConfigurations } from './read-configurations.ts'
import { orderExploitation, readExploitation } from './read-exploitation.ts'
import { readPublished } from './read-instant.ts'
import { readRating } from './read-rating.ts'
import { readReference } from './read-reference.ts'
import { readWeakness } from './read-weakness.ts'
import { NVD, organisationOf, speakerInNvd } from './speaker.ts'

// The members that begin with `cisa` are NVD's copy of an entry of KEV. The catalogue itself is one of our feeds, and
// knows when an entry was taken back: the copy is not read.
export function readNvd({ modified, record }: RecordFact): Statement | undefined {
  const cve = parseObject(record)
  if (cve === undefined) return undefined
  const configurations = readConfigurations(cve, 'configurations')
  const affected = allAffected(cve)
  return {
    source: 'nvd',
    speaker: NVD,
    modified,
    published: readPublished(textIn(cve, 'published'), modified),
    status: statusOf(cve),
    description: descriptionOf(cve),
    ratings: ratingsOf(objectIn(cve, 'metrics')),
    weaknesses: weaknessesOf(cve),
    configurations,
    configurationsBy: NVD,
    affected,
    references: referencesOf(cve),
    exploitation: exploitationOf(objectIn(cve, 'metrics')),
    fix: fixInConfigurations(configurations) ?? fixInAffected(affected),
    severityWord: null,
  }
}

const STATUSES: ReadonlyMap<string, string> = new Map(
  ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Analyzed', 'Modified', 'Deferred', 'Rejected'].map(
    (status) => [status.toLowerCase(), status],
  ),
)

/** A word that NVD did not use so far says nothing. */
function statusOf(cve: JsonObject): string | null {
  return STATUSES.get(textIn(cve, 'vulnStatus')?.toLowerCase() ?? '') ?? null
}

function descriptionOf(cve: JsonObject): string | null {
  const english = objectsIn(cve, 'descriptions').find((each) => /^en\b/i.test(textIn(each, 'lang') ?? ''))
  return english === undefined ? null : textIn(english, 'value')
}

const METRICS = ['cvssMetricV31', 'cvssMetricV30', 'cvssMetricV40', 'cvssMetricV2'] as const

function ratingsOf(metrics: JsonObject): readonly Rating[] {
  return METRICS.flatMap((name) => objectsIn(metrics, name)).flatMap((metric) => {
    const data = objectIn(metric, 'cvssData')
    const said = {
      by: speakerInNvd(textIn(metric, 'source')),
      isPrimary: textIn(metric, 'type') === 'Primary',
      vector: textIn(data, 'vectorString'),
      score: numberIn(data, 'baseScore'),
    }
    return readRating(said) ?? []
  })
}

function weaknessesOf(cve: JsonObject): readonly Weakness[] {
  return objectsIn(cve, 'weaknesses').flatMap((each) => {
    const by = speakerInNvd(textIn(each, 'source'))
    return objectsIn(each, 'description').flatMap((text) => readWeakness(textIn(text, 'value') ?? '', by) ?? [])
  })
}

function allAffected(cve: JsonObject): readonly Affected[] {
  return objectsIn(cve, 'affected').flatMap((part) => {
    const by = speakerInNvd(textIn(part, 'source'))
    return objectsIn(part, 'affectedData').flatMap((each) => readAffected(each, by) ?? [])
  })
}

function referencesOf(cve: JsonObject): readonly Reference[] {
  return objectsIn(cve, 'references').flatMap(
    (each) => readReference(textIn(each, 'url'), organisationOf(textIn(each, 'source')), textsIn(each, 'tags')) ?? [],
  )
}

function exploitationOf(metrics: JsonObject): Exploitation | null {
  const said = objectsIn(metrics, 'ssvcV203').flatMap(
    (each) => readExploitation(objectIn(each, 'ssvcData'), speakerInNvd(textIn(each, 'source'))) ?? [],
  )
  return orderExploitation(said)[0] ?? null
}
