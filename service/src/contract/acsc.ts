// Notices of the Australian Cyber Security Centre, as in single answers and as in lists (decision D3).
import { Type } from 'typebox'
import { closedObject, instantSchema, orNull, textSchema } from './schemas.ts'

const id = textSchema("The notice's own name: the last part of its address.")
const title = textSchema('Its title.')
const type = Type.String({ description: 'Which kind of notice it is.', examples: ['alert', 'advisory'] })
const priority = orNull(
  Type.String({ description: 'How urgent it is; null where that is not said.', examples: ['Critical'] }),
)

export const acscNoticeSchema = closedObject(
  {
    id,
    title,
    type,
    priority,
    publishedDate: instantSchema('When it was first published.'),
    lastUpdated: Type.Optional(instantSchema('When it was last changed.')),
    url: Type.Optional(textSchema('Where it can be read.')),
    affectedProducts: Type.Optional(Type.Array(Type.String(), { description: 'The products that it names.' })),
    summary: Type.Optional(textSchema('What it is about, in a few words.')),
  },
  'A notice of the ACSC that names the CVE.',
)

export const acscListNoticeSchema = closedObject(
  { id, type, title, priority, published: instantSchema('When it was first published.') },
  'A notice of the ACSC that names the CVE, in short.',
)
