// CVSS as it is served: FIRST's names and words (decisions C4, C6, C10).
import { Type } from 'typebox'
import { closedObject, textSchema } from './schemas.ts'

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE']

export const baseScoreSchema = (description = 'From 0.0 to 10.0, computed from the vector.') =>
  Type.Number({ minimum: 0, maximum: 10, description })

const baseSeverity = Type.Enum(SEVERITIES, {
  description:
    'The band of the base score: CRITICAL from 9.0, HIGH from 7.0, MEDIUM from 4.0, LOW above 0.0, else NONE.',
})

const level = (description: string) => Type.Enum(['NONE', 'LOW', 'HIGH'], { description })

const cvssV3Schema = closedObject(
  {
    version: Type.Enum(['3.1', '3.0'], { description: 'The version of CVSS; 3.0 only where nobody scored in 3.1.' }),
    vectorString: textSchema('All metrics, as FIRST abbreviates them.'),
    baseScore: baseScoreSchema(),
    baseSeverity,
    attackVector: Type.Enum(['NETWORK', 'ADJACENT_NETWORK', 'LOCAL', 'PHYSICAL'], {
      description: 'From how far away it can be exploited.',
    }),
    attackComplexity: Type.Enum(['LOW', 'HIGH'], { description: "How much is beyond the attacker's control." }),
    privilegesRequired: level('What an attacker must be allowed to do before.'),
    userInteraction: Type.Enum(['NONE', 'REQUIRED'], { description: 'Whether somebody else must do something.' }),
    scope: Type.Enum(['UNCHANGED', 'CHANGED'], { description: 'Whether it reaches beyond the vulnerable component.' }),
    confidentialityImpact: level('How much can be read.'),
    integrityImpact: level('How much can be changed.'),
    availabilityImpact: level('How much can be made unusable.'),
  },
  'A score of CVSS 3.1, or of 3.0 where there is none of 3.1.',
)

export const cvssV4Schema = closedObject(
  {
    version: Type.Literal('4.0', { description: 'The version of CVSS.' }),
    vectorString: textSchema('All metrics, as FIRST abbreviates them.'),
    baseScore: baseScoreSchema('From 0.0 to 10.0, computed from the base metrics of the vector alone (CVSS-B).'),
    baseSeverity,
    attackVector: Type.Enum(['NETWORK', 'ADJACENT', 'LOCAL', 'PHYSICAL'], {
      description: 'From how far away it can be exploited.',
    }),
    attackComplexity: Type.Enum(['LOW', 'HIGH'], { description: 'Whether defences must be overcome.' }),
    attackRequirements: Type.Enum(['NONE', 'PRESENT'], {
      description: 'Whether conditions of the system must be met.',
    }),
    privilegesRequired: level('What an attacker must be allowed to do before.'),
    userInteraction: Type.Enum(['NONE', 'PASSIVE', 'ACTIVE'], { description: 'What somebody else must do.' }),
    vulnConfidentialityImpact: level('How much of the vulnerable system can be read.'),
    vulnIntegrityImpact: level('How much of the vulnerable system can be changed.'),
    vulnAvailabilityImpact: level('How much of the vulnerable system can be made unusable.'),
    subConfidentialityImpact: level('How much of the systems behind it can be read.'),
    subIntegrityImpact: level('How much of the systems behind it can be changed.'),
    subAvailabilityImpact: level('How much of the systems behind it can be made unusable.'),
  },
  'A score of CVSS 4.0.',
)

export const cvssSchema = closedObject(
  {
    v3_1: Type.Union([cvssV3Schema, Type.Null()], { description: 'CVSS 3.1, else 3.0; null where there is neither.' }),
    v4_0: Type.Optional(cvssV4Schema),
  },
  'How severe it is, for each version of CVSS the score of the source that leads.',
)
