// The `configurations` member: the CPE matches of a CVE with the AND and OR operators of their source (decision E7).
import { type TSchema, Type } from 'typebox'
import { closedObject, flagSchema } from './schemas.ts'

const operatorSchema = (description: string) => Type.Enum(['AND', 'OR'], { description })

export const configurationsSchema = (matchSchema: TSchema) =>
  Type.Array(
    closedObject(
      {
        operator: operatorSchema('AND: all nodes must match. OR: one node must match.'),
        negate: flagSchema('Whether the configuration matches a system that does not fulfil its nodes.'),
        nodes: Type.Array(
          closedObject(
            {
              operator: operatorSchema('AND: all CPE matches must be present. OR: one of them must be present.'),
              negate: flagSchema('Whether the node matches a system that does not fulfil its CPE matches.'),
              cpeMatch: Type.Array(matchSchema, { minItems: 1, description: 'CPE matches as in the member cpe.' }),
            },
            'A group of CPE matches.',
          ),
          { minItems: 1, description: 'Groups of CPE matches.' },
        ),
      },
      'A combination of products that is affected as a whole.',
      'Configuration',
    ),
    {
      description:
        'Affected combinations of products: the CPE matches of the member cpe with the AND and OR operators of their source. A system is affected if it fulfils one of the configurations.',
    },
  )
