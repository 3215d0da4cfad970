// Fixed versions and what publishers advise, as the record and the detail record have them.
import { Type } from 'typebox'
import { REMEDIATION_KINDS } from '../../domain/source/remediation.ts'
import { closedObject, countSchema, flagSchema, instantSchema, orNull, textSchema } from '../response/schemas.ts'

const textOrNull = (description: string) => orNull(textSchema(description))

export const packageNameSchema = () =>
  Type.Optional(
    textSchema('Package inside the product to which the versions belong. Absent if they are versions of the product.'),
  )

export const fixSchema = closedObject(
  {
    vendor: textSchema('Vendor of the product, or ecosystem of the package; empty if it is not known.'),
    product: textSchema(
      'Name of the product or package; empty if a text names the version without saying of which product.',
    ),
    package_url: textOrNull('Package URL (purl) of the package.'),
    package_name: packageNameSchema(),
    branch: textOrNull(
      'Leading numbers of the versions of the branch, such as 2.12 for 2.12.2; null if no source shows a branch.',
    ),
    version: textSchema('First version that contains the fix, or the commit that fixes the problem.'),
    is_commit: flagSchema('Whether `version` is a commit.'),
    source: textSchema(
      "The provider that names the version: the vendor's statement before NVD's, and the newest statement of a source.",
    ),
    time: Type.Optional(
      orNull(
        instantSchema(
          'Last change of the record that names the version; null if it has no date. Only in /detail, so that `fixes` changes only if a version does.',
        ),
      ),
    ),
    downstream: Type.Optional(
      Type.Literal(true, {
        description:
          "The product is not known to be one that the CVE is about: it may contain one, like a distribution's package.",
      }),
    ),
    derived: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if the service read the version from a text: a list of versions, a text about a solution, or the description.',
      }),
    ),
    doubted: Type.Optional(
      Type.Literal(true, {
        description:
          'Other sources contradict: a rival lists this version as affected, or the service concludes that it is (sources.conclusions).',
      }),
    ),
    rivals: Type.Array(
      closedObject(
        {
          version: textSchema('The other version.'),
          source: textSchema('The provider that names it.'),
          time: Type.Optional(
            orNull(instantSchema('Last change of the record that names it; null if it has no date. Only in /detail.')),
          ),
          affected: Type.Optional(
            Type.Literal(true, {
              description:
                'The provider lists `version` as affected, and so also the fixed version: it is the same, or lies before the end of the affected range.',
            }),
          ),
        },
        'Another fixed version for the same branch, or a version that contradicts the fix.',
      ),
      { description: 'Other versions that sources name for the same product and branch, at most 10 of each kind.' },
    ),
  },
  'The fixed version of one branch of a product.',
  'FixedVersion',
)

export const remediationSchema = closedObject(
  {
    kind: Type.Enum([...REMEDIATION_KINDS], {
      description: 'none_planned: no fix will come. none_available: there is none yet.',
    }),
    text: textOrNull("The publisher's text; null if its terms do not allow serving it, or if there is none."),
    url: textOrNull('Where the publisher describes it; null if it gives no link.'),
    source: textSchema('The publisher.'),
    applies_to: Type.Array(
      closedObject(
        {
          vendor: textSchema('Vendor of the product.'),
          product: textSchema('Name of the product.'),
          version: textOrNull('The version or range, as the publisher writes it; null if it names none.'),
          package_url: textOrNull('Package URL (purl) of the package; null if it is none.'),
          within: Type.Optional(textSchema('The product that contains this one, or on which it is installed.')),
        },
        'A product for which the publisher gives the advice.',
      ),
      { description: 'The products for which it is meant, at most 2,000. Empty if the publisher names none.' },
    ),
    products_omitted: Type.Optional(countSchema('Number of further products.')),
  },
  'What a publisher advises for some of its products.',
  'Remediation',
)
