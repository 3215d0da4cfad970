// Checks rendered JSON against the schemas in openapi.json.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type TSchema, Type } from 'typebox'
import { detailContentSchema } from '../../src/api/endpoints/get-cve-detail/schema.ts'
import type { Published } from '../../src/catalog/render/published.ts'
import {
  CVE_FIELD_NAMES,
  type DocumentColumn,
  findDocumentColumn,
  getFieldSchema,
} from '../../src/contract/record/cve-fields.ts'
import { CVE_FORMS } from '../../src/contract/record/cve-member.ts'
import {
  enrichmentContentSchema,
  techniqueMappingSchema,
  techniquesSchema,
} from '../../src/contract/record/enrichment.ts'
import { exploitMembers, exploitsSchema } from '../../src/contract/record/exploits.ts'
import { orNull } from '../../src/contract/response/schemas.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/**
 * Columns of catalog.cve_document whose JSON differs from the response member, because the API converts or omits it.
 */
const STORED_PARTS: Partial<Record<DocumentColumn, TSchema>> = {
  tags: Type.Array(Type.String()),
  techniques: techniquesSchema(),
  technique_mapping: techniqueMappingSchema(),
  enrichment: orNull(enrichmentContentSchema),
  // configurations.test.ts and sources.test.ts check the served forms of both.
  configurations: orNull(Type.Array(Type.Array(Type.Unknown()), { minItems: 1 })),
  decision_facts: Type.Object({}),
  exploits: orNull(exploitsSchema),
  more_evidence: exploitMembers.evidence,
  fixes_omitted: Type.Integer({ minimum: 0 }),
  remediations_omitted: Type.Integer({ minimum: 0 }),
  sources: Type.Object({ origins: Type.Array(Type.Unknown()), values: Type.Object({}) }),
}

/** JSON schemas of the columns of catalog.cve_document, by column name. */
const COLUMN_SCHEMAS = new Map<string, TSchema>([
  ...CVE_FIELD_NAMES.flatMap((field) =>
    CVE_FORMS.flatMap((form) => {
      const column = findDocumentColumn(field, form)
      return column === undefined ? [] : [[column, getFieldSchema(field, form)] as const]
    }),
  ),
  ...Object.entries(STORED_PARTS),
])

const compiled = new Map<TSchema, ValidateFunction>()

export function expectValid(schema: TSchema, text: string, name: string): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (!validate(JSON.parse(text))) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}\n${text}`)
}

export function expectValidCve({ fragments, details }: Published): void {
  for (const [column, text] of Object.entries(fragments)) {
    const schema = COLUMN_SCHEMAS.get(column)
    if (schema === undefined) throw new Error(`no schema for the column ${column}`)
    expectValid(schema, text, column)
  }
  for (const { source, record } of details) expectValid(detailContentSchema, record, `detail of ${source}`)
}
