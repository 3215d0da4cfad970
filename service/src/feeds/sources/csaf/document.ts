// Schema of a CSAF document (https://docs.oasis-open.org/csaf/csaf/v2.0/), limited to the members that the service uses.
// Some publishers already write members of CSAF 2.1, such as `cwes` and `metrics`.
import { type Static, Type } from 'typebox'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'

const Text = Type.String()
const Ids = Type.Array(Text)
const OptionalIds = optionalOrNull(Ids)

const Helper = Type.Object({
  cpe: optionalOrNull(Text),
  purl: optionalOrNull(Text),
  purls: OptionalIds,
})

export const FullProductName = Type.Object({
  name: Text,
  product_id: Text,
  product_identification_helper: optionalOrNull(Helper),
})

export type FullProductName = Static<typeof FullProductName>

const Relationship = Type.Object({
  /** The component, which may itself be a relationship. */
  product_reference: Text,
  /** The product that contains the component or on which it is installed. */
  relates_to_product_reference: Text,
  full_product_name: FullProductName,
})

export type Relationship = Static<typeof Relationship>

/** Absent for a score of a version of CVSS that the schema does not name. */
const Cvss = optionalOrNull(
  Type.Object({ vectorString: Text, baseScore: optionalOrNull(Type.Number({ minimum: 0, maximum: 10 })) }),
)
const Scores = Type.Object({ cvss_v2: Cvss, cvss_v3: Cvss, cvss_v4: Cvss })

const Weakness = Type.Object({ id: Text })

const Concerned = { product_ids: OptionalIds, group_ids: OptionalIds }

const Vulnerability = Type.Object({
  cve: optionalOrNull(Text),
  title: optionalOrNull(Text),
  cwe: optionalOrNull(Weakness),
  cwes: optionalOrNull(Type.Array(Weakness)),
  ids: optionalOrNull(Type.Array(Type.Object({ text: Text }))),
  release_date: optionalOrNull(Text),
  disclosure_date: optionalOrNull(Text),
  notes: optionalOrNull(Type.Array(Type.Object({ category: Text, text: Text }))),
  product_status: optionalOrNull(
    Type.Object({
      first_affected: OptionalIds,
      first_fixed: OptionalIds,
      fixed: OptionalIds,
      known_affected: OptionalIds,
      known_not_affected: OptionalIds,
      last_affected: OptionalIds,
      recommended: OptionalIds,
      under_investigation: OptionalIds,
    }),
  ),
  flags: optionalOrNull(Type.Array(Type.Object({ label: Text, ...Concerned }))),
  references: optionalOrNull(Type.Array(Type.Object({ category: optionalOrNull(Text), url: Text }))),
  remediations: optionalOrNull(
    Type.Array(Type.Object({ category: Text, details: optionalOrNull(Text), url: optionalOrNull(Text), ...Concerned })),
  ),
  scores: optionalOrNull(Type.Array(Scores)),
  metrics: optionalOrNull(Type.Array(Type.Object({ content: Scores }))),
  threats: optionalOrNull(Type.Array(Type.Object({ category: Text, details: optionalOrNull(Text) }))),
})

export type Vulnerability = Static<typeof Vulnerability>

const Document = Type.Object({
  document: Type.Object({
    category: Text,
    title: optionalOrNull(Text),
    aggregate_severity: optionalOrNull(Type.Object({ text: Text })),
    distribution: optionalOrNull(Type.Object({ tlp: optionalOrNull(Type.Object({ label: optionalOrNull(Text) })) })),
    references: optionalOrNull(Type.Array(Type.Object({ category: optionalOrNull(Text), url: Text }))),
    tracking: Type.Object({
      id: Type.String({ minLength: 1 }),
      status: Text,
      version: Text,
      current_release_date: Text,
      initial_release_date: Text,
    }),
  }),
  product_tree: optionalOrNull(
    Type.Object({
      branches: optionalOrNull(Type.Array(Type.Unknown())),
      full_product_names: optionalOrNull(Type.Array(FullProductName)),
      relationships: optionalOrNull(Type.Array(Relationship)),
      product_groups: optionalOrNull(Type.Array(Type.Object({ group_id: Text, product_ids: Ids }))),
    }),
  ),
  vulnerabilities: optionalOrNull(Type.Array(Vulnerability)),
})

export type CsafDocument = Static<typeof Document>

export const csafDocument = compileSchema(Document)

const Branch = Type.Object({
  category: Text,
  name: Text,
  branches: optionalOrNull(Type.Array(Type.Unknown())),
  product: optionalOrNull(FullProductName),
})

export const treeBranch = compileSchema(Branch)
