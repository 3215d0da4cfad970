// An entry of CISA's catalogue of known exploited vulnerabilities, in the specification's three shapes and a union of
// two of them (decisions D10, D14).
import { Type } from 'typebox'
import { closedObject, daySchema, flagSchema, orNull, textSchema } from './schemas.ts'

const knownRansomware = flagSchema('Whether ransomware campaigns are known to use it.')
const dateAdded = daySchema('The day on which CISA added it.')
const vendorProject = textSchema('Who makes the product.')
const product = textSchema('The product.')
const vulnerabilityName = textSchema("CISA's name for the vulnerability.")
const requiredAction = textSchema('What CISA requires of federal agencies.')
const dueDate = daySchema('The day by which federal agencies must have acted.')

const summary = {
  dateAdded,
  knownRansomware,
  vendorProject: Type.Optional(vendorProject),
  product: Type.Optional(product),
  vulnerabilityName: Type.Optional(vulnerabilityName),
  requiredAction: Type.Optional(requiredAction),
  dueDate: Type.Optional(dueDate),
  notes: Type.Optional(textSchema("CISA's notes, most often addresses of advisories.")),
}

const inBatch = {
  known_exploited: flagSchema('Always true: what is not in the catalogue has no such object.'),
  due_date: orNull(daySchema('The day by which federal agencies must have acted; null where CISA names none.')),
  action_required: textSchema('What CISA requires of federal agencies.'),
}

export const kevSummarySchema = closedObject(summary, 'What CISA says of it, in a single CVE and in searches.')

export const kevInBatchSchema = closedObject(inBatch, 'What CISA says of it, in a batch.')

export const kevInRecentSchema = closedObject({ ...inBatch, ...summary }, 'What CISA says of it, among recent CVEs.')

export const kevEntrySchema = closedObject(
  {
    cveId: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' }),
    vendorProject,
    product,
    vulnerabilityName,
    dateAdded,
    shortDescription: textSchema("CISA's description, in a sentence or two."),
    requiredAction,
    dueDate: orNull(dueDate),
    knownRansomware,
    notes: orNull(textSchema("CISA's notes; empty where they are empty, null where there are none.")),
  },
  "An entry of CISA's catalogue of known exploited vulnerabilities.",
)
