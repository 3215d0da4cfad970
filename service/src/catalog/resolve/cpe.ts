import type { Affected, Configuration, CpeMatch, Speaker, Statement } from '../model/claim.ts'
import type { ResolvedCpe } from '../model/resolved.ts'
import { matchesIn } from '../sources/read-configurations.ts'
import { cpesOf, deriveMatches } from './cpe-matches.ts'
import { CPE, speakerRank } from './precedence.ts'

interface Candidate {
  readonly by: Speaker
  readonly configurations: readonly Configuration[]
  readonly isDerived: boolean
}

/** From the first in the table that names an affected product, whole: products of several speakers are not mixed. */
export function resolveCpe(statements: readonly Statement[]): ResolvedCpe {
  const candidates = CPE.flatMap(({ source, form }) =>
    statements.filter((each) => each.source === source).flatMap((each) => candidatesOf(each, form)),
  )
  const [first, ...others] = candidates.filter(isFirstOfSpeaker)
  if (first === undefined) return { configurations: [], matches: [], by: null, isDerived: false, runnersUp: [] }
  return {
    configurations: first.configurations,
    matches: flatten(first.configurations),
    by: first.by,
    isDerived: first.isDerived,
    runnersUp: others.map(({ by, configurations }) => ({ value: matchesIn(configurations).length, by })),
  }
}

/** Whoever has given names is not asked for words as well, nor NVD for its copy of them. */
function isFirstOfSpeaker({ by }: Candidate, place: number, all: readonly Candidate[]): boolean {
  return all.findIndex((each) => each.by === by) === place
}

type Form = (typeof CPE)[number]['form']

function candidatesOf(statement: Statement, form: Form): readonly Candidate[] {
  const { configurations, configurationsBy: by } = statement
  switch (form) {
    case 'configurations':
      return matchesIn(configurations).some(({ vulnerable }) => vulnerable)
        ? [{ by, configurations, isDerived: false }]
        : []
    case 'cpes':
      return bySpeaker(statement.affected).flatMap((each) => candidate(each, cpesOf(each), false))
    case 'words':
      return bySpeaker(statement.affected).flatMap((each) => candidate(each, deriveMatches(each), true))
  }
}

function candidate(affected: readonly Affected[], matches: readonly CpeMatch[], isDerived: boolean): Candidate[] {
  const [first] = affected
  if (first === undefined || matches.length === 0) return []
  const nodes = [{ operator: 'OR', negate: false, matches }] as const
  return [{ by: first.by, configurations: [{ operator: 'OR', negate: false, nodes }], isDerived }]
}

/** The CNA's before CISA's, and so on. */
function bySpeaker(affected: readonly Affected[]): readonly (readonly Affected[])[] {
  if (affected.length === 0) return []
  const groups = Map.groupBy(affected, ({ by }) => by)
  return [...groups].sort(([a], [b]) => speakerRank(a) - speakerRank(b)).map(([, group]) => group)
}

/** Each once: NVD repeats a platform in every configuration that needs it. */
function flatten(configurations: readonly Configuration[]): readonly CpeMatch[] {
  const matches = new Map<string, CpeMatch>()
  for (const match of matchesIn(configurations)) {
    const key = sameness(match)
    if (!matches.has(key)) matches.set(key, match)
  }
  return [...matches.values()]
}

function sameness(match: CpeMatch): string {
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match
  const limits = `${versionStartIncluding}\n${versionStartExcluding}\n${versionEndIncluding}\n${versionEndExcluding}`
  return `${match.vulnerable}\n${match.criteria}\n${limits}`
}
