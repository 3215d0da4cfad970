// Limits, words and schemas for responses about SBOMs.
import { Type } from 'typebox'
import { fixPlanSchema } from './fix-plan.ts'
import { gateSchema } from './gate.ts'
import { matchedComponentSchema, matchSummarySchema } from './match.ts'
import { closedObject, countSchema, instantSchema, orNull, textSchema } from './response/schemas.ts'
import { appliedTriageSchema } from './triage/applied.ts'

export const MAX_SBOM_BYTES = 10 * 1024 * 1024
export const MAX_SBOM_COMPONENTS = 5000
/** Maximum number of skipped components that a response lists. */
export const MAX_LISTED_SKIPS = 100

export const SBOM_ANSWER_FORMATS = ['json', 'openvex', 'cyclonedx_vex'] as const

export type SbomAnswerFormat = (typeof SBOM_ANSWER_FORMATS)[number]

export const sbomScanSchema = closedObject(
  {
    sbom: closedObject(
      {
        format: Type.Enum(['cyclonedx', 'spdx'], { description: 'Format of the document.' }),
        spec_version: Type.String({ description: 'Version of the specification of its format.', examples: ['1.6'] }),
        serial: orNull(
          textSchema(
            'serialNumber, documentNamespace or spdxId of the document; null if it has none that can be read.',
          ),
        ),
        components_read: countSchema('Number of components that were compared.'),
        components_skipped_total: countSchema('Number of components that were not compared.'),
        components_skipped: Type.Array(
          closedObject(
            {
              index: countSchema('Position of the component in the document.'),
              why: textSchema('Why it was not compared.'),
            },
            'A component that was not compared.',
          ),
          {
            maxItems: MAX_LISTED_SKIPS,
            description: `The first ${MAX_LISTED_SKIPS} components that were not compared.`,
          },
        ),
      },
      'What was read.',
    ),
    components: Type.Optional(
      Type.Array(matchedComponentSchema, {
        description:
          'The compared components, in the order of the document. index is the position in the document, where nested components follow the one that contains them; ref is bom-ref, SPDXID or spdxId. Only with format=json.',
      }),
    ),
    fix_plan: Type.Optional(fixPlanSchema('Only with format=json.')),
    document: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The VEX document. Only with format=openvex and format=cyclonedx_vex.',
        },
      ),
    ),
    overview: matchSummarySchema,
    gate: Type.Optional(gateSchema),
    triage: Type.Optional(appliedTriageSchema),
    timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
  },
  'Verdicts of the components of an SBOM.',
)
