// A CSAF 2.0 document in the profile VEX, as far as we read it: https://docs.oasis-open.org/csaf/csaf/v2.0/. Red Hat's
// own guidelines: https://redhatproductsecurity.github.io/security-data-guidelines/csaf-vex/.
import { type Static, Type } from 'typebox'
import { orNull, shapeOf } from '../../schema-check.ts'

const Text = Type.String()
const Ids = Type.Array(Text)

const Relationship = Type.Object({
  /** The component, which may be a combination itself. */
  product_reference: Text,
  /** What it is a part of, the same. */
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
  title: orNull(Text),
  cwe: orNull(Type.Object({ id: Text })),
  release_date: orNull(Text),
  notes: Type.Optional(Type.Array(Type.Object({ category: Text, text: Text }))),
  product_status: Type.Optional(ProductStatus),
  references: Type.Optional(Type.Array(Type.Object({ category: Type.Optional(Text), url: Text }))),
  remediations: Type.Optional(Type.Array(Type.Object({ category: Text, url: orNull(Text) }))),
  scores: Type.Optional(
    Type.Array(
      Type.Object({
        cvss_v3: orNull(
          Type.Object({ vectorString: Text, baseScore: orNull(Type.Number({ minimum: 0, maximum: 10 })) }),
        ),
      }),
    ),
  ),
  threats: Type.Optional(Type.Array(Type.Object({ category: Text, details: Text }))),
})

const Document = Type.Object({
  document: Type.Object({
    title: orNull(Text),
    aggregate_severity: orNull(Type.Object({ text: Text })),
    tracking: Type.Object({
      id: Text,
      current_release_date: Text,
      initial_release_date: orNull(Text),
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

export const vexDocument = shapeOf(Document)

/** The tree has as many levels as it likes; what does not look like a branch is none. */
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

export const branchOfTree = shapeOf(Branch)
