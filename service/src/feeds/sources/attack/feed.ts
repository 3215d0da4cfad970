// Three feeds that belong together and are true or not each by itself: ATT&CK's techniques, CAPEC's patterns, and which
// CVE is exploited by which technique.
import { address } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { type CapecRow, capecStore, normaliseCapec } from './capec.ts'
import { fetchMapping, fetchPatterns } from './fetch.ts'
import { type MappingRow, mappingStore, normaliseMapping } from './mapping.ts'
import type { RawPattern } from './pattern.ts'
import { normaliseTechnique, type TechniqueRow, techniqueStore } from './technique.ts'

interface Settings {
  readonly url: string
}

/** Two releases a year, each of them; mostly the answer is that nothing changed. */
const RHYTHM = { everySeconds: 24 * 60 * 60, staleAfterSeconds: 30 * 24 * 60 * 60, guards: [] }

const GITHUB = 'https://raw.githubusercontent.com/'

export const attackPlan = feedPlan(
  {
    url: address(
      'FEED_ATTACK_URL',
      `${GITHUB}mitre-attack/attack-stix-data/master/enterprise-attack/enterprise-attack.json`,
    ),
  },
  attackFeed,
)

export const capecPlan = feedPlan(
  { url: address('FEED_CAPEC_URL', `${GITHUB}mitre/cti/master/capec/2.1/stix-capec.json`) },
  capecFeed,
)

export const attackMappingPlan = feedPlan(
  {
    // Every release has an address of its own.
    url: address(
      'FEED_ATTACK_MAPPING_URL',
      `${GITHUB}center-for-threat-informed-defense/mappings-explorer/main/mappings/kev/attack-16.1/kev-07.28.2025/enterprise/kev-07.28.2025_attack-16.1-enterprise.json`,
    ),
  },
  attackMappingFeed,
)

export function attackFeed({ url }: Settings): Feed<RawPattern, TechniqueRow> {
  const source = { feed: 'attack', url, file: 'enterprise-attack.json', member: 'attack_techniques' } as const
  return {
    ...RHYTHM,
    name: 'attack',
    title: 'MITRE ATT&CK techniques',
    fetch: (context) => fetchPatterns(context, source),
    normalise: normaliseTechnique,
    store: techniqueStore,
  }
}

export function capecFeed({ url }: Settings): Feed<RawPattern, CapecRow> {
  const source = { feed: 'capec', url, file: 'stix-capec.json', member: 'capec' } as const
  return {
    ...RHYTHM,
    name: 'capec',
    title: 'MITRE CAPEC attack patterns',
    fetch: (context) => fetchPatterns(context, source),
    normalise: normaliseCapec,
    store: capecStore,
  }
}

export function attackMappingFeed({ url }: Settings): Feed<unknown, MappingRow> {
  return {
    ...RHYTHM,
    name: 'attack-mapping',
    title: 'KEV to ATT&CK mapping',
    fetch: (context) => fetchMapping(context, url),
    normalise: normaliseMapping,
    store: mappingStore,
  }
}
