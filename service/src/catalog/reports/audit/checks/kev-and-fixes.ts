// Checks of KEV entries (CISA's known exploited vulnerabilities) and of fixes.
import { compareVersions } from '../../../../domain/version-order.ts'
import { objectsIn, textIn, textsIn } from '../../../sources/json.ts'
import type { AuditContext, Check } from '../check.ts'
import { listConfigurations, listContainers, listMatches, type SourceFacts, type VersionFact } from '../source-facts.ts'

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
    sentence: 'KEV is the only source, and the record has no description, no link or no publication date',
    applies: ({ served }) =>
      served.sourceTag === 'kev' &&
      (served.description === null || served.links.length === 0 || served.published === null),
  },
  {
    id: 'fix-named',
    sentence: 'a source names a fix in a structured value, and patch_available is false',
    applies: ({ served, facts }) => !served.hasPatch && !served.isRejected && namesFix(facts),
  },
  {
    id: 'kev-says-update',
    sentence: 'the required action of KEV begins with "Apply updates", and patch_available is false',
    applies: ({ served, facts }) => !served.hasPatch && saysUpdate(facts),
  },
  {
    id: 'fix-in-text',
    sentence: 'the description names a fixed version, and patch_available is false',
    applies: ({ served }) => !served.hasPatch && !served.isRejected && FIX_IN_TEXT.test(served.description ?? ''),
  },
  {
    id: 'kev-without-fix',
    sentence: 'KEV lists the CVE, and patch_available is false',
    applies: ({ served, facts }) => facts.kev !== null && !served.hasPatch,
    group: ({ facts }) => shorten(facts.kev?.requiredAction ?? ''),
  },
]

function lacksKevWeakness({ served, facts }: Pick<AuditContext, 'served' | 'facts'>): boolean {
  return (facts.kev?.cwes ?? []).some((each) => CWE.test(each) && !served.weaknesses.includes(each))
}

/**
 * Returns whether KEV's action says that an update exists (decision E4). The text of the directive that all entries
 * share since June 2026 names "Security Updates" in its middle and does not count.
 */
function saysUpdate({ kev }: SourceFacts): boolean {
  return /^apply updates\b/i.test(kev?.requiredAction.trim() ?? '')
}

/** Returns whether a source names a fixed version, or tags a link as a patch (decision C16). */
function namesFix(facts: SourceFacts): boolean {
  return (
    listConfigurations(facts).flatMap(listMatches).some(namesFirstFixed) ||
    facts.affected.some(({ versions }) => versions.some((each) => isFixedSomewhere(each, versions))) ||
    facts.ghsa.flatMap((each) => objectsIn(each, 'products')).some((each) => textIn(each, 'fixed') !== null) ||
    listReferenceTags(facts).some((tag) => /^patch$/i.test(tag))
  )
}

function namesFirstFixed(match: Readonly<Record<string, unknown>>): boolean {
  return match['vulnerable'] !== false && HAS_DIGIT.test(textIn(match, 'versionEndExcluding') ?? '')
}

function isFixedSomewhere(fact: VersionFact, all: readonly VersionFact[]): boolean {
  const { isAffected, isUnaffected, version, lessThan, fixedAt } = fact
  // A product that is unaffected from version 0 on was never affected, so that version is not a fix.
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
