// Defines three related feeds that run independently: ATT&CK techniques, CAPEC attack patterns, and the mapping of
// known exploited CVEs to techniques.
import { address } from '../../../domain/setting.ts'
import type { Feed } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type CapecRow, capecStore, normaliseCapec } from './capec.ts'
import { collectMapping, collectPatterns, fetchMapping, fetchPatterns } from './fetch.ts'
import { type MappingRow, mappingStore, normaliseMapping } from './mapping.ts'
import type { RawPattern } from './pattern.ts'
import { normaliseTechnique, type TechniqueRow, techniqueStore } from './technique.ts'

interface Settings {
  readonly url: string
}

const GITHUB = 'https://raw.githubusercontent.com/'

export const attackDefinition = defineFeed(
  {
    url: address(
      'FEED_ATTACK_URL',
      `${GITHUB}mitre-attack/attack-stix-data/master/enterprise-attack/enterprise-attack.json`,
    ),
  },
  attackFeed,
)

export const capecDefinition = defineFeed(
  { url: address('FEED_CAPEC_URL', `${GITHUB}mitre/cti/master/capec/2.1/stix-capec.json`) },
  capecFeed,
)

export const attackMappingDefinition = defineFeed(
  {
    // Every release of the mapping has its own URL, so importing a newer release requires a changed setting.
    url: address(
      'FEED_ATTACK_MAPPING_URL',
      `${GITHUB}center-for-threat-informed-defense/mappings-explorer/main/mappings/kev/attack-16.1/kev-07.28.2025/enterprise/kev-07.28.2025_attack-16.1-enterprise.json`,
    ),
  },
  attackMappingFeed,
)

export function attackFeed({ url }: Settings): Feed<RawPattern, TechniqueRow> {
  const source = { feed: 'attack', url, file: 'enterprise-attack.json', member: 'attack_techniques' } as const
  return createFeed('attack', {
    fetch: (context) => fetchPatterns(context, source),
    collect: collectPatterns(source),
    normalise: normaliseTechnique,
    store: techniqueStore,
  })
}

export function capecFeed({ url }: Settings): Feed<RawPattern, CapecRow> {
  const source = { feed: 'capec', url, file: 'stix-capec.json', member: 'capec' } as const
  return createFeed('capec', {
    fetch: (context) => fetchPatterns(context, source),
    collect: collectPatterns(source),
    normalise: normaliseCapec,
    store: capecStore,
  })
}

export function attackMappingFeed({ url }: Settings): Feed<unknown, MappingRow> {
  return createFeed('attack-mapping', {
    fetch: (context) => fetchMapping(context, url),
    collect: collectMapping(url),
    normalise: normaliseMapping,
    store: mappingStore,
  })
}
