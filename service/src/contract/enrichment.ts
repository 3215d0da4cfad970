// What we add to a record from all of its sources (decisions C14 to C17).
import { Type } from 'typebox'
import { closedObject, countSchema, flagSchema, instantSchema, orNull, textSchema, wordOrNull } from './schemas.ts'

/** The sources that can be asked for by name. */
export const sourceTagsSchema = () =>
  Type.Array(Type.String({ examples: ['nvd'] }), { description: 'The sources that hold a record of it, sorted.' })

export const techniquesSchema = () =>
  Type.Array(Type.String({ pattern: '^T\\d{4}(\\.\\d{3})?$', examples: ['T1190', 'T1059.003'] }), {
    description: 'Techniques of MITRE ATT&CK that exploit it or that it leads to, sorted.',
  })

export const cpeSourceSchema = () =>
  orNull(
    Type.String({
      description: 'Who gave the CPE matches; with "derived:" before it where we made them from other words.',
      examples: ['nvd', 'anchore', 'derived:cna:apache'],
    }),
  )

const said = {
  cvss_vector: orNull(textSchema('The vector of the one score that filters and sorting use; null without a score.')),
  cvss_source: orNull(
    Type.String({ description: 'Who gave that score.', examples: ['nvd', 'cisa-adp', 'cna:apache'] }),
  ),
  cwe_list: Type.Array(Type.String({ pattern: '^CWE-\\d+$' }), {
    description: 'The weaknesses that any source names, in the order of their numbers.',
  }),
  exploit_flag: flagSchema('Whether there is public evidence that it can be exploited; being in KEV alone is none.'),
  kev_flag: flagSchema("Whether it is in CISA's catalogue of known exploited vulnerabilities."),
  attack_vector: wordOrNull(
    ['network', 'adjacent', 'local', 'physical'],
    'From how far away it can be exploited, by the vector of the one score.',
  ),
  patch_available: flagSchema('Whether a reference is tagged Patch or any source names a fixed version.'),
  cpe_count: countSchema('How many CPE matches the record has.'),
  cpe_source: cpeSourceSchema(),
  reference_count: countSchema('How many references the record has.'),
  vendor_tags: sourceTagsSchema(),
}

export const enrichmentSchema = closedObject(
  {
    ...said,
    enriched_at: instantSchema("When the enrichment's content last changed."),
    attack_techniques: Type.Optional(techniquesSchema()),
  },
  'What all sources together add to the record.',
)

/** As it is rendered, before it is known when it last changed. */
export const enrichmentContentSchema = closedObject(said, 'The enrichment without the time of its last change.')
