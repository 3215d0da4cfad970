// Schemas for the CVSS objects in responses, with the member names and values from FIRST's JSON schemas (decisions C4,
// C6, C10, E2).
import { Type } from 'typebox'
import { V2_SEVERITIES } from '../../domain/cvss/severity.ts'
import { closedObject, textSchema } from '../response/schemas.ts'

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE']

export const baseScoreSchema = (description = 'Base score from 0.0 to 10.0, computed from the vector.') =>
  Type.Number({ minimum: 0, maximum: 10, description })

const baseSeverity = Type.Enum(SEVERITIES, {
  description:
    'Severity rating of the base score: CRITICAL from 9.0, HIGH from 7.0, MEDIUM from 4.0, LOW from 0.1, NONE for 0.0.',
})

const level = (description: string) => Type.Enum(['NONE', 'LOW', 'HIGH'], { description })

const cvssV3Schema = closedObject(
  {
    version: Type.Enum(['3.1', '3.0'], { description: 'CVSS version; 3.0 only if no source has a 3.1 score.' }),
    vectorString: textSchema('CVSS vector string with all metrics.'),
    baseScore: baseScoreSchema(),
    baseSeverity,
    attackVector: Type.Enum(['NETWORK', 'ADJACENT_NETWORK', 'LOCAL', 'PHYSICAL'], {
      description: 'Attack vector: from where the vulnerability can be exploited.',
    }),
    attackComplexity: Type.Enum(['LOW', 'HIGH'], {
      description: "Attack complexity: how much depends on conditions beyond the attacker's control.",
    }),
    privilegesRequired: level('Privileges that the attacker needs before the attack.'),
    userInteraction: Type.Enum(['NONE', 'REQUIRED'], {
      description: 'Whether a user other than the attacker must take part.',
    }),
    scope: Type.Enum(['UNCHANGED', 'CHANGED'], {
      description: 'Whether the impact reaches beyond the vulnerable component.',
    }),
    confidentialityImpact: level('Impact on confidentiality.'),
    integrityImpact: level('Impact on integrity.'),
    availabilityImpact: level('Impact on availability.'),
  },
  'A CVSS 3.1 score, or a CVSS 3.0 score if there is no 3.1 score.',
  'CvssV3',
)

export const cvssV4Schema = closedObject(
  {
    version: Type.Literal('4.0', { description: 'CVSS version.' }),
    vectorString: textSchema('CVSS vector string with all metrics.'),
    baseScore: baseScoreSchema(
      'Base score from 0.0 to 10.0, computed from the base metrics of the vector only (CVSS-B).',
    ),
    baseSeverity,
    attackVector: Type.Enum(['NETWORK', 'ADJACENT', 'LOCAL', 'PHYSICAL'], {
      description: 'Attack vector: from where the vulnerability can be exploited.',
    }),
    attackComplexity: Type.Enum(['LOW', 'HIGH'], {
      description: 'Attack complexity: whether the attacker must overcome built-in defences.',
    }),
    attackRequirements: Type.Enum(['NONE', 'PRESENT'], {
      description: 'Attack requirements: whether the attack depends on conditions of the vulnerable system.',
    }),
    privilegesRequired: level('Privileges that the attacker needs before the attack.'),
    userInteraction: Type.Enum(['NONE', 'PASSIVE', 'ACTIVE'], {
      description: 'Interaction that is needed from a user other than the attacker.',
    }),
    vulnConfidentialityImpact: level('Impact on the confidentiality of the vulnerable system.'),
    vulnIntegrityImpact: level('Impact on the integrity of the vulnerable system.'),
    vulnAvailabilityImpact: level('Impact on the availability of the vulnerable system.'),
    subConfidentialityImpact: level('Impact on the confidentiality of subsequent systems.'),
    subIntegrityImpact: level('Impact on the integrity of subsequent systems.'),
    subAvailabilityImpact: level('Impact on the availability of subsequent systems.'),
  },
  'A CVSS 4.0 score.',
  'CvssV4',
)

const impactV2 = (description: string) => Type.Enum(['NONE', 'PARTIAL', 'COMPLETE'], { description })

const cvssV2Schema = closedObject(
  {
    version: Type.Literal('2.0', { description: 'CVSS version.' }),
    vectorString: textSchema('CVSS vector string with all metrics.'),
    baseScore: baseScoreSchema(),
    baseSeverity: Type.Enum([...V2_SEVERITIES], {
      description: 'Severity rating of CVSS 2.0, which has no CRITICAL: HIGH from 7.0, MEDIUM from 4.0, otherwise LOW.',
    }),
    accessVector: Type.Enum(['NETWORK', 'ADJACENT_NETWORK', 'LOCAL'], {
      description: 'Access vector: from where the vulnerability can be exploited.',
    }),
    accessComplexity: Type.Enum(['LOW', 'MEDIUM', 'HIGH'], {
      description: "Access complexity: how much depends on conditions beyond the attacker's control.",
    }),
    authentication: Type.Enum(['NONE', 'SINGLE', 'MULTIPLE'], {
      description: 'How often the attacker must authenticate.',
    }),
    confidentialityImpact: impactV2('Impact on confidentiality.'),
    integrityImpact: impactV2('Impact on integrity.'),
    availabilityImpact: impactV2('Impact on availability.'),
  },
  'A CVSS 2.0 score. Present only if no source has a later score, so that severity is this score.',
  'CvssV2',
)

export const cvssSchema = closedObject(
  {
    v3_1: Type.Union([cvssV3Schema, Type.Null()], {
      description: 'The CVSS 3.1 score, otherwise the CVSS 3.0 score; null if there is neither.',
    }),
    v4_0: Type.Optional(cvssV4Schema),
    v2_0: Type.Optional(cvssV2Schema),
  },
  'CVSS scores: for each CVSS version, the score of the source with the highest precedence.',
  'Cvss',
)
