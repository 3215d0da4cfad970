// Schemas of suggested names: those of GET /api/v1/suggest, and those for unknown names in the filters of CVE lists.
import { Type } from 'typebox'
import { closedObject, countSchema, textSchema } from './response/schemas.ts'

export const suggestionSchema = closedObject(
  {
    value: Type.String({ description: 'The name, as the filter of the same kind expects it.', examples: ['fortios'] }),
    vendor: Type.Optional(textSchema('Vendor of the product. Only for products.')),
    title: Type.Optional(textSchema('Title of the weakness or technique, if it is known.')),
    count: countSchema('Number of CVEs with this name.'),
  },
  'A name that CVEs have.',
  'Suggestion',
)

/** A member of CVE lists that are filtered by names (decision E37). */
export const unknownNamesSchema = Type.Array(
  closedObject(
    {
      parameter: Type.Enum(['product_vendor', 'product'], { description: 'The filter.' }),
      value: textSchema('The unknown name, in the spelling of CPE names.'),
      suggestions: Type.Array(suggestionSchema, {
        description: 'Known names that begin with the text or resemble it, the most similar first; often empty.',
      }),
    },
    'A name in a filter that no CVE has.',
    'UnknownName',
  ),
  {
    description:
      'The names in product_vendor and product that no CVE in the catalog has, and similar names. Only on the first page; absent if every name is known.',
  },
)
