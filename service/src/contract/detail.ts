// The detail record of one CVE as one source has it (decisions C18, D12, D13).
import { Type } from 'typebox'
import { SOURCES } from '../domain/source.ts'
import { cveIdSchema } from './cve-object.ts'
import { baseScoreSchema, cvssV4Schema, SEVERITIES } from './cvss.ts'
import { cpeSourceSchema, enrichmentSchema, sourceTagsSchema } from './enrichment.ts'
import { closedObject, countSchema, flagSchema, instantSchema, orNull, textSchema, wordOrNull } from './schemas.ts'

const textOrNull = (description: string) => orNull(textSchema(description))

const vendor = Type.Enum([...SOURCES], { description: 'The source that is shown.' })

const cvssV31 = closedObject(
  {
    version: Type.Enum(['3.1', '3.0'], { description: 'The version of CVSS; 3.0 where the source has no 3.1.' }),
    vectorString: textSchema('All metrics, as FIRST abbreviates them.'),
    baseScore: baseScoreSchema(),
    baseSeverity: Type.Enum([...SEVERITIES], { description: 'Its band.' }),
    exploitabilityScore: baseScoreSchema('The part of the score that speaks of how easy it is to exploit.'),
    impactScore: baseScoreSchema('The part of the score that speaks of what exploiting it does.'),
  },
  "The source's score in CVSS 3.1 or 3.0; null where it has none.",
)

const cvssV2 = closedObject(
  {
    version: Type.Literal('2.0', { description: 'The version of CVSS.' }),
    vectorString: textSchema('All metrics, as FIRST abbreviates them.'),
    baseScore: baseScoreSchema(),
  },
  "The source's score in CVSS 2.0.",
)

const metrics = closedObject(
  {
    cvss_v31: orNull(cvssV31),
    cvss_v40: Type.Optional(cvssV4Schema),
    cvss_v2: Type.Optional(cvssV2),
    severity: wordOrNull(
      SEVERITIES,
      "The band of the source's score, else its own word for the severity; null where it says nothing.",
    ),
    exploitability: closedObject(
      {
        score: Type.Enum([0, 0.5, 0.7, 0.9, 1], {
          description:
            '1.0 in KEV; 0.9 a Metasploit module or active exploitation; 0.7 Exploit-DB or Nuclei; 0.5 proof of concept; else 0.0.',
        }),
        evidence: Type.Array(Type.String(), { description: 'A sentence for each piece of evidence.' }),
      },
      'How far exploitation has come, by all sources together.',
    ),
  },
  'How severe it is.',
)

const technicalDetails = closedObject(
  {
    cwe: Type.Array(
      closedObject(
        {
          id: Type.String({ pattern: '^CWE-\\d+$', description: "The weakness's id." }),
          name: textOrNull('Its name; null where the catalogue of weaknesses does not have it.'),
          description: textOrNull('What it is; null where the catalogue of weaknesses does not have it.'),
        },
        'A weakness that the source names.',
      ),
      { description: 'The weaknesses that the source names, in the order of their numbers.' },
    ),
    attack_vector: textOrNull('From how far away it can be exploited, as in CVSS 3, else 4.0, else 2.0.'),
    attack_complexity: textOrNull('How hard it is to exploit, as in CVSS 3, else 4.0, else 2.0.'),
    privileges_required: textOrNull('What an attacker must be allowed to do before, as in CVSS 3, else 4.0.'),
    user_interaction: textOrNull('What somebody else must do, as in CVSS 3, else 4.0.'),
    scope: textOrNull('Whether it reaches beyond the vulnerable component; CVSS 3 alone knows this.'),
    authentication: textOrNull('How often an attacker must log in; CVSS 2.0 alone knows this.'),
  },
  'What kind of vulnerability it is.',
)

const configuration = closedObject(
  {
    vulnerable: flagSchema('False for what must be there as well without being vulnerable itself.'),
    cpe23Uri: textSchema('A CPE 2.3 name that may hold wildcards.'),
    versionStartIncluding: textOrNull('The first version that is meant.'),
    versionEndExcluding: textOrNull('The first version after those that are meant.'),
    versionEndIncluding: textOrNull('The last version that is meant.'),
    versionStartExcluding: textOrNull('The last version before those that are meant.'),
  },
  'Products and versions that are affected, in CPE.',
)

const product = closedObject(
  {
    vendor: textSchema('Who makes it, or the ecosystem of a package.'),
    product: textSchema('The product or package.'),
    package_url: textOrNull('Its package URL.'),
    affected_by_default: flagSchema('Whether versions that are not listed are affected as well.'),
    versions: Type.Array(
      closedObject(
        {
          affected: flagSchema('Whether these versions are affected or expressly not.'),
          version: textOrNull('The version, or the first one of a range.'),
          less_than: textOrNull('The first version after the range.'),
          less_than_or_equal: textOrNull('The last version of the range.'),
          is_commit: flagSchema('Whether these are commits, which have no order of their own.'),
        },
        'A version or a range of them; all null: every version.',
      ),
      { description: 'The versions that the source speaks of.' },
    ),
  },
  "A product in the source's own words.",
)

const affectedProducts = closedObject(
  {
    cpe_configurations: Type.Array(configuration, { description: "The source's CPE matches, each once." }),
    total_cpe_count: countSchema('How many they are.'),
    cpe_source: cpeSourceSchema(),
    products: Type.Array(product, { description: 'Products that the source names in other words than CPE.' }),
  },
  'What is affected.',
)

const references = (description: string) =>
  Type.Array(
    closedObject(
      {
        url: textSchema('Where it can be read.'),
        tags: Type.Array(Type.String({ examples: ['Patch'] }), { description: "What it is, in NVD's words." }),
        source: textSchema('Who named it.'),
        name: Type.Optional(textSchema('What it is called.')),
      },
      'Where more can be read.',
    ),
    { description },
  )

const referenceBuckets = closedObject(
  {
    vendor_advisories: references('Advisories of vendors.'),
    exploits: references('Exploits, also where other tags apply.'),
    mitigations: references('Patches, mitigations and release notes.'),
    technical_articles: references('Everything else.'),
    total_reference_count: countSchema('How many they are, each once.'),
  },
  "The source's references by what they are.",
)

const content = {
  cve_id: cveIdSchema(),
  vendor,
  metrics,
  technical_details: technicalDetails,
  affected_products: affectedProducts,
  references: referenceBuckets,
}

/** As it is rendered, before it is known when it was first and last published. */
export const detailContentSchema = closedObject(content, 'The detail record without its metadata.')

export const detailSchema = closedObject(
  {
    ...content,
    enrichment_metadata: closedObject(
      {
        created_at: instantSchema('When the record was first published.'),
        updated_at: instantSchema('When it last changed.'),
        vendor_tags: sourceTagsSchema(),
        data_completeness: Type.Literal('full', { description: 'Always full: what is not is the partial form.' }),
        blob_size_bytes: countSchema('The size of the record in bytes of UTF-8.'),
        enrichment_version: textSchema('The version of the rules that made it.'),
      },
      'About the record itself.',
    ),
  },
  'All that one source says of the CVE.',
)

export const partialDetailSchema = closedObject(
  {
    status: Type.Literal('partial', { description: 'There is no full record.' }),
    message: textSchema('Why, and what to ask instead.'),
    data: closedObject(
      { cve_id: cveIdSchema(), vendor, enrichment: orNull(enrichmentSchema) },
      'What there is instead.',
    ),
  },
  'The answer where the source has no full record of the CVE.',
)
