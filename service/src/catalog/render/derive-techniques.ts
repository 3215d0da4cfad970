// Derives ATT&CK techniques for CVEs without a curated mapping, by rules that follow the vulnerability-type method of
// the Center for Threat-Informed Defense (decision D19). ADR 0017 shows how far each rule agrees with the curated
// mappings.
import type { Resolved } from '../model/resolved.ts'
import { isRejected } from '../resolve/status.ts'
import { findTraits, type Traits } from './vulnerability-traits.ts'

interface TechniqueRule {
  readonly technique: string
  readonly name: string
  /** The type of vulnerability that the technique is assigned to. */
  readonly when: string
  applies(traits: Traits): boolean
}

/** Rules for how an attacker gets in come first, then rules for what the attacker gains. */
export const TECHNIQUE_RULES: readonly TechniqueRule[] = [
  {
    technique: 'T1190',
    name: 'Exploit Public-Facing Application',
    when: 'a service that is reachable over a network, without user interaction',
    applies: ({ entry }) => entry === 'service',
  },
  {
    technique: 'T1078',
    name: 'Valid Accounts',
    when: 'a service or local access, with privileges',
    applies: ({ entry, needsPrivileges }) => needsPrivileges && (entry === 'service' || entry === 'local'),
  },
  {
    technique: 'T1068',
    name: 'Exploitation for Privilege Escalation',
    when: 'local access without user interaction, unless an attacker only reads data and gains no privileges',
    applies: ({ entry, mainImpact, gainsPrivileges }) =>
      entry === 'local' && (mainImpact !== 'confidentiality' || gainsPrivileges),
  },
  {
    technique: 'T1189',
    name: 'Drive-by Compromise',
    when: 'a user visits a page',
    applies: ({ entry }) => entry === 'page',
  },
  {
    technique: 'T1204.001',
    name: 'User Execution: Malicious Link',
    when: 'a user follows a link: cross-site scripting, request forgery or open redirect',
    applies: ({ entry }) => entry === 'link',
  },
  {
    technique: 'T1204.002',
    name: 'User Execution: Malicious File',
    when: 'a user opens a file',
    applies: ({ entry }) => entry === 'file',
  },
  {
    technique: 'T1203',
    name: 'Exploitation for Client Execution',
    when: 'a user visits a page or opens a file, and code is executed or memory is corrupted',
    applies: ({ entry, executesCode, corruptsMemory }) =>
      (entry === 'page' || entry === 'file') && (executesCode || corruptsMemory),
  },
  {
    technique: 'T1059',
    name: 'Command and Scripting Interpreter',
    when: 'an attacker executes code, commands, scripts or SQL',
    applies: ({ executesCode, kinds }) => executesCode || kinds.has('sql') || kinds.has('script'),
  },
  {
    technique: 'T1505.003',
    name: 'Server Software Component: Web Shell',
    when: 'upload of dangerous files',
    applies: ({ kinds }) => kinds.has('upload'),
  },
  {
    technique: 'T1005',
    name: 'Data from Local System',
    when: 'impact on confidentiality without impact on integrity',
    applies: ({ mainImpact }) => mainImpact === 'confidentiality',
  },
  {
    technique: 'T1499',
    name: 'Endpoint Denial of Service',
    when: 'impact on availability only; no other rule applies then',
    applies: ({ mainImpact }) => mainImpact === 'availability',
  },
]

/** In no particular order. A rejected CVE is not a vulnerability. */
export function deriveTechniques(resolved: Resolved): readonly string[] {
  if (isRejected(resolved)) return []
  const traits = findTraits(resolved)
  return TECHNIQUE_RULES.filter((rule) => rule.applies(traits)).map(({ technique }) => technique)
}
