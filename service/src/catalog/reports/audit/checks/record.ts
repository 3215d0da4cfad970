// Checks on scores, status, tags, techniques, SSVC values, exploit evidence and detail records.
import { type JsonObject, objectIn, objectsIn, textIn, textsIn } from '../../../sources/json.ts'
import type { Check } from '../check.ts'
import { listContainers, type SourceFacts } from '../source-facts.ts'

/** Metasploit modules that count as exploits (decision C15). Other modules only detect a vulnerability. */
const EXPLOIT_MODULE = /^(?:exploit\/|auxiliary\/(?:admin|dos)\/)/

export const RECORD_CHECKS: readonly Check[] = [
  {
    id: 'v2-hidden',
    sentence: 'the only score is a CVSS 2.0 score, and the record does not show its vector',
    applies: ({ served }) =>
      served.cvssVector !== null && !served.cvssVector.startsWith('CVSS:') && !('v2_0' in served.cvss),
  },
  {
    id: 'techniques-unmarked',
    sentence: 'the techniques are derived, and the record does not say so',
    applies: ({ served, facts }) =>
      served.techniques.length > 0 && facts.sourceData.mappings.length === 0 && served.techniqueMapping !== 'derived',
  },
  {
    id: 'techniques-derived',
    sentence: 'the techniques are derived, marked or not',
    isInformation: true,
    applies: ({ served, facts }) => served.techniques.length > 0 && facts.sourceData.mappings.length === 0,
  },
  {
    id: 'tags-missing',
    sentence: 'a source tags the CVE (disputed, unsupported when assigned, …), and the record lacks the tag',
    applies: ({ served, facts }) => listTags(facts).some((tag) => !served.tags.includes(tag)),
  },
  {
    id: 'rejected-with-values',
    sentence: 'the CVE is rejected and has a score, a weakness or a CPE match',
    applies: ({ served }) =>
      served.isRejected && (served.score !== null || served.matches.length > 0 || served.weaknesses.length > 0),
  },
  {
    id: 'rejected-with-exploit',
    sentence: 'the CVE is rejected and has an exploit flag',
    applies: ({ served }) => served.isRejected && served.hasExploit,
  },
  {
    id: 'rejected-in-kev',
    sentence: 'the CVE is rejected and KEV lists it',
    isInformation: true,
    applies: ({ served, facts }) => served.isRejected && facts.kev !== null,
  },
  {
    id: 'ssvc-dropped',
    sentence: 'a source gives SSVC automatable or technical impact, and the record does not show them',
    applies: ({ served, facts }) =>
      !served.isRejected &&
      hasSsvc(facts) &&
      !(/automatable/i.test(served.sourcesText) && /technical_?impact/i.test(served.sourcesText)),
  },
  {
    id: 'scanner-as-exploit',
    sentence: 'the only exploit evidence is a Metasploit module that does not exploit, and exploit_flag is true',
    applies: ({ served, facts }) => served.hasExploit && hasScannerEvidenceOnly(facts),
  },
  {
    id: 'scanner-modules',
    sentence: 'Metasploit has only modules that do not exploit the CVE',
    isInformation: true,
    applies: ({ facts }) => {
      const modules = listModules(facts)
      return modules.length > 0 && !modules.some((id) => EXPLOIT_MODULE.test(id))
    },
  },
  {
    id: 'detail-of-cve-list-only',
    sentence: 'the CVE List has a full detail record and NVD has none (decision D12 chooses the CVE List)',
    isInformation: true,
    applies: ({ served }) => served.detailSources.includes('cve') && !served.detailSources.includes('nvd'),
  },
  {
    id: 'package-without-purl',
    sentence: 'a GitHub advisory lists a package without a package URL',
    applies: ({ facts }) =>
      facts.ghsa.flatMap((each) => objectsIn(each, 'products')).some((each) => textIn(each, 'purl') === null),
  },
]

/** Lists the tags from NVD and the CNA (decision E8), without a CNA's own tags, which have a prefix. */
function listTags({ nvd, cve }: SourceFacts): readonly string[] {
  const tags = [
    ...(nvd === null ? [] : objectsIn(nvd, 'cveTags').flatMap((each) => textsIn(each, 'tags'))),
    ...(cve === null ? [] : textsIn(objectIn(objectIn(cve, 'containers'), 'cna'), 'tags')),
  ]
  return [...new Set(tags.map((tag) => tag.toLowerCase()))].filter((tag) => !tag.startsWith('x_'))
}

/** Returns whether a source gives the SSVC value Automatable or Technical Impact. */
function hasSsvc({ nvd, cve }: SourceFacts): boolean {
  const byNvd =
    nvd === null ? [] : objectsIn(objectIn(nvd, 'metrics'), 'ssvcV203').map((each) => objectIn(each, 'ssvcData'))
  const byContainers = listContainers(cve)
    .flatMap((container) => objectsIn(container, 'metrics'))
    .map((metric) => objectIn(metric, 'other'))
    .filter((other) => /^ssvc/i.test(textIn(other, 'type') ?? ''))
    .map((other) => objectIn(other, 'content'))
  return [...byNvd, ...byContainers].some(hasFurtherOptions)
}

function hasFurtherOptions(content: JsonObject): boolean {
  const names = objectsIn(content, 'options').flatMap((option) => Object.keys(option))
  return names.some((name) => /^(?:automatable|technical\s*impact)$/i.test(name))
}

function listModules({ sourceData }: SourceFacts): readonly string[] {
  return sourceData.exploits.filter(({ feed }) => feed === 'metasploit').map(({ id }) => id)
}

/** Returns whether only Metasploit scanner modules suggest an exploit, and no other list, link or SSVC value. */
function hasScannerEvidenceOnly(facts: SourceFacts): boolean {
  const { exploits } = facts.sourceData
  const isScannerOnly =
    exploits.length > 0 && exploits.every(({ feed, id }) => feed === 'metasploit' && !EXPLOIT_MODULE.test(id))
  return isScannerOnly && !hasOtherEvidence(facts)
}

function hasOtherEvidence({ nvd, cve }: SourceFacts): boolean {
  const references = [
    ...(nvd === null ? [] : objectsIn(nvd, 'references')),
    ...listContainers(cve).flatMap((container) => objectsIn(container, 'references')),
  ]
  const isTagged = references.flatMap((each) => textsIn(each, 'tags')).some((tag) => /^exploit$/i.test(tag))
  return isTagged || /"exploitation"\s*:\s*"(?:poc|active)"/i.test(JSON.stringify([nvd, cve]))
}
