// Schema of a CSAF 2.0 document in the VEX profile (https://docs.oasis-open.org/csaf/csaf/v2.0/), limited to the
// members that the service uses. Red Hat's guidelines:
// https://redhatproductsecurity.github.io/security-data-guidelines/csaf-vex/.
import { type Static, Type } from 'typebox'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'

const Text = Type.String()
const Ids = Type.Array(Text)

const Relationship = Type.Object({
  /** The component, which may itself be a relationship. */
  product_reference: Text,
  /** The product that contains the component, which may itself be a relationship. */
  relates_to_product_reference: Text,
  full_product_name: Type.Object({ product_id: Text }),
})

const ProductStatus = Type.Object({
  fixed: Type.Optional(Ids),
  known_affected: Type.Optional(Ids),
  known_not_affected: Type.Optional(Ids),
  under_investigation: Type.Optional(Ids),
})

const Vulnerability = Type.Object({
  cve: Text,
  title: optionalOrNull(Text),
  cwe: optionalOrNull(Type.Object({ id: Text })),
  release_date: optionalOrNull(Text),
  notes: Type.Optional(Type.Array(Type.Object({ category: Text, text: Text }))),
  product_status: Type.Optional(ProductStatus),
  references: Type.Optional(Type.Array(Type.Object({ category: Type.Optional(Text), url: Text }))),
  remediations: Type.Optional(
    Type.Array(
      Type.Object({
        category: Text,
        url: optionalOrNull(Text),
        details: optionalOrNull(Text),
        product_ids: optionalOrNull(Ids),
      }),
    ),
  ),
  scores: Type.Optional(
    Type.Array(
      Type.Object({
        cvss_v3: optionalOrNull(
          Type.Object({ vectorString: Text, baseScore: optionalOrNull(Type.Number({ minimum: 0, maximum: 10 })) }),
        ),
      }),
    ),
  ),
  threats: Type.Optional(Type.Array(Type.Object({ category: Text, details: Text }))),
})

const Document = Type.Object({
  document: Type.Object({
    title: optionalOrNull(Text),
    aggregate_severity: optionalOrNull(Type.Object({ text: Text })),
    tracking: Type.Object({
      id: Text,
      current_release_date: Text,
    }),
  }),
  product_tree: Type.Optional(
    Type.Object({
      branches: Type.Optional(Type.Array(Type.Unknown())),
      relationships: Type.Optional(Type.Array(Relationship)),
    }),
  ),
  vulnerabilities: Type.Array(Vulnerability, { minItems: 1 }),
})

export type VexDocument = Static<typeof Document>
export type Vulnerability = Static<typeof Vulnerability>

export const vexDocument = compileSchema(Document)

/** The tree can have any number of levels. Elements that do not match are ignored. */
const Branch = Type.Object({
  branches: Type.Optional(Type.Array(Type.Unknown())),
  product: Type.Optional(
    Type.Object({
      name: Text,
      product_id: Text,
      product_identification_helper: Type.Optional(
        Type.Object({ cpe: Type.Optional(Text), purl: Type.Optional(Text) }),
      ),
    }),
  ),
})

export type ProductInTree = NonNullable<Static<typeof Branch>['product']>

export const treeBranch = compileSchema(Branch)
