import { Type } from 'typebox'
import { suggestionSchema } from '../../../contract/name-suggestions.ts'
import { required, withDefault } from '../../../contract/request/parameters.ts'
import { integer, type ValueType, withExample, word } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { NAME_KINDS, renderSuggestedName, suggestNames } from '../../../search/names/suggest-names.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const [MIN_LENGTH, MAX_LENGTH] = [2, 64]

/** A name or the start of one. No name contains control characters. */
function nameTextType(): ValueType<string> {
  return {
    schema: Type.String({ minLength: MIN_LENGTH, maxLength: MAX_LENGTH }),
    expects: `text of ${MIN_LENGTH} to ${MAX_LENGTH} characters, without control characters`,
    example: 'forti',
    isAbsentWhenEmpty: true,
    parse: (sent) => {
      const text = sent.trim()
      const { length } = Array.from(text)
      return length < MIN_LENGTH || length > MAX_LENGTH || /[\p{Cc}\p{Cs}]/u.test(text) ? undefined : text
    },
  }
}

export const suggest = defineEndpoint({
  name: 'suggest',
  method: 'GET',
  path: '/api/v1/suggest',
  tag: 'Search',
  summary: 'Suggest names for a search',
  description:
    'Names of products, vendors, weaknesses, assigners and ATT&CK techniques for filters of searches: first the names that begin with the text, those with the most CVEs first, then names with a similar spelling. Weaknesses and techniques are also found by words of their titles. Free of charge, but counts towards the rate limit.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'record',
  cacheControl: 'private, max-age=3600',
  response: {
    name: 'Suggestions',
    schema: closedObject(
      { suggestions: Type.Array(suggestionSchema, { description: 'Matching names; empty if no name is similar.' }) },
      'Names that begin with the text or resemble it.',
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      of: required(
        word(NAME_KINDS, { anyCase: true }),
        'Kind of the names. The name of a vendor is a value of product_vendor.',
      ),
      q: required(nameTextType(), 'Beginning of a name, or a name with a typing mistake. Letter case is ignored.'),
      limit: withDefault(withExample(integer({ minimum: 1, maximum: 20 }), 10), 10, 'Maximum number of names.'),
    },
  },
  answer: async ({ query: { of, q, limit } }, { db }) => {
    const names = await suggestNames(db, { kind: of, text: q, limit })
    return { data: { suggestions: names.map(renderSuggestedName) } }
  },
})
