// The detail record: everything that one data source publishes about a CVE (decisions C18, D12, D13).
import { Type } from 'typebox'
import { SOURCES } from '../domain/source/source.ts'
import { cpeMarkSchemas } from './cpe-marks.ts'
import { cveIdSchema, tagsSchema } from './cve-fields.ts'
import { baseScoreSchema, cvssV4Schema, SEVERITIES } from './cvss.ts'
import { cpeSourceSchema, enrichmentSchema, sourceTagsSchema } from './enrichment.ts'
import { closedObject, countSchema, flagSchema, instantSchema, orNull, textSchema, wordOrNull } from './schemas.ts'

const textOrNull = (description: string) => orNull(textSchema(description))

const vendor = Type.Enum([...SOURCES], { description: 'The data source of this record.' })

const cvssV31 = closedObject(
  {
    version: Type.Enum(['3.1', '3.0'], { description: 'CVSS version; 3.0 if the source has no 3.1 score.' }),
    vectorString: textSchema('CVSS vector string with all metrics.'),
    baseScore: baseScoreSchema(),
    baseSeverity: Type.Enum([...SEVERITIES], { description: 'Severity rating of the base score.' }),
    exploitabilityScore: baseScoreSchema('Exploitability subscore of the base score.'),
    impactScore: baseScoreSchema('Impact subscore of the base score.'),
  },
  "The source's CVSS 3.1 or 3.0 score; null if the source has none.",
)

const cvssV2 = closedObject(
  {
    version: Type.Literal('2.0', { description: 'CVSS version.' }),
    vectorString: textSchema('CVSS vector string with all metrics.'),
    baseScore: baseScoreSchema(),
  },
  "The source's CVSS 2.0 score.",
)

const metrics = closedObject(
  {
    cvss_v31: orNull(cvssV31),
    cvss_v40: Type.Optional(cvssV4Schema),
    cvss_v2: Type.Optional(cvssV2),
    severity: wordOrNull(
      SEVERITIES,
      "Severity rating of the source's score, otherwise the severity that the source states; null if it has neither.",
    ),
    exploitability: closedObject(
      {
        score: Type.Enum([0, 0.5, 0.7, 0.9, 1], {
          description:
            '1.0: in KEV. 0.9: a Metasploit module that exploits it exists, or exploitation is active. 0.7: in Exploit-DB or Nuclei. 0.5: a proof of concept exists. 0.0: no evidence of an exploit.',
        }),
        evidence: Type.Array(Type.String(), { description: 'One sentence per piece of evidence.' }),
      },
      'Evidence of exploitation from all sources together.',
    ),
  },
  'Scores, severity and exploitability.',
)

const technicalDetails = closedObject(
  {
    cwe: Type.Array(
      closedObject(
        {
          id: Type.String({ pattern: '^CWE-\\d+$', description: 'The CWE id.' }),
          name: textOrNull('Name of the weakness; null if the CWE catalog does not have it.'),
          description: textOrNull('Description of the weakness; null if the CWE catalog does not have it.'),
        },
        'A weakness that the source names.',
      ),
      { description: 'The weaknesses that the source names, sorted by number.' },
    ),
    attack_vector: textOrNull('Attack vector of the CVSS 3 score, otherwise of the 4.0 or the 2.0 score.'),
    attack_complexity: textOrNull('Attack complexity of the CVSS 3 score, otherwise of the 4.0 or the 2.0 score.'),
    privileges_required: textOrNull('Privileges required in the CVSS 3 score, otherwise in the 4.0 score.'),
    user_interaction: textOrNull('User interaction in the CVSS 3 score, otherwise in the 4.0 score.'),
    scope: textOrNull('Whether the impact reaches beyond the vulnerable component; null without a CVSS 3 score.'),
    authentication: textOrNull('How often the attacker must authenticate; null without a CVSS 2.0 score.'),
  },
  'Weaknesses, and the conditions of an attack.',
)

const configuration = closedObject(
  {
    vulnerable: flagSchema('False for a product that must be present as well but is not vulnerable itself.'),
    cpe23Uri: textSchema('A CPE 2.3 name, which may contain wildcards.'),
    versionStartIncluding: textOrNull('First affected version.'),
    versionEndExcluding: textOrNull('First version after the affected versions.'),
    versionEndIncluding: textOrNull('Last affected version.'),
    versionStartExcluding: textOrNull('Last version before the affected versions.'),
    ...cpeMarkSchemas(),
  },
  'A CPE match: affected products and versions.',
)

const packageName = Type.Optional(
  textSchema('Package inside the product to which the versions belong. Absent if they are versions of the product.'),
)

const product = closedObject(
  {
    vendor: textSchema('Vendor of the product, or ecosystem of the package.'),
    product: textSchema('Name of the product or package.'),
    package_url: textOrNull('Package URL (purl) of the package.'),
    package_name: packageName,
    affected: Type.Optional(
      flagSchema(
        'Whether any version is affected; false if the source names none. Absent from records of earlier releases.',
      ),
    ),
    affected_by_default: flagSchema('Whether versions that are not listed are affected.'),
    versions: Type.Array(
      closedObject(
        {
          affected: flagSchema('Whether these versions are affected; false if the source says that they are not.'),
          version: textOrNull('The version, or the first version of the range.'),
          less_than: textOrNull('The first version after the range.'),
          less_than_or_equal: textOrNull('The last version of the range.'),
          is_commit: flagSchema('Whether the versions are commits, which cannot be ordered.'),
        },
        'A version or a range of versions. Every version, if all bounds are null.',
      ),
      { description: 'The versions that the source lists.' },
    ),
  },
  'A product as the source names it.',
)

const affectedProducts = closedObject(
  {
    cpe_configurations: Type.Array(configuration, { description: "The source's CPE matches, without duplicates." }),
    total_cpe_count: countSchema('Number of CPE matches.'),
    cpe_source: cpeSourceSchema(),
    products: Type.Array(product, {
      description: 'Products that the source names without CPE, also those that it calls unaffected.',
    }),
  },
  'Affected products and versions.',
)

const fix = closedObject(
  {
    vendor: textSchema('Vendor of the product, or ecosystem of the package.'),
    product: textSchema('Name of the product or package.'),
    package_url: textOrNull('Package URL (purl) of the package.'),
    package_name: packageName,
    version: textSchema('First version that contains the fix, or the commit that fixes the problem.'),
    is_commit: flagSchema('Whether `version` is a commit.'),
    source: textSchema('The provider that names the version.'),
  },
  'A version that contains a fix.',
)

const references = (description: string) =>
  Type.Array(
    closedObject(
      {
        url: textSchema('URL of the reference.'),
        tags: Type.Array(Type.String({ examples: ['Patch'] }), {
          description: "Kinds of reference, in NVD's vocabulary.",
        }),
        source: textSchema('The provider that lists the reference.'),
        name: Type.Optional(textSchema('Title of the reference.')),
      },
      'A reference to further information.',
      'DetailReference',
    ),
    { description },
  )

const referenceBuckets = closedObject(
  {
    vendor_advisories: references('Vendor advisories.'),
    exploits: references('References tagged as exploits, whatever other tags they have.'),
    mitigations: references('Patches, mitigations and release notes.'),
    technical_articles: references('All other references.'),
    total_reference_count: countSchema('Number of references, without duplicates.'),
  },
  "The source's references, grouped by kind.",
)

const content = {
  cve_id: cveIdSchema(),
  vendor,
  tags: Type.Optional(tagsSchema()),
  metrics,
  technical_details: technicalDetails,
  affected_products: affectedProducts,
  fixes: Type.Optional(
    Type.Array(fix, {
      description:
        'Fixed versions that the structured data of all sources names, at most 50. Absent if there are none; patch_available can be true nevertheless.',
    }),
  ),
  references: referenceBuckets,
}

/**
 * The schema of the detail record as stored in the database, without the metadata that is added when the record is
 * read.
 */
export const detailContentSchema = closedObject(content, 'The detail record without its metadata.')

export const detailSchema = closedObject(
  {
    ...content,
    enrichment_metadata: closedObject(
      {
        created_at: instantSchema('When the record was first published.'),
        updated_at: instantSchema('When the record last changed.'),
        vendor_tags: sourceTagsSchema(),
        data_completeness: Type.Literal('full', {
          description: 'Always "full". Incomplete records have the partial form.',
        }),
        blob_size_bytes: countSchema('Size of the record in bytes of UTF-8.'),
        enrichment_version: textSchema('Version of the rules that built the record.'),
      },
      'Facts about the record itself.',
    ),
  },
  'Everything that one data source publishes about the CVE.',
)

export const partialDetailSchema = closedObject(
  {
    status: Type.Literal('partial', { description: 'Always "partial": the source has no full record.' }),
    message: textSchema('The reason, and which endpoint to call instead.'),
    data: closedObject(
      { cve_id: cveIdSchema(), vendor, enrichment: orNull(enrichmentSchema) },
      'The data that exists without a full record.',
    ),
  },
  'The response if the source has no full record of the CVE.',
)
