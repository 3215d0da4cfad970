// Holds what is rendered against what is promised: the schemas that become the public documentation.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type TSchema, Type } from 'typebox'
import type { Fragments, Published } from '../../src/catalog/model/published.ts'
import { acscListNoticeSchema } from '../../src/contract/acsc.ts'
import { cveMembers } from '../../src/contract/cve-object.ts'
import { detailContentSchema } from '../../src/contract/detail.ts'
import { enrichmentContentSchema, techniquesSchema } from '../../src/contract/enrichment.ts'
import { orNull } from '../../src/contract/schemas.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

const FRAGMENTS: Record<keyof Fragments, TSchema> = {
  source_tag: cveMembers.source_tag,
  published: cveMembers.published,
  modified: cveMembers.modified,
  description: cveMembers.description,
  severity: cveMembers.severity,
  status: cveMembers.status,
  enrichment_status: cveMembers.enrichment_status,
  cvss: cveMembers.cvss,
  cpe: cveMembers.cpe,
  references: cveMembers.references,
  acsc: cveMembers.acsc,
  acsc_notices: Type.Array(acscListNoticeSchema),
  techniques: techniquesSchema(),
  enrichment: orNull(enrichmentContentSchema),
}

const compiled = new Map<TSchema, ValidateFunction>()

export function expectFits(schema: TSchema, text: string, what: string): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (!validate(JSON.parse(text))) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${text}`)
}

export function expectPromised({ fragments, details }: Published): void {
  for (const [name, schema] of Object.entries(FRAGMENTS)) {
    // FRAGMENTS has the names of the fragments, all of them.
    expectFits(schema, fragments[name as keyof Fragments], name)
  }
  for (const { source, record } of details) expectFits(detailContentSchema, record, `detail of ${source}`)
}
