// Schemas for entries in KEV, CISA's catalog of known exploited vulnerabilities. The specification gives an entry three
// shapes, and a fourth that combines two of them (decisions D10, D14).
import { Type } from 'typebox'
import { closedObject, daySchema, flagSchema, instantSchema, orNull, textSchema } from '../response/schemas.ts'

const knownRansomware = flagSchema('Whether the vulnerability is known to be used in ransomware campaigns.')
const dateAdded = daySchema('Date on which CISA added the CVE to the catalog.')
const vendorProject = textSchema('Vendor or project of the product.')
const product = textSchema('Name of the product.')
const vulnerabilityName = textSchema("CISA's name for the vulnerability.")
const requiredAction = textSchema('The action that CISA requires of federal agencies.')
const dueDate = daySchema('Date by which federal agencies must have acted.')

const summary = {
  dateAdded,
  knownRansomware,
  vendorProject: Type.Optional(vendorProject),
  product: Type.Optional(product),
  vulnerabilityName: Type.Optional(vulnerabilityName),
  requiredAction: Type.Optional(requiredAction),
  dueDate: Type.Optional(dueDate),
  notes: Type.Optional(textSchema("CISA's notes, usually links to advisories.")),
}

const inBatch = {
  known_exploited: flagSchema('Always true: a CVE that is not in the KEV catalog has no kev object.'),
  due_date: orNull(daySchema('Date by which federal agencies must have acted; null if CISA names none.')),
  action_required: textSchema('The action that CISA requires of federal agencies.'),
}

export const kevSummarySchema = closedObject(
  summary,
  "The CVE's entry in the KEV catalog, as in single CVEs and in searches.",
  'KevSummary',
)

export const kevInBatchSchema = closedObject(inBatch, "The CVE's entry in the KEV catalog, as in batches.")

export const kevInRecentSchema = closedObject(
  { ...inBatch, ...summary },
  "The CVE's entry in the KEV catalog, as in recent CVEs.",
)

const entryMembers = {
  vendorProject,
  product,
  vulnerabilityName,
  dateAdded,
  shortDescription: textSchema("CISA's short description of the vulnerability."),
  requiredAction,
  dueDate: orNull(dueDate),
  knownRansomware,
  notes: orNull(textSchema("CISA's notes: an empty string if CISA left them empty, null if the entry has none.")),
}

export const kevEntrySchema = closedObject(
  {
    cveId: Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE id.' }),
    ...entryMembers,
  },
  "An entry of CISA's catalog of known exploited vulnerabilities (KEV).",
)

const pastMembers = {
  ...entryMembers,
  cwe_list: Type.Array(Type.String({ examples: ['CWE-502'] }), { description: "Weaknesses, by CISA's CWE ids." }),
}

export const kevPastEntrySchema = closedObject(
  pastMembers,
  'The members of the entry, or those of the last catalog that had it.',
)

export const kevChangeSchema = closedObject(
  {
    time: instantSchema(
      'Time at which this service saw the change; for a removal, release time of the first catalog without the entry.',
    ),
    type: Type.Enum(['changed', 'removed', 'returned'], {
      description:
        'changed: CISA changed the entry. removed: CISA removed the entry. returned: CISA listed the CVE again after a removal.',
    }),
    diff: closedObject(
      Object.fromEntries(
        Object.entries(pastMembers).map(([name, schema]) => [
          name,
          Type.Optional(closedObject({ old: schema, new: schema }, `Old and new value of ${name}.`)),
        ]),
      ),
      'The members that differ. Empty for a removal.',
    ),
  },
  'A change of a KEV entry.',
  'KevChange',
)
