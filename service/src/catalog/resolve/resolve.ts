// From everything that was said of a CVE to one record. Pure: the same facts give the same record, in whatever order they
// come, and a source that has gone leaves nothing behind.

import { SOURCES } from '../../domain/source.ts'
import type { Affected, Rating, Exploitation, Reference, Speaker, Statement } from '../model/claim.ts'
import type { Chosen, Resolved } from '../model/resolved.ts'
import { type Facts, RECORD_SOURCES, type RecordFact } from '../model/source-data.ts'
import { readClaim } from '../sources/read-claim.ts'
import { orderExploitation } from '../sources/read-exploitation.ts'
import { resolveCpe } from './cpe.ts'
import { resolveModified } from './modified.ts'
import {
  AFFECTED,
  choose,
  compareText,
  DESCRIPTION,
  FIX,
  inOrder,
  PUBLISHED,
  REFERENCES,
  REJECTION,
} from './precedence.ts'
import { orderRatings } from './ratings.ts'
import { mergeReferences } from './references.ts'
import { resolveStatus } from './status.ts'
import { isAffectedAtAll } from './version-ranges.ts'

/** Undefined: nobody has published it. Neither NVD nor the CVE List holds a record, and it is not in KEV now. */
export function resolve(facts: Facts): Resolved | undefined {
  const statements = facts.records.toSorted(compareFacts).flatMap((fact) => readClaim(fact) ?? [])
  const sourceTag = leadOf(statements, facts)
  if (sourceTag === undefined) return undefined
  const status = resolveStatus(statements)
  const ratings = orderRatings(statements)
  const references = mergeReferences(inOrder(statements, REFERENCES).flatMap((each) => each.references))
  return {
    cveId: facts.cveId,
    sourceTag,
    published: resolvePublished(statements),
    modified: resolveModified(statements, facts),
    status,
    description: resolveDescription(statements, status.value),
    score: chooseRating(ratings),
    v3: chooseRating(ratings.filter(({ version }) => version === '3.1' || version === '3.0')),
    v4: chooseRating(ratings.filter(({ version }) => version === '4.0')),
    v2: chooseRating(ratings.filter(({ version }) => version === '2.0')),
    weaknesses: mergeWeaknesses(statements),
    cpe: resolveCpe(statements),
    affected: mergeAffected(statements),
    references,
    exploitation: resolveExploitation(statements),
    fix: resolveFix(statements, references),
    sources: sourcesOf(statements),
    statements,
  }
}

/** Of several records of one source the newest comes first. */
function compareFacts(a: RecordFact, b: RecordFact): number {
  return (
    RECORD_SOURCES.indexOf(a.source) - RECORD_SOURCES.indexOf(b.source) ||
    b.modified.getTime() - a.modified.getTime() ||
    compareText(a.record, b.record)
  )
}

/** Decision C13; an entry of KEV that nobody else knows is published as a stub (decision D18). */
function leadOf(statements: readonly Statement[], { kev }: Facts): Resolved['sourceTag'] | undefined {
  if (statements.some(({ source }) => source === 'nvd')) return 'nvd'
  if (statements.some(({ source }) => source === 'cve')) return 'cve'
  return kev !== null && kev.removedAt === null ? 'kev' : undefined
}

function resolvePublished(statements: readonly Statement[]): Chosen<Date> | null {
  return choose(
    inOrder(statements, PUBLISHED).flatMap(({ published, speaker }) =>
      published === null ? [] : [{ value: published, by: speaker }],
    ),
  )
}

/** Whoever agrees with the status comes first: a rejected record tells why, any other one what. */
function resolveDescription(statements: readonly Statement[], status: string): Chosen<string> | null {
  const isRejected = status === 'Rejected'
  const ordered = inOrder(statements, isRejected ? REJECTION : DESCRIPTION)
  const agrees = (each: Statement) => (each.status === 'Rejected') === isRejected
  return choose(
    [...ordered.filter(agrees), ...ordered.filter((each) => !agrees(each))].flatMap(({ description, speaker }) =>
      description === null ? [] : [{ value: description, by: speaker }],
    ),
  )
}

function chooseRating(ratings: readonly Rating[]): Chosen<Rating> | null {
  return choose(ratings.map((rating) => ({ value: rating, by: rating.by })))
}

function mergeWeaknesses(statements: readonly Statement[]): Resolved['weaknesses'] {
  const speakers = new Map<string, Set<Speaker>>()
  for (const { weaknesses } of statements)
    for (const { id, by } of weaknesses) speakers.set(id, (speakers.get(id) ?? new Set()).add(by))
  return [...speakers]
    .map(([id, by]) => ({ id, by: [...by].sort() }))
    .sort((a, b) => Number(a.id.slice('CWE-'.length)) - Number(b.id.slice('CWE-'.length)))
}

/** What NVD repeats of the CVE List is there once, and what is not affected is not there. */
function mergeAffected(statements: readonly Statement[]): readonly Affected[] {
  const first = new Map<string, Affected>()
  for (const each of inOrder(statements, AFFECTED).flatMap(({ affected }) => affected)) {
    const key = JSON.stringify(each)
    if (!first.has(key) && isAffectedAtAll(each)) first.set(key, each)
  }
  return [...first.values()]
}

function resolveExploitation(statements: readonly Statement[]): Chosen<Exploitation> | null {
  const said = orderExploitation(statements.flatMap(({ exploitation }) => exploitation ?? []))
  return choose(said.map((each) => ({ value: each, by: each.by })))
}

/** Decision C16: whoever names a fixed version, and then whoever links to a patch. */
function resolveFix(statements: readonly Statement[], references: readonly Reference[]): Chosen<string> | null {
  const named = inOrder(statements, FIX).flatMap(({ fix, speaker }) =>
    fix === null ? [] : [{ value: fix, by: speaker }],
  )
  const patch = references.find(({ tags }) => tags.includes('Patch'))
  return choose(patch === undefined ? named : [...named, { value: `Patch ${patch.url}`, by: patch.by }])
}

function sourcesOf(statements: readonly Statement[]): readonly string[] {
  return SOURCES.filter((source) => statements.some((each) => each.source === source)).toSorted()
}
