// The `enrichment` object: facts about a CVE that the service derives from all data sources (decisions C14 to C17).
import { Type } from 'typebox'
import {
  closedObject,
  countSchema,
  flagSchema,
  instantSchema,
  orNull,
  textSchema,
  wordOrNull,
} from '../response/schemas.ts'

export const sourceTagsSchema = () =>
  Type.Array(Type.String({ examples: ['nvd'] }), {
    description:
      'The data sources of the parameter vendor that have a record of this CVE, sorted. sources.source_tag names every source.',
  })

export const techniquesSchema = () =>
  Type.Array(Type.String({ pattern: '^T\\d{4}(\\.\\d{3})?$', examples: ['T1190', 'T1059.003'] }), {
    description: 'MITRE ATT&CK techniques that exploit the CVE or that it enables, sorted.',
  })

export const techniqueMappingSchema = () =>
  wordOrNull(
    ['curated', 'derived'],
    'curated: people assigned the techniques to this CVE (Center for Threat-Informed Defense). derived: rules assigned them by the kind of vulnerability (CVSS vector, weaknesses, description); about half of such techniques agree with curated ones. null: the CVE has no techniques.',
  )

export const cpeSourceSchema = () =>
  orNull(
    Type.String({
      description:
        'The provider of the CPE matches. The prefix "derived:" means that the service built them from the product names and versions of that provider.',
      examples: ['nvd', 'anchore', 'derived:cna:apache'],
    }),
  )

const content = {
  cvss_vector: orNull(textSchema('The vector of the score in severity; null without a score.')),
  cvss_source: orNull(
    Type.String({
      description: 'The provider of the score in severity; null without a score.',
      examples: ['nvd', 'cisa-adp', 'cna:apache'],
    }),
  ),
  cwe_list: Type.Array(Type.String({ pattern: '^CWE-\\d+$' }), {
    description: 'The CWE ids that any source names, sorted by number.',
  }),
  exploit_flag: flagSchema(
    'Whether there is public evidence of an exploit. A KEV entry alone does not count as evidence.',
  ),
  kev_flag: flagSchema('Whether the CVE is in the KEV catalog.'),
  attack_vector: wordOrNull(
    ['network', 'adjacent', 'local', 'physical'],
    'The attack vector in the vector of the score in severity.',
  ),
  patch_available: flagSchema(
    'Whether a source names a fix: a fixed version, a reference tagged Patch, or a KEV entry that requires updates.',
  ),
  cpe_count: countSchema('Number of CPE matches of the record.'),
  cpe_source: cpeSourceSchema(),
  reference_count: countSchema('Number of references of the record.'),
  vendor_tags: sourceTagsSchema(),
}

export const enrichmentSchema = closedObject(
  {
    ...content,
    enriched_at: instantSchema('When the content of the enrichment last changed.'),
    attack_techniques: Type.Optional(techniquesSchema()),
    attack_mapping: Type.Optional(techniqueMappingSchema()),
  },
  'Facts derived from all sources together.',
  'Enrichment',
)

/** The schema for the enrichment as stored in the database, without the members that are added when it is read. */
export const enrichmentContentSchema = closedObject(content, 'The enrichment without the time of its last change.')
