// The add-on `sources`: which sources state each value of a CVE record, and what other sources state instead (decision
// E15). Its column holds a shorter form without EPSS, which changes daily.
import { type TProperties, Type } from 'typebox'
import { DISAGREEMENT_TOPICS, DISAGREEMENTS } from '../../../domain/source/disagreement.ts'
import type { StoredOrigin, StoredSources, StoredStatement } from '../../../domain/source/stored-sources.ts'
import { closedObject, countSchema, daySchema, instantSchema, textSchema } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'
import { baseScoreSchema } from '../cvss.ts'

const origin = {
  source: Type.String({
    description:
      'Organisation that states the value: nvd, cisa-adp, cna:<name>, adp:<name>, ghsa, redhat, msrc, anchore, cisa-kev or osv:<database>; in references a name without a prefix; else the data set, such as epss or metasploit, or rules for a value that no source states.',
    examples: ['nvd', 'cna:apache'],
  }),
  time: Type.Optional(instantSchema("Last change of the source's record that has the statement.")),
  date: Type.Optional(daySchema('Day of the statement, if the source gives a day instead of a time.')),
  truncated: Type.Optional(
    Type.Literal(true, {
      description: "The source's text or list is longer than the service stores, and was cut.",
    }),
  ),
}

const derived = { derived: Type.Optional(Type.Literal(true, { description: 'The service derived the value.' })) }
const text = { value: Type.Optional(textSchema('The value that the source states.')) }
const count = { count: Type.Optional(countSchema('Number of items that the source states.')) }

/** Members of a statement besides its source and time, by the form of the value. */
const STATEMENT_CONTENTS = {
  Plain: {},
  Text: text,
  DerivableText: { ...text, ...derived },
  Rating: {
    version: Type.Optional(Type.Enum(['2.0', '3.0', '3.1', '4.0'], { description: 'CVSS version.' })),
    score: Type.Optional(baseScoreSchema('Base score, computed from the vector.')),
    vector: Type.Optional(textSchema('CVSS vector string.')),
    stated_score: Type.Optional(baseScoreSchema('Base score that the source states, if it differs from the vector.')),
  },
  Weakness: {
    cwe_list: Type.Array(Type.String({ pattern: '^CWE-\\d+$' }), { description: 'CWE ids, sorted by number.' }),
  },
  Tags: { tags: Type.Array(Type.String({ examples: ['disputed'] }), { description: 'Tags of the CVE, sorted.' }) },
  Count: count,
  DerivableCount: { ...count, ...derived },
  Fix: {
    ...text,
    product: Type.Optional(textSchema('Product to which the version belongs.')),
    branch: Type.Optional(textSchema('Branch of the product to which the version belongs, such as 2.12.')),
    downstream: Type.Optional(
      Type.Literal(true, {
        description:
          "The product is not known to be one that the CVE is about: it may contain one, like a distribution's package.",
      }),
    ),
    ...derived,
  },
  Kev: { removed_at: Type.Optional(instantSchema('Time at which CISA removed the entry.')) },
} as const satisfies Readonly<Record<string, TProperties>>

/** Rules that several values share. */
const UNION = 'all sources together'
const BY_SCORE = 'NVD, then the CNA, CISA, Red Hat, GitHub and others'
const BY_CISA = 'newest assessment of CISA, then of others'

type StatementForm = keyof typeof STATEMENT_CONTENTS

/**
 * The values in the order of the response, each with a description, the form of the statements about it, and how the
 * service chooses the record's value from them.
 */
const SOURCED_VALUES = {
  source_tag: [
    'Records from which the CVE was merged, by data source.',
    'Text',
    'first source that describes the CVE, NVD and the CVE List first',
  ],
  published: ['Publication time.', 'Text', 'NVD, then the CVE List and others'],
  modified: [
    'Newest content change. The value of each statement is its time.',
    'Plain',
    'newest change of all sources',
  ],
  description: ['Description.', 'Text', 'NVD, then the CVE List and others'],
  severity: [
    'Score in the member severity. The scores of other sources are in cvss_v3_1 to cvss_v2_0.',
    'Rating',
    'CVSS 3.1, then 3.0, 4.0 and 2.0',
  ],
  severity_word: [
    'Severity in the words of the sources, only for a CVE without a score. The service does not turn a word into a number.',
    'Text',
    'words of each source, never turned into a score',
  ],
  status: [
    'Status. The source is rules if no source states one.',
    'DerivableText',
    'NVD; the newest if sources disagree about a rejection',
  ],
  tags: ['Tags. The record has those of all sources.', 'Tags', UNION],
  cvss_v3_1: ['CVSS 3.1 or 3.0 score.', 'Rating', BY_SCORE],
  cvss_v4_0: ['CVSS 4.0 score.', 'Rating', BY_SCORE],
  cvss_v2_0: ['CVSS 2.0 score.', 'Rating', BY_SCORE],
  weaknesses: ['Weaknesses (CWE). The record has those of all sources.', 'Weakness', UNION],
  cpe: [
    'CPE matches. The record has those of one source.',
    'DerivableCount',
    'one source: NVD, then Anchore, the CVE List and others',
  ],
  products: ['Affected products and packages, as the sources name them.', 'Count', UNION],
  references: [
    'References. Each counts for the source that the record names; links that the service builds are derived.',
    'DerivableCount',
    UNION,
  ],
  exploitation: [
    'Exploitation (SSVC): none, poc or active.',
    'Text',
    'most serious of the newest statement of each source',
  ],
  automatable: ['Automatable (SSVC): yes or no.', 'Text', BY_CISA],
  technical_impact: ['Technical impact (SSVC): partial or total.', 'Text', BY_CISA],
  fix: [
    'Statement that a fix exists: it names a fixed version or a patch.',
    'Fix',
    'fixed version of the product itself before a link to a patch',
  ],
  conclusions: [
    'What the service concludes where sources contradict each other about affected versions, in words. It changes no statement of a source.',
    'DerivableText',
    'computed by this service',
  ],
  kev: ['KEV entry.', 'Kev', 'catalog of CISA'],
  epss: ['EPSS score.', 'Plain', 'release of FIRST'],
  acsc: ['ACSC notices. The time is that of the newest one.', 'Count', UNION],
  exploits: ['Public exploits. The date is that of the newest one.', 'Count', UNION],
  attack: ['ATT&CK techniques.', 'DerivableCount', 'techniques that people assigned before derived ones'],
} as const satisfies Readonly<Record<string, readonly [description: string, form: StatementForm, rule: string]>>

export type SourcedValueName = keyof typeof SOURCED_VALUES

/** How the service chooses each value from the statements of sources, in words for people. */
export const SOURCE_RULES = Object.fromEntries(Object.entries(SOURCED_VALUES).map(([name, [, , rule]]) => [name, rule]))

const valueSchema = ([description, form]: readonly [string, StatementForm, string]) => {
  const members: TProperties = { ...origin, ...STATEMENT_CONTENTS[form] }
  const statement = closedObject(members, 'Statement of one source.', `${form}Statement`)
  return closedObject(
    {
      stated_by: Type.Array(statement, {
        description:
          'Statements that agree with the record; the first one decided. They leave out what the record shows, but next to other statements the first one gives its value, except for a description. Scores agree if their base metrics do. Empty if the record has no value.',
      }),
      others: Type.Optional(
        Type.Array(statement, { minItems: 1, description: 'Other statements, in the order of precedence.' }),
      ),
      omitted: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of statements that are left out.' })),
    },
    description,
    `${form}Sources`,
  )
}

const disagreementsSchema = Type.Array(
  closedObject(
    {
      about: Type.Enum([...DISAGREEMENT_TOPICS], {
        description: 'The value of this answer, or the subject, about which the sources disagree.',
      }),
      subject: Type.Optional(
        Type.Enum([...DISAGREEMENTS], {
          description:
            'The value of the filter disagree that finds the CVE for this reason. Absent if no filter finds it, such as for scores of the same severity level.',
        }),
      ),
      text: textSchema('What each source states, in words.'),
    },
    'A disagreement between sources.',
    'SourceDisagreement',
  ),
  {
    minItems: 1,
    description:
      'Disagreements between sources. Scores are compared by their base metrics, without temporal and environmental ones.',
  },
)

const sourcesSchema = closedObject(
  {
    ...Object.fromEntries(
      Object.entries(SOURCED_VALUES).map(([name, spec]) => [name, Type.Optional(valueSchema(spec))] as const),
    ),
    disagreements: Type.Optional(disagreementsSchema),
  },
  'The sources of each value. A value that no source states is absent.',
  'Sources',
)

export const sources = defineAddOn({
  name: 'sources',
  schema: sourcesSchema,
  columns: ['sources'],
  availableIn: ['single', 'batch'],
  // The 50 largest values of this member among the CVEs published up to 2026 average 3 KB.
  size: { perCve: 8 * 1024, total: 512 * 1024 },
  render: (row) =>
    row.sources === undefined ? undefined : expandSources(row.sources, row.epss_score === null ? null : row.epss_day),
})

/** `epssDay` is null if there is no EPSS score. */
export function expandSources(stored: string, epssDay: string | null): string {
  const { origins, values, disagreements }: StoredSources = JSON.parse(stored)
  const expandStatements = (statements: readonly StoredStatement[]) =>
    statements.map((each) => expandStatement(each, origins))
  const expanded = Object.entries(values).map(([name, { from, others, omitted }]) => [
    name,
    { stated_by: expandStatements(from), others: others && expandStatements(others), omitted },
  ])
  // EPSS scores change daily without the CVE being published again, so their day is added here.
  const epss = epssDay === null ? {} : { epss: { stated_by: [{ source: 'epss', date: epssDay }] } }
  return JSON.stringify({ ...Object.fromEntries(expanded), ...epss, disagreements })
}

function expandStatement(stored: StoredStatement, origins: readonly StoredOrigin[]) {
  const [position, content] = typeof stored === 'number' ? [stored, {}] : stored
  const [source, time] = origins[position] ?? ['unknown', null]
  return { source, ...(time !== null && { [time.includes('T') ? 'time' : 'date']: time }), ...content }
}
