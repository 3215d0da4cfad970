// Checks on KEV entries (CISA's known exploited vulnerabilities) and on fixes.
import { compareVersions } from '../../../../domain/version/version-order.ts'
import { objectsIn, textIn, textsIn } from '../../../sources/json.ts'
import type { AuditContext, Check } from '../check.ts'
import {
  type AffectedFact,
  listConfigurations,
  listContainers,
  listMatches,
  type SourceFacts,
  type VersionFact,
  withoutV,
} from '../source-facts.ts'

const CISA_ADP = 'CISA-ADP'
const CWE = /^CWE-\d+$/
const HAS_DIGIT = /\d/
/** Texts such as "fixed in 2.1" and "this issue was patched in version 4.2.3". */
const FIX_IN_TEXT = /\b(?:fixed|patched|resolved|addressed) in (?:versions? |release )?v?\d+\.\d/i
const MAX_ACTION_LENGTH = 100

export const KEV_AND_FIX_CHECKS: readonly Check[] = [
  {
    id: 'kev-cwe-missing',
    sentence: 'KEV names a CWE that the record lacks, and another source has a record',
    applies: ({ served, facts }) => served.sourceTag !== 'kev' && lacksKevWeakness({ served, facts }),
  },
  {
    id: 'kev-only-cwe-missing',
    sentence: 'KEV names a CWE that the record lacks, and KEV is the only source',
    applies: ({ served, facts }) => served.sourceTag === 'kev' && lacksKevWeakness({ served, facts }),
  },
  {
    id: 'kev-only-empty',
    sentence: "KEV is the only source, and the record has no description, no publication date or none of KEV's links",
    applies: ({ served, facts }) =>
      served.sourceTag === 'kev' &&
      (served.description === null || served.published === null || (served.links.length === 0 && hasOwnLink(facts))),
  },
  {
    id: 'fix-named',
    sentence: 'a source names a fix in a structured value, and patch_available is false',
    applies: ({ served, facts }) => served.saysNoPatch && !served.isRejected && namesFix({ served, facts }),
  },
  {
    id: 'kev-says-update',
    sentence: 'the required action of KEV begins with "Apply updates", and patch_available is false',
    applies: ({ served, facts }) => served.saysNoPatch && saysUpdate(facts),
  },
  {
    id: 'fix-in-text',
    sentence: 'the description names a fixed version, and patch_available is false',
    applies: ({ served }) => served.saysNoPatch && !served.isRejected && FIX_IN_TEXT.test(served.description ?? ''),
  },
  {
    id: 'kev-without-fix',
    sentence: 'KEV lists the CVE, and patch_available is false',
    applies: ({ served, facts }) => facts.kev !== null && served.saysNoPatch,
    group: ({ facts }) => shorten(facts.kev?.requiredAction ?? ''),
  },
]

/**
 * Returns whether the notes of the KEV entry contain a link about the CVE. NVD's page for the CVE and CISA's
 * directives, which nearly all entries link to, do not count (decision D18).
 */
function hasOwnLink({ kev }: SourceFacts): boolean {
  const links = kev?.notes?.match(/https?:\/\/[^\s;]+/gi) ?? []
  return links.some((link) => !/nvd\.nist\.gov|\/directive|\/bod|\/ed\//i.test(link))
}

function lacksKevWeakness({ served, facts }: Pick<AuditContext, 'served' | 'facts'>): boolean {
  return (facts.kev?.cwes ?? []).some((each) => CWE.test(each) && !served.weaknesses.includes(each))
}

/**
 * Returns whether KEV's required action says that an update exists (decision C16). The directive text that all entries
 * have shared since June 2026 mentions "Security Updates" further on and does not count.
 */
function saysUpdate({ kev }: SourceFacts): boolean {
  return /^apply updates\b/i.test(kev?.requiredAction.trim() ?? '')
}

/**
 * Returns whether a source names a fixed version, or tags a link as a patch (decision C16). A version that the sources
 * contradict is not a fix.
 */
function namesFix({ served, facts }: Pick<AuditContext, 'served' | 'facts'>): boolean {
  const isFix = createFixTest(facts, served.description ?? '')
  const matches = listConfigurations(facts).flatMap(listMatches)
  return (
    matches.some(
      (match) =>
        namesFirstFixed(match) && !isListedAsAffected(match, matches) && isFix(textIn(match, 'versionEndExcluding')),
    ) ||
    listAffected(facts, isFix).some(({ versions }) => versions.some((each) => isFixedSomewhere(each, versions))) ||
    facts.ghsa.flatMap((each) => objectsIn(each, 'products')).some((each) => textIn(each, 'fixed') !== null) ||
    listReferenceTags(facts).some((tag) => /^patch$/i.test(tag))
  )
}

type FixTest = (version: string | null) => boolean

/**
 * Returns a function that decides whether the end of a range can be a fix. It cannot if another range includes this
 * version as its last affected one, and the description names the version without calling it fixed.
 */
function createFixTest(facts: SourceFacts, description: string): FixTest {
  const isAffected = createAffectedTest(
    facts,
    facts.affected.flatMap(({ versions }) => versions),
  )
  return (version) =>
    version === null || !(isAffected(withoutV(version)) && namesOnlyAsAffected(description, withoutV(version)))
}

/**
 * Returns a function that decides whether one of the facts or NVD calls a version affected, even inside a text such as
 * "4.0 to 4.4".
 */
function createAffectedTest(facts: SourceFacts, versions: readonly VersionFact[]): (version: string) => boolean {
  const affected = new Set([
    ...versions.flatMap(readLastAffected),
    ...listConfigurations(facts).flatMap(listMatches).flatMap(readLastOfMatch),
  ])
  const texts = versions.filter((each) => each.isAffected && each.lessThan === null).map(({ version }) => version)
  return (version) => affected.has(version) || texts.some((text) => listTextsBefore(text, version).length > 0)
}

/** Words in the clause before a version that call it fixed or not affected. */
const CALLS_FIXED = /\b(?:before|prior|lower|earlier|older|less|fixed|patched|resolved|addressed)\b|</i
const CLAUSE_LENGTH = 60

function namesOnlyAsAffected(description: string, version: string): boolean {
  const texts = listTextsBefore(description, version)
  return texts.length > 0 && !texts.some((text) => CALLS_FIXED.test(text.split(/[,;]|\. /).at(-1) ?? ''))
}

/** Lists the text before each mention of exactly this version, ignoring longer versions that contain it. */
function listTextsBefore(text: string, version: string): readonly string[] {
  const [all, texts]: [string, string[]] = [text.toLowerCase(), []]
  for (let at = all.indexOf(version); at >= 0; at = all.indexOf(version, at + 1)) {
    const before = all.slice(Math.max(0, at - CLAUSE_LENGTH), at).replace(/\bv$/, '')
    const isWhole = !/[\w.]$/.test(before) && !/^(?:[\w-]|\.\d)/.test(all.slice(at + version.length))
    if (isWhole) texts.push(before)
  }
  return texts
}

/**
 * Lists the affected products. CISA-ADP's products lose the ranges that end before a version which the CNA or NVD calls
 * affected, because that version is not a fix.
 */
function listAffected(facts: SourceFacts, isFix: FixTest): readonly AffectedFact[] {
  const byOthers = facts.affected.filter(({ by }) => by !== CISA_ADP).flatMap(({ versions }) => versions)
  const isAffected = createAffectedTest(facts, byOthers)
  const isAdpFix = ({ lessThan }: VersionFact) => lessThan === null || !isAffected(withoutV(lessThan))
  return facts.affected.map(({ versions, ...each }) => ({
    ...each,
    versions: versions.filter((fact) => isFix(fact.lessThan) && (each.by !== CISA_ADP || isAdpFix(fact))),
  }))
}

function readLastAffected({ isAffected, version, lessThan, lessThanOrEqual }: VersionFact): readonly string[] {
  if (!isAffected || lessThan !== null) return []
  return [withoutV(lessThanOrEqual ?? version)]
}

function readLastOfMatch(match: Readonly<Record<string, unknown>>): readonly string[] {
  const version = textIn(match, 'criteria')?.split(/(?<!\\):/)[5]
  const last = textIn(match, 'versionEndIncluding') ?? version?.replaceAll(/\\(.)/g, '$1')
  return last === undefined ? [] : [withoutV(last)]
}

function namesFirstFixed(match: Readonly<Record<string, unknown>>): boolean {
  return match['vulnerable'] !== false && HAS_DIGIT.test(textIn(match, 'versionEndExcluding') ?? '')
}

/**
 * Returns whether the end of a match is the first, the last or the only version of another vulnerable match of the same
 * product.
 */
function isListedAsAffected(
  match: Readonly<Record<string, unknown>>,
  all: readonly Readonly<Record<string, unknown>>[],
): boolean {
  const [end, product] = [textIn(match, 'versionEndExcluding'), readProduct(match)]
  return all.some(
    (each) =>
      each['vulnerable'] !== false &&
      readProduct(each) === product &&
      [textIn(each, 'versionStartIncluding'), ...readLastOfMatch(each)].some(
        (version) => version !== null && version.toLowerCase() === end?.toLowerCase(),
      ),
  )
}

function readProduct(match: Readonly<Record<string, unknown>>): string {
  return (textIn(match, 'criteria') ?? '')
    .split(/(?<!\\):/)
    .slice(2, 5)
    .join(':')
}

function isFixedSomewhere(fact: VersionFact, all: readonly VersionFact[]): boolean {
  const { isAffected, isUnaffected, version, lessThan, fixedAt } = fact
  // A product that is unaffected from version 0 onwards was never affected, so that version is not a fix.
  if (isUnaffected) return HAS_DIGIT.test(version) && version !== '0' && !isOlderThanAffected(version, all)
  return isAffected && (HAS_DIGIT.test(lessThan ?? '') || HAS_DIGIT.test(fixedAt ?? ''))
}

function isOlderThanAffected(version: string, all: readonly VersionFact[]): boolean {
  const affected = all.filter((each) => each.isAffected)
  return affected.length > 0 && affected.every((each) => (compareVersions(version, each.version) ?? 1) < 0)
}

function listReferenceTags({ nvd, cve }: SourceFacts): readonly string[] {
  const references = [
    ...(nvd === null ? [] : objectsIn(nvd, 'references')),
    ...listContainers(cve).flatMap((container) => objectsIn(container, 'references')),
  ]
  return references.flatMap((each) => textsIn(each, 'tags'))
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > MAX_ACTION_LENGTH ? `${line.slice(0, MAX_ACTION_LENGTH - 1)}…` : line
}
