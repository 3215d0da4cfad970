// The `sources` member: for each value of a CVE record the sources that state it, and what other sources state
// (decision E15).
import { type TProperties, Type } from 'typebox'
import { baseScoreSchema } from './cvss.ts'
import { closedObject, countSchema, daySchema, instantSchema, textSchema } from './schemas.ts'

const origin = {
  source: Type.String({
    description:
      'Organisation that states the value: nvd, cisa-adp, cna:<name>, adp:<name>, ghsa, redhat, msrc, anchore, cisa-kev or osv:<database>; in references a name without a prefix; else the data set, such as epss or metasploit.',
    examples: ['nvd', 'cna:apache'],
  }),
  time: Type.Optional(instantSchema("Last change of the source's record that has the statement.")),
  date: Type.Optional(daySchema('Day of the statement, if the source gives a day instead of a time.')),
}

const value = (description: string): TProperties => ({ value: Type.Optional(textSchema(description)) })
const count = (description: string): TProperties => ({ count: Type.Optional(countSchema(description)) })
const derived = { derived: Type.Optional(Type.Literal(true, { description: 'The service derived the value.' })) }

const ratingContent: TProperties = {
  version: Type.Optional(Type.Enum(['2.0', '3.0', '3.1', '4.0'], { description: 'CVSS version.' })),
  score: Type.Optional(baseScoreSchema('Base score, computed from the vector.')),
  vector: Type.Optional(textSchema('CVSS vector string.')),
  stated_score: Type.Optional(baseScoreSchema('Base score that the source states, if it differs from the vector.')),
}

/** Values in the order of the response: a description, and the members that a statement can have beside its origin. */
const SOURCED_VALUES = {
  source_tag: ['Records from which the CVE was merged.', value('Data source of the record.')],
  published: ['Publication time.', value('Publication time.')],
  modified: ['Newest content change. The value of each statement is its time.', {}],
  description: ['Description.', value('Description.')],
  severity: ['Score in the member severity. The scores of other sources are in cvss_v3_1 to cvss_v2_0.', ratingContent],
  status: ['Status.', value('Status.')],
  cvss_v3_1: ['CVSS 3.1 or 3.0 score.', ratingContent],
  cvss_v4_0: ['CVSS 4.0 score.', ratingContent],
  cvss_v2_0: ['CVSS 2.0 score.', ratingContent],
  weaknesses: [
    'Weaknesses (CWE). The record has those of all sources.',
    { cwe_list: Type.Array(Type.String({ pattern: '^CWE-\\d+$' }), { description: 'CWE ids, sorted by number.' }) },
  ],
  cpe: ['CPE matches. The record has those of one source.', { ...count('Number of CPE matches.'), ...derived }],
  products: ['Affected products and packages, as the sources name them.', count('Number of products.')],
  references: ['References. Each counts for the source that the record names.', count('Number of references.')],
  exploitation: ['Exploitation (SSVC).', value('none, poc or active.')],
  automatable: ['Automatable (SSVC).', value('yes or no.')],
  technical_impact: ['Technical impact (SSVC).', value('partial or total.')],
  fix: ['Statement that a fix exists.', value('Statement that names a fixed version or a patch.')],
  kev: ['KEV entry.', { removed_at: Type.Optional(instantSchema('Time at which CISA removed the entry.')) }],
  epss: ['EPSS score.', {}],
  acsc: ['ACSC notices. The time is that of the newest one.', count('Number of notices.')],
  exploits: ['Public exploits. The date is that of the newest one.', count('Number of exploits.')],
  attack: ['ATT&CK techniques.', { ...count('Number of techniques.'), ...derived }],
} as const satisfies Readonly<Record<string, readonly [description: string, content: TProperties]>>

export type SourcedValueName = keyof typeof SOURCED_VALUES

const valueSchema = ([description, content]: readonly [string, TProperties]) => {
  const statement = closedObject({ ...origin, ...content }, 'What one source states.')
  return closedObject(
    {
      from: Type.Array(statement, {
        description:
          'Statements that agree with the record; the first one decided. They leave out what the record shows. Empty if the record has no value.',
      }),
      others: Type.Optional(
        Type.Array(statement, { minItems: 1, description: 'Other statements, in the order of precedence.' }),
      ),
      omitted: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of statements that are left out.' })),
    },
    description,
  )
}

export const sourcesSchema = closedObject(
  Object.fromEntries(
    Object.entries(SOURCED_VALUES).map(([name, spec]) => [name, Type.Optional(valueSchema(spec))] as const),
  ),
  'The sources of each value. A value that no source states is absent.',
)
