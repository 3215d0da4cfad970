// Techniques, patterns and mappings in the forms of their makers. The ids are real; every sentence is ours.

import type { RunReport, RunTools } from '../../../../src/feeds/engine/run.ts'
import { attackFeed, attackMappingFeed, capecFeed } from '../../../../src/feeds/sources/attack/feed.ts'
import { type Machine, testMachine } from '../../feed-harness.ts'
import { directoryWith } from '../../small-files.ts'

type Said = Readonly<Record<string, unknown>>

export function technique(id: string, said: Said = {}): Said {
  return {
    type: 'attack-pattern',
    id: `attack-pattern--${id}`,
    name: `Way ${id}`,
    modified: '2025-10-21T15:00:00.000Z',
    kill_chain_phases: [
      { kill_chain_name: 'mitre-attack', phase_name: 'initial-access' },
      { kill_chain_name: 'somebody-else', phase_name: 'tea' },
    ],
    external_references: [{ source_name: 'mitre-attack', external_id: id }, { source_name: 'A book' }],
    x_mitre_is_subtechnique: id.includes('.'),
    ...said,
  }
}

export function techniques(count: number): Said[] {
  return Array.from({ length: count }, (_, index) => technique(`T${1000 + index}`))
}

export function capec(id: number, said: Said = {}, references: readonly Said[] = []): Said {
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
    ...said,
  }
}

/** With some of the other objects that a bundle has. */
export function stix(objects: readonly unknown[], said: Said = {}): string {
  const collection = { type: 'x-mitre-collection', x_mitre_version: '18.1', modified: '2025-11-13T14:00:00.188Z' }
  const others = [collection, { type: 'relationship', source_ref: 'a', modified: '2025-01-01T00:00:00.000Z' }]
  return JSON.stringify({ type: 'bundle', id: 'bundle--1', ...said, objects: [...others, ...objects] })
}

export function mapping(cve: string, to: string, said: Said = {}): Said {
  return {
    capability_id: cve,
    attack_object_id: to,
    mapping_type: 'exploitation_technique',
    capability_group: 'spilling',
    comments: 'The teapot is turned over.',
    references: [],
    status: 'complete',
    ...said,
  }
}

export function mappingFile(mappings: readonly unknown[], said: Said = {}): string {
  const metadata = {
    mapping_framework: 'kev',
    mapping_framework_version: '07/28/2025',
    technology_domain: 'enterprise',
    attack_version: '16.1',
    creation_date: '07/28/2025',
    last_update: '08/28/2025',
    ...said,
  }
  return JSON.stringify({ metadata, mapping_objects: mappings })
}

const url = 'https://attack.example/'
export const FEEDS = {
  attack: attackFeed({ url }),
  capec: capecFeed({ url }),
  'attack-mapping': attackMappingFeed({ url }),
} as const

export interface AttackMachine extends Machine {
  /** From a directory with nothing but this file. */
  read(feed: keyof typeof FEEDS, name: string, content: string, changed?: Partial<RunTools>): Promise<RunReport>
  rejections(): Promise<Record<string, unknown>[]>
  queued(): Promise<Record<string, unknown>[]>
  reset(): Promise<void>
}

export async function attackMachine(): Promise<AttackMachine> {
  const machine = await testMachine()
  return {
    ...machine,
    read: async (feed, name, content, changed = {}) =>
      machine.run(FEEDS[feed], { from: await directoryWith({ [name]: content }), ...changed }),
    rejections: () => machine.look('select subject, reason from source.feed_rejection order by id'),
    queued: () => machine.look('select cve_id, feed from source.publication_queue order by cve_id'),
    reset: async () => {
      await machine.look(`
        truncate source.attack_technique, source.capec, source.attack_mapping, source.publication_queue,
                 source.feed cascade
      `)
      await machine.look('update catalog.dataset set table_count = 0')
    },
  }
}
