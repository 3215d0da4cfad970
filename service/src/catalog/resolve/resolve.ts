// Merges the records of all sources into one CVE. `resolve` is a pure function of the records, in any order, and the
// dictionary of product names. Apart from these names, the result contains nothing from removed records.
import { DESCRIBING_SOURCES, SOURCES } from '../../domain/source/source.ts'
import type { Affected, Claim, ClaimSource, Exploitation, Provider, Ssvc } from '../model/claim.ts'
import type { Attributed, Chosen, Resolved } from '../model/resolved.ts'
import { type ProductNames, RECORD_SOURCES, type SourceData, type SourceRecord } from '../model/source-data.ts'
import { readEvidence } from '../sources/evidence.ts'
import { orderExploitation } from '../sources/fields/read-exploitation.ts'
import { mergeTags } from '../sources/fields/read-tags.ts'
import { readKev } from '../sources/kev.ts'
import { CISA_ADP } from '../sources/provider.ts'
import { readClaim } from '../sources/read-claim.ts'
import { createDoubt, drawConclusions } from './conclusions/conclusions.ts'
import { chooseFixes } from './fixes/choose-fixes.ts'
import { listDoubted, listDoubtedFixes, resolveFix } from './fixes/fix.ts'
import { limitFixes } from './fixes/limit-fixes.ts'
import { resolveModified } from './modified.ts'
import { compareWeaknesses, listParts } from './parts.ts'
import {
  AFFECTED,
  choose,
  compareText,
  DESCRIPTION,
  orderClaims,
  PUBLISHED,
  REFERENCES,
  REJECTION,
  SCORE_BY_VERSION,
} from './precedence.ts'
import { chooseCpe, listCpeCandidates, putOwnersFirst } from './products/cpe.ts'
import { attribute, findTime } from './provenance.ts'
import { chooseRating, orderRatings } from './ratings/ratings.ts'
import { mergeReferences } from './references.ts'
import { REJECTED, resolveStatus } from './status.ts'
import { isAffectedAtAll } from './versions/version-ranges.ts'

/**
 * Returns undefined if no source describes the CVE (decision E32). Without `productNames`, derived CPE names
 * use the source's names.
 */
export function resolve(sourceData: SourceData, productNames?: ProductNames): Resolved | undefined {
  const read = readClaims(sourceData)
  const sourceTag = findLeadingSource(read)
  if (sourceTag === undefined) return undefined
  const status = resolveStatus(read)
  const isRejected = status.value === REJECTED
  const claims = isRejected ? read.map(dropAssessments) : read
  const conclusions = drawConclusions(claims)
  const ratings = orderRatings(claims)
  const cpeCandidates = putOwnersFirst(listCpeCandidates(claims, productNames), conclusions)
  const affected = mergeAffected(claims)
  const fixes = isRejected
    ? []
    : chooseFixes(claims, { isDoubted: createDoubt(conclusions), productNames, debian: sourceData.debian })
  const { fixes: shown, omitted } = limitFixes(fixes)
  const references = mergeReferences(orderClaims(claims, REFERENCES).flatMap((each) => each.references))
  return {
    cveId: sourceData.cveId,
    sourceTag,
    published: resolvePublished(claims),
    modified: resolveModified(claims, sourceData),
    status,
    description: resolveDescription(claims, isRejected),
    tags: mergeTags(claims.flatMap(({ tags }) => tags)),
    score: chooseRating(ratings, SCORE_BY_VERSION),
    v3: chooseRating(ratings, ['3.1', '3.0']),
    v4: chooseRating(ratings, ['4.0']),
    v2: chooseRating(ratings, ['2.0']),
    weaknesses: mergeWeaknesses(claims),
    cpe: chooseCpe(cpeCandidates),
    cpeCandidates,
    affected,
    references,
    exploitation: resolveExploitation(claims),
    ssvc: resolveSsvc(claims),
    fix: isRejected ? null : resolveFix(claims, sourceData, fixes),
    doubtedFixes: listDoubtedFixes(fixes),
    doubted: listDoubted(fixes),
    fixes: shown,
    omittedFixes: omitted,
    conclusions,
    parts: listParts(claims, { affected, references }),
    sources: listSources(claims),
    claims,
  }
}

/**
 * A rejected CVE is not a vulnerability (decision E9), but records older than the rejection may still assess it. Texts,
 * dates, tags and references stay.
 */
function dropAssessments(claim: Claim): Claim {
  return {
    ...claim,
    ratings: [],
    weaknesses: [],
    configurations: [],
    affected: [],
    unaffected: [],
    investigated: [],
    exploitation: null,
    ssvc: [],
    fix: null,
    solutions: [],
    severityWord: null,
  }
}

function readClaims(sourceData: SourceData): readonly Claim[] {
  const records = sourceData.records.toSorted(compareSourceRecords)
  const isUnlisted = !records.some(({ source }) => LISTS.includes(source))
  const subject = { cveId: sourceData.cveId, isUnlisted }
  const kev = readKev(sourceData)
  return [
    ...records.flatMap((sourceRecord) => readClaim(sourceRecord, subject) ?? []),
    ...(kev ? [kev] : []),
    ...(isUnlisted ? readEvidence(sourceData) : []),
  ]
}

/** Orders records by source, and several records from one source newest first. */
function compareSourceRecords(a: SourceRecord, b: SourceRecord): number {
  return (
    RECORD_SOURCES.indexOf(a.source) - RECORD_SOURCES.indexOf(b.source) ||
    b.modified.getTime() - a.modified.getTime() ||
    compareText(a.record, b.record)
  )
}

/** The two lists of all CVEs. */
const LISTS: readonly ClaimSource[] = ['nvd', 'cve']

/** Follows decision C13. */
function findLeadingSource(claims: readonly Claim[]): Resolved['sourceTag'] | undefined {
  return DESCRIBING_SOURCES.find((leading) => claims.some(({ source }) => source === leading))
}

/** Without a record in NVD or the CVE List, the earliest date of any source counts. */
function resolvePublished(claims: readonly Claim[]): Chosen<Date> | null {
  const isListed = claims.some(({ source }) => LISTS.includes(source))
  const dates = (isListed ? orderClaims(claims, PUBLISHED) : claims).flatMap((claim) =>
    claim.published === null ? [] : [attribute(claim.published, claim)],
  )
  if (!isListed) dates.sort((a, b) => a.value.getTime() - b.value.getTime() || compareText(a.by, b.by))
  return choose(dates)
}

/** Texts of rejected records say why the CVE was rejected; texts of other records describe the vulnerability. */
function resolveDescription(claims: readonly Claim[], isRejected: boolean): Chosen<string> | null {
  const ordered = orderClaims(claims, isRejected ? REJECTION : DESCRIPTION)
  const agrees = (each: Claim) => (each.status === REJECTED) === isRejected
  const agreeing = preferUndamaged(ordered.filter(agrees))
  const stated = [...agreeing, ...ordered.filter((each) => !agrees(each))].flatMap((claim) =>
    claim.description === null ? [] : [attribute(claim.description, claim)],
  )
  // Several advisories from one source can have the same text; its time is that of the newest.
  return choose(
    stated.filter((each, at) => stated.findIndex(({ value, by }) => value === each.value && by === each.by) === at),
  )
}

/**
 * NVD copies the CVE List's text. If the original is undamaged, it takes precedence over a copy with lost or guessed
 * characters.
 */
function preferUndamaged(claims: readonly Claim[]): readonly Claim[] {
  const copied = claims.find((each) => each.source === 'cve' && each.description !== null && !each.hasLostCharacters)
  if (copied === undefined || !claims[0]?.hasLostCharacters) return claims
  return [copied, ...claims.filter((each) => each !== copied)]
}

function mergeWeaknesses(claims: readonly Claim[]): Resolved['weaknesses'] {
  const providers = new Map<string, Set<Provider>>()
  for (const { weaknesses } of claims)
    for (const { id, by } of weaknesses) providers.set(id, (providers.get(id) ?? new Set()).add(by))
  return [...providers].map(([id, by]) => ({ id, by: [...by].sort() })).sort((a, b) => compareWeaknesses(a.id, b.id))
}

/** Leaves out products without an affected version, and NVD's copies from the CVE List. */
function mergeAffected(claims: readonly Claim[]): readonly Affected[] {
  const first = new Map<string, Affected>()
  for (const each of orderClaims(claims, AFFECTED).flatMap(({ affected }) => affected)) {
    const key = JSON.stringify(each)
    if (!first.has(key) && isAffectedAtAll(each)) first.set(key, each)
  }
  return [...first.values()]
}

/** The day of an assessment is more exact than the time of its record. */
function resolveExploitation(claims: readonly Claim[]): Chosen<Exploitation> | null {
  const times = new Map(claims.map((claim) => [claim.exploitation, findTime(claim)]))
  const ordered = orderExploitation(claims.flatMap(({ exploitation }) => exploitation ?? []))
  return choose(ordered.map((each) => ({ value: each, by: each.by, time: each.date ?? times.get(each) ?? null })))
}

/**
 * Chooses the newest assessment by CISA, else by another provider. Values from several assessments are never mixed. NVD
 * repeats the CVE List's assessments.
 */
function resolveSsvc(claims: readonly Claim[]): Chosen<Ssvc> | null {
  const distinct = new Map(
    claims.flatMap((claim) => (claim.ssvc ?? []).map((each) => [JSON.stringify(each), attributeSsvc(each, claim)])),
  )
  const ordered = [...distinct.values()].sort(
    ({ value: a }, { value: b }) =>
      Number(b.by === CISA_ADP) - Number(a.by === CISA_ADP) ||
      compareText(b.date ?? '', a.date ?? '') ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  )
  return choose(ordered)
}

/** The day of an assessment is more exact than the time of its record. */
function attributeSsvc(assessed: Ssvc, claim: Claim): Attributed<Ssvc> {
  return { value: assessed, by: assessed.by, time: assessed.date ?? findTime(claim) }
}

function listSources(claims: readonly Claim[]): readonly string[] {
  return SOURCES.filter((source) => claims.some((each) => each.source === source)).toSorted()
}
