import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { referToNamedSchemas } from '../../../src/contract/openapi/named-schemas.ts'
import { closedObject, orNull, textSchema } from '../../../src/contract/response/schemas.ts'

const score = (description: string) => closedObject({ score: Type.Number() }, description, 'Score')

describe('openapi.json: named schemas', () => {
  it('writes a schema with a title once and keeps the description of each use next to the reference', () => {
    const components = new Map<string, unknown>()
    const schema = closedObject(
      { nvd: score('Score of NVD.'), cna: Type.Optional(score('Score of the CNA.')) },
      'Scores.',
    )

    expect(referToNamedSchemas(schema, components)).toMatchObject({
      properties: {
        nvd: { $ref: '#/components/schemas/Score', description: 'Score of NVD.' },
        cna: { $ref: '#/components/schemas/Score', description: 'Score of the CNA.' },
      },
      required: ['nvd'],
      description: 'Scores.',
    })
    expect(Object.fromEntries(components)).toEqual({
      Score: {
        type: 'object',
        properties: { score: { type: 'number' } },
        required: ['score'],
        additionalProperties: false,
      },
    })
  })

  it('refers to named schemas inside named schemas', () => {
    const components = new Map<string, unknown>()
    referToNamedSchemas(closedObject({ scores: Type.Array(score('A score.')) }, 'Scores.', 'Scores'), components)

    expect([...components.keys()].sort()).toEqual(['Score', 'Scores'])
    expect(components.get('Scores')).toMatchObject({
      properties: { scores: { items: { $ref: '#/components/schemas/Score' } } },
    })
  })

  it('keeps a property whose name is title', () => {
    const schema = closedObject({ title: textSchema('Title of the notice.') }, 'A notice.')

    expect(referToNamedSchemas(schema, new Map())).toEqual(JSON.parse(JSON.stringify(schema)))
  })

  it('throws for two schemas with the same title and different content', () => {
    const schema = Type.Object({ always: score('A score.'), perhaps: Type.Unsafe(orNull(score('A score.'))) })

    expect(() => referToNamedSchemas(schema, new Map())).toThrow(
      'Two schemas with different content have the title Score.',
    )
  })
})
