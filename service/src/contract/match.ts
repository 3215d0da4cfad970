// Schemas for responses about affected components.
import { Type } from 'typebox'
import {
  COMPONENT_VERDICTS,
  CONFIDENCES,
  COVERAGE_GAP_WORDS,
  COVERAGE_GAPS,
  DISTRIBUTION_STATES,
  MATCH_VERDICTS,
  SAYINGS,
  SEEN_IN,
  SEEN_IN_TEXT,
  UNCLEAN_REASONS,
  VERDICT_MEANINGS,
} from '../domain/match-words.ts'
import { ADVISORY_KINDS } from '../domain/priority/advisory-level.ts'
import { LEVELS } from '../domain/priority/policy.ts'
import { SSVC_DECISIONS } from '../domain/priority/ssvc.ts'
import { AS_OF_BASES } from '../domain/source/data-age.ts'
import { TRIAGE_STATES } from '../domain/triage/words.ts'
import { aliasSchema } from './record/alias.ts'
import { baseScoreSchema } from './record/cvss.ts'
import {
  closedObject,
  countSchema,
  flagSchema,
  instantSchema,
  orNull,
  textSchema,
  wordOrNull,
} from './response/schemas.ts'

const sourceSchema = () =>
  Type.String({
    description:
      'Who says so: nvd, ghsa, redhat, debian, a CNA as cna:<name>; derived:<source> if this service derived the product name.',
    examples: ['nvd', 'cna:apache'],
  })

const sourceIdSchema = () => Type.String({ description: 'The source, as GET /health names it.', examples: ['ghsa'] })

const rangeSchema = closedObject(
  {
    from_version: Type.Optional(textSchema('First version of the range.')),
    after_version: Type.Optional(textSchema('Only versions later than this one.')),
    before_version: Type.Optional(textSchema('Only versions earlier than this one.')),
    through_version: Type.Optional(textSchema('Last version of the range.')),
    listed_versions: Type.Optional(
      Type.Array(Type.String(), { description: 'Up to five of the single versions that the source lists.' }),
    ),
  },
  'Versions that the statement is about; empty if it names none.',
  'VersionRange',
)

const productSchema = closedObject(
  { vendor: textSchema('CPE vendor.'), product: textSchema('CPE product.') },
  'A product.',
)

const idSchema = () =>
  Type.String({
    description: 'Id of the CVE; the id of the advisory, such as GHSA-…, if there is no CVE.',
    examples: ['CVE-2024-38475', 'GHSA-jfh8-c2jp-5v3q'],
  })

const matchSchema = closedObject(
  {
    id: idSchema(),
    cve_id: orNull(
      Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE; null for an advisory without a CVE.' }),
    ),
    aliases: Type.Array(aliasSchema, {
      maxItems: 50,
      description: 'Ids of the same vulnerability in other databases, at most 50. Empty if none is known.',
    }),
    kind: Type.Optional(
      Type.Enum([...ADVISORY_KINDS], {
        description:
          'malicious: the advisory reports a malicious package, or malicious versions of a package. Absent for a vulnerability.',
      }),
    ),
    verdict: Type.Enum([...MATCH_VERDICTS], {
      description:
        'affected, or possibly_affected: the source names no version, a product that must be present as well is not among the components, the vendor calls this version unaffected, the version is newer than those that the source knew, or its RPM module stream is not known.',
    }),
    confidence: Type.Enum([...CONFIDENCES], {
      description: 'How sure the hit is; GET /docs/guide/matching has the rules.',
    }),
    statement: closedObject(
      { source: sourceSchema(), range: rangeSchema, text: textSchema('The reason as a sentence.') },
      'The statement that makes the component affected.',
    ),
    distribution_state: Type.Optional(
      Type.Enum([...DISTRIBUTION_STATES], {
        description:
          'What the distribution does about it, in the words of Debian and Red Hat. no_dsa: Debian publishes no advisory. Absent if the distribution has not said it.',
      }),
    ),
    distribution_urgency: Type.Optional(
      Type.String({
        description:
          "Debian's urgency. unimportant and end-of-life lower the confidence, never the level. Absent without one.",
        examples: ['unimportant'],
      }),
    ),
    end_of_life: Type.Optional(
      closedObject(
        {
          product: textSchema('Name of the product or distribution.'),
          cycle: textSchema('The release to which the component belongs, such as 3.7 or 18.04.'),
          since: orNull(
            Type.String({ format: 'date', description: 'Day on which the support ended; null if it is not known.' }),
          ),
          extended_support_until: Type.Optional(
            orNull(
              Type.String({
                format: 'date',
                description:
                  'Last day of extended support, often for customers only; null if it is not known. Absent without such support.',
              }),
            ),
          ),
          source: sourceIdSchema(),
        },
        'The support of the release has ended, and no fix in it is known.',
        'EndOfLife',
      ),
    ),
    other_statements: Type.Array(
      closedObject(
        {
          source: sourceSchema(),
          says: Type.Enum([...SAYINGS], {
            description:
              'What the source says about the version. partly: it calls it affected, but may not mean this version, which is newer or perhaps of another RPM module stream. not_in_range: it lists other versions. no_version: it names no version. unknown: the order of the versions is not known.',
          }),
          justification: Type.Optional(
            Type.String({
              description:
                'Why the source calls the product not affected, in the words of CSAF. Absent if it does not say it.',
              examples: ['component_not_present'],
            }),
          ),
          range: rangeSchema,
        },
        'What another source says about the same product.',
      ),
      { description: 'What other sources say.' },
    ),
    fixed_in: Type.Array(
      closedObject(
        {
          product: textSchema('The product or package to which the version belongs.'),
          branch: orNull(textSchema('The branch of the version, such as 2.12; null if the source shows none.')),
          version: textSchema('The version.'),
          source: sourceSchema(),
        },
        'A version with the fix.',
      ),
      { description: 'Versions that contain the fix, for the ranges that contain the version of the component.' },
    ),
    requires: Type.Optional(
      Type.Array(productSchema, {
        description:
          'One of these products must be present as well and is not among the components; further products may be needed. Absent if nothing is missing.',
      }),
    ),
    severity: orNull(
      baseScoreSchema('Base score, as in the CVE record, or of an advisory without a CVE; null without a score.'),
    ),
    severity_word: Type.Optional(
      textSchema("The source's word for the severity. Present only for an advisory with a word and no score."),
    ),
    in_kev: flagSchema("Whether CISA's KEV catalog lists the CVE."),
    epss_score: orNull(Type.Number({ minimum: 0, maximum: 1, description: 'EPSS score; null without a score.' })),
    priority_level: wordOrNull(
      LEVELS,
      'Priority level by the policy of GET /api/v1/policy, also of an advisory without a CVE; P0 for a malicious package, unrated if nothing is known yet, null for a rejected CVE.',
    ),
    priority_reason: orNull(textSchema('The first reason for the level; null without one.')),
    ssvc_decision: wordOrNull(
      SSVC_DECISIONS,
      "Decision of CISA's SSVC tree; null for a rejected CVE and a malicious package.",
    ),
  },
  'A CVE or an advisory that affects the component, for sure or possibly.',
  'Match',
)

const nameSchema = closedObject(
  {
    vendor: orNull(textSchema('CPE vendor, or type and namespace of the package; null if none was sent.')),
    product: textSchema('CPE product, or name of the package.'),
    version: orNull(textSchema('The version, with its update after a blank; null if none was sent.')),
    identified_by: Type.Enum(['cpe', 'purl', 'product'], { description: 'The member that named the component.' }),
  },
  'How the service understood the component.',
)

const explainWords = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([word, meaning]) => `${word}: ${meaning}`)
    .join(' ')

const verdictSchema = (start = '') =>
  Type.Enum([...COMPONENT_VERDICTS], {
    description: `${start}The first that holds. ${explainWords(VERDICT_MEANINGS)}`,
  })

const coverageMembers = {
  coverage_gap: wordOrNull(
    COVERAGE_GAP_WORDS,
    `Why silence about the component proves nothing; null if it proves something. ${explainWords(COVERAGE_GAPS)}`,
  ),
  coverage: Type.Array(
    closedObject(
      {
        source: sourceIdSchema(),
        complete: flagSchema("Whether all records of upstream's own index are held."),
        as_of: orNull(instantSchema('The age of its data; null if the source has not been loaded.')),
        stale: flagSchema('Whether the data is older than its maximum age.'),
      },
      'A database that judges the component.',
      'SourceCoverage',
    ),
    { description: 'The databases that judge the component; empty if there is none.' },
  ),
  stale: Type.Optional(
    Type.Literal(true, {
      description:
        'The data of a source that judges the component is older than its maximum age. Absent if all data is current.',
    }),
  ),
}

export const matchedComponentSchema = closedObject(
  {
    index: countSchema('Position of the component in the request, from 0.'),
    ref: Type.Optional(textSchema('The ref of the component, if it has one.')),
    interpreted_as: nameSchema,
    verdict: verdictSchema(),
    ...coverageMembers,
    matches_total: countSchema('Number of matches within confidence_min and priority_max.'),
    weaker_total: countSchema('Number of hits below confidence_min, which are not listed.'),
    unordered_total: countSchema('Number of CVEs whose versions have no known order to the version of the component.'),
    suppressed_total: countSchema('Number of hits that an entry of suppress or a state of the account hides.'),
    matches: Type.Array(matchSchema, { description: 'The most urgent matches, by priority and severity.' }),
    suppressed: Type.Array(
      closedObject(
        {
          id: idSchema(),
          reason: textSchema('Reason of the entry, or what the state says.'),
          state: Type.Optional(
            Type.Enum([...TRIAGE_STATES], {
              description: 'The state of the account that hides the hit. Absent if an entry of suppress does.',
            }),
          ),
          scope: Type.Optional(textSchema('The scope of the state.')),
          version_range: Type.Optional(orNull(textSchema('The versions of the scope; null for all.'))),
          set_by: Type.Optional(textSchema('Who set the state: key:<id> or member:<id>.')),
        },
        'A hit that an entry of suppress, or a state of the account, hides.',
      ),
      { description: 'The hits that entries of suppress and, with triage=apply, states of the account hide.' },
    ),
    upgrade_to: Type.Optional(
      closedObject(
        {
          version: orNull(
            textSchema(
              'The nearest later version without a listed match, the same major version first; it may have weaker hits. Null if none is found.',
            ),
          ),
          seen_in: wordOrNull(SEEN_IN, SEEN_IN_TEXT),
          clean_version: orNull(
            textSchema(
              'The lowest later version in the branch of the fix without a known match at P0, P1 or P2; less urgent matches may remain. Null with the reason in not_clean.',
            ),
          ),
          branch: orNull(
            textSchema(
              "The branch to which clean_version is limited; null if no source shows one around the component's version.",
            ),
          ),
          not_clean: wordOrNull(
            UNCLEAN_REASONS,
            'Why there is no clean_version. no_urgent_match: the component has no match at P0 to P2. none_known: every version that sources name has one. too_many: too many versions to judge. unordered: a version cannot be compared with all statements of sources.',
          ),
        },
        'The version to upgrade to. Absent if no hit has the requested confidence.',
      ),
    ),
    similar_products: Type.Optional(
      Type.Array(productSchema, { description: 'Products with a similar name, for the gap unknown_product.' }),
    ),
  },
  'A component with the CVEs and advisories that affect it.',
  'MatchedComponent',
)

/** A member of CVE lists that are filtered by a component. */
export const searchedComponentSchema = closedObject(
  {
    interpreted_as: nameSchema,
    verdict: verdictSchema('As in POST /api/v1/match, before other filters. '),
    ...coverageMembers,
    cves_total: countSchema('Number of CVEs that affect the component, before other filters.'),
    advisories_total: countSchema(
      'Number of advisories without a CVE that affect the component. They are no part of the list; POST /api/v1/match names them.',
    ),
    weaker_total: countSchema('Number of hits with low confidence, which are no part of the list.'),
    unordered_total: countSchema(
      'Number of CVEs and advisories whose versions have no known order to the version of the component. They are no part of the list.',
    ),
    similar_products: Type.Optional(
      Type.Array(productSchema, { description: 'Products with a similar name, for the gap unknown_product.' }),
    ),
  },
  'What is known about the component of the filter cpe or purl. Absent without these filters.',
  'SearchedComponent',
)

export const matchSummarySchema = closedObject(
  {
    components_total: countSchema('Number of components.'),
    by_verdict: closedObject(
      Object.fromEntries(
        COMPONENT_VERDICTS.map((verdict) => [
          verdict,
          countSchema(`Number of components with the verdict ${verdict}.`),
        ]),
      ),
      'Number of components by verdict.',
      'VerdictCounts',
    ),
    hits_total: countSchema('Number of distinct CVEs and advisories among all matches.'),
    by_level: closedObject(
      Object.fromEntries(
        [...LEVELS, 'none'].map((level) => [
          level,
          countSchema(level === 'none' ? 'Number without a level.' : `Number with level ${level}.`),
        ]),
      ),
      'Number of distinct CVEs and advisories by priority level.',
    ),
    by_coverage_gap: closedObject(
      {
        covered: countSchema('Number of components whose sources are all complete and current.'),
        ...Object.fromEntries(
          COVERAGE_GAP_WORDS.map((gap) => [gap, countSchema(`Number of components with the gap ${gap}.`)]),
        ),
      },
      'Number of components by coverage_gap.',
      'CoverageCounts',
    ),
    oldest_data: orNull(
      closedObject(
        {
          source: sourceIdSchema(),
          as_of: instantSchema('The age of its data.'),
          as_of_basis: wordOrNull(
            AS_OF_BASES,
            'What as_of is: the time of the release, of the newest record, or of the delivery.',
          ),
        },
        'The oldest database that judged a component; null if none did.',
        'OldestData',
      ),
    ),
  },
  'Numbers over all components.',
  'MatchSummary',
)
