// The CVSS scores of a record: the leading one of each version, and one per source statement.
import type { Cve } from 'vis-sdk'
import { readDay } from '../days.ts'
import type { CvssVersion } from './cvss-vector.ts'

type ValueName = 'cvss_v3_1' | 'cvss_v4_0' | 'cvss_v2_0'

export interface Rating {
  readonly version: CvssVersion
  readonly score: number
  readonly vector: string
  /** Whether this score is the record's `severity`. */
  readonly isLeading: boolean
  readonly valueName: ValueName
}

export interface RatingStatement {
  readonly source: string
  readonly day?: string | undefined
  readonly version: CvssVersion
  readonly score: number
  readonly statedScore?: number | undefined
  readonly vector: string
  /** Whether the statement is the score that the record shows for this version. */
  readonly agrees: boolean
}

type RatedCve = Pick<Cve, 'cvss' | 'sources'>

/** Versions in the API's order of preference. */
const VALUES: readonly (readonly [member: 'v3_1' | 'v4_0' | 'v2_0', name: ValueName])[] = [
  ['v3_1', 'cvss_v3_1'],
  ['v4_0', 'cvss_v4_0'],
  ['v2_0', 'cvss_v2_0'],
]

/** Lists a score per version. The record omits CVSS 2.0 if there is a later score, but the sources still have it. */
export function listRatings(cve: RatedCve): readonly Rating[] {
  const ratings = VALUES.flatMap(([member, valueName]) => {
    const own = cve.cvss[member]
    if (own) {
      const { version, baseScore, vectorString } = own
      return [{ version, score: baseScore, vector: vectorString, isLeading: false, valueName }]
    }
    return listOf(cve, valueName).flatMap(({ version, score, vector }) =>
      version !== undefined && score !== undefined && vector !== undefined
        ? [{ version, score, vector, isLeading: false, valueName }]
        : [],
    )
  })
  const first = new Map<string, Rating>()
  for (const rating of ratings) if (!first.has(rating.version)) first.set(rating.version, rating)
  return [...first.values()].map((rating, index) => ({ ...rating, isLeading: index === 0 }))
}

/** Lists the statements of all sources. A statement that agrees with the record omits what the record shows. */
export function listRatingStatements(cve: RatedCve): readonly RatingStatement[] {
  return VALUES.flatMap(([member, valueName]) => {
    const own = cve.cvss[member]
    const shown = own ? { version: own.version, score: own.baseScore, vector: own.vectorString } : {}
    const value = cve.sources?.[valueName]
    const toStatement = (agrees: boolean) => (statement: Statement) => {
      const { version, score, vector } = { ...(agrees ? shown : {}), ...statement }
      if (version === undefined || score === undefined || vector === undefined) return []
      const { source, time, date, stated_score } = statement
      return [{ source, day: readDay(time ?? date), version, score, statedScore: stated_score, vector, agrees }]
    }
    return [
      ...(value?.stated_by ?? []).flatMap(toStatement(true)),
      ...(value?.others ?? []).flatMap(toStatement(own === null || own === undefined)),
    ]
  })
}

type Statement = NonNullable<NonNullable<Cve['sources']>[ValueName]>['stated_by'][number]

function listOf({ sources }: RatedCve, name: ValueName): readonly Statement[] {
  const value = sources?.[name]
  return [...(value?.stated_by ?? []), ...(value?.others ?? [])]
}
