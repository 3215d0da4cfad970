// Schemas for notices from the Australian Cyber Security Centre (ACSC): in full for single CVEs, and shortened for
// lists (decision D3).
import { Type } from 'typebox'
import { closedObject, instantSchema, orNull, textSchema } from '../response/schemas.ts'

const id = textSchema('Id of the notice: the last part of its URL.')
const title = textSchema('Title of the notice.')
const type = Type.String({ description: 'Kind of notice.', examples: ['alert', 'advisory'] })
const priority = orNull(
  Type.String({
    description: 'Priority that the ACSC gives the notice; null if the ACSC gives none.',
    examples: ['Critical'],
  }),
)

export const acscNoticeSchema = closedObject(
  {
    id,
    title,
    type,
    priority,
    publishedDate: instantSchema('When the notice was first published.'),
    lastUpdated: Type.Optional(instantSchema('When the notice was last changed.')),
    url: Type.Optional(textSchema('URL of the notice.')),
    affectedProducts: Type.Optional(Type.Array(Type.String(), { description: 'Products that the notice names.' })),
    summary: Type.Optional(textSchema('Short summary of the notice.')),
  },
  'An ACSC notice that names the CVE.',
  'AcscNotice',
)

export const acscListNoticeSchema = closedObject(
  { id, type, title, priority, published: instantSchema('When the notice was first published.') },
  'An ACSC notice that names the CVE, in short form.',
  'ListedAcscNotice',
)
