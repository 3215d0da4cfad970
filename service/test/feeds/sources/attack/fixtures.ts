// Builds ATT&CK techniques, CAPEC patterns and mappings in the formats of their publishers, and a harness that imports
// them. The ids are real, the texts are invented.
import { attackFeed, attackMappingFeed, capecFeed } from '../../../../src/feeds/sources/attack/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'

type Members = Readonly<Record<string, unknown>>

export function buildTechnique(id: string, changed: Members = {}): Members {
  return {
    type: 'attack-pattern',
    id: `attack-pattern--${id}`,
    name: `Technique ${id}`,
    modified: '2025-10-21T15:00:00.000Z',
    kill_chain_phases: [
      { kill_chain_name: 'mitre-attack', phase_name: 'initial-access' },
      { kill_chain_name: 'another-framework', phase_name: 'delivery' },
    ],
    external_references: [{ source_name: 'mitre-attack', external_id: id }, { source_name: 'A report' }],
    x_mitre_is_subtechnique: id.includes('.'),
    ...changed,
  }
}

export function buildTechniques(count: number): Members[] {
  return Array.from({ length: count }, (_, index) => buildTechnique(`T${1000 + index}`))
}

export function buildCapec(id: number, changed: Members = {}, references: readonly Members[] = []): Members {
  return {
    type: 'attack-pattern',
    id: `attack-pattern--capec-${id}`,
    name: `Pattern ${id}`,
    modified: '2022-09-29T00:00:00.000Z',
    x_capec_abstraction: 'Standard',
    x_capec_status: 'Draft',
    x_capec_likelihood_of_attack: 'High',
    x_capec_version: '3.9',
    external_references: [
      { source_name: 'capec', external_id: `CAPEC-${id}` },
      { source_name: 'cwe', external_id: 'CWE-89' },
      { source_name: 'cwe', external_id: 'CWE-20' },
      { source_name: 'ATTACK', external_id: 'T1190' },
      { source_name: 'WASC', external_id: '19' },
      ...references,
    ],
    ...changed,
  }
}

/** Builds a STIX bundle that contains the given objects and some objects of other types. */
export function buildStixBundle(objects: readonly unknown[], changed: Members = {}): string {
  const collection = { type: 'x-mitre-collection', x_mitre_version: '18.1', modified: '2025-11-13T14:00:00.188Z' }
  const others = [collection, { type: 'relationship', source_ref: 'a', modified: '2025-01-01T00:00:00.000Z' }]
  return JSON.stringify({ type: 'bundle', id: 'bundle--1', ...changed, objects: [...others, ...objects] })
}

export function buildMapping(cveId: string, techniqueId: string, changed: Members = {}): Members {
  return {
    capability_id: cveId,
    attack_object_id: techniqueId,
    mapping_type: 'exploitation_technique',
    capability_group: 'injection',
    comments: 'Attackers send crafted requests to the login page.',
    references: [],
    status: 'complete',
    ...changed,
  }
}

export function buildMappingFile(mappings: readonly unknown[], changed: Members = {}): string {
  const metadata = {
    mapping_framework: 'kev',
    mapping_framework_version: '07/28/2025',
    technology_domain: 'enterprise',
    attack_version: '16.1',
    creation_date: '07/28/2025',
    last_update: '08/28/2025',
    ...changed,
  }
  return JSON.stringify({ metadata, mapping_objects: mappings })
}

const url = 'https://attack.example/'
export const FEEDS = {
  attack: attackFeed({ url }),
  capec: capecFeed({ url }),
  'attack-mapping': attackMappingFeed({ url }),
} as const

export async function createAttackHarness() {
  const harness = await createFeedHarness()
  return {
    ...harness,
    /** Runs the named feed on a directory that contains only the given file. */
    importFile: (feed: keyof typeof FEEDS, name: string, content: string) =>
      harness.importFiles(FEEDS[feed], { [name]: content }),
  }
}
