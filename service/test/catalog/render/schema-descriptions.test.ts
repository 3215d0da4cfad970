import { describe, expect, it } from 'vitest'
import { detailSchema, partialDetailSchema } from '../../../src/api/endpoints/get-cve-detail/schema.ts'
import { statisticsSchema } from '../../../src/api/endpoints/get-stats/schema.ts'
import { CVE_FORMS } from '../../../src/contract/record/cve-member.ts'
import { kevEntrySchema } from '../../../src/contract/record/kev.ts'
import { paginationSchema } from '../../../src/contract/response/page.ts'
import { cveSchema } from '../../../src/record/record-schema.ts'

const SCHEMAS = {
  ...Object.fromEntries(CVE_FORMS.map((form) => [`cve (${form})`, cveSchema(form)])),
  kevEntry: kevEntrySchema,
  detail: detailSchema,
  partialDetail: partialDetailSchema,
  pagination: paginationSchema,
  statistics: statisticsSchema,
}

interface Found {
  readonly path: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Lists the given schema and every schema nested in it. */
function listSchemas(path: string, schema: Readonly<Record<string, unknown>>): readonly Found[] {
  const members = Object.entries(Object(schema['properties'])).map(([name, each]) => [`${path}.${name}`, each] as const)
  const others = [schema['items'], ...[schema['anyOf'] ?? []].flat()].map(
    (each, index) => [`${path}[${index}]`, each] as const,
  )
  const found = [...members, ...others].filter(([, each]) => each !== undefined)
  return [{ path, schema }, ...found.flatMap(([inner, each]) => listSchemas(inner, Object(each)))]
}

describe.each(Object.entries(SCHEMAS))('Contract: %s', (name, schema) => {
  const all = listSchemas(name, Object(schema))

  it('OpenAPI schema describes every member with a sentence that ends with a period', () => {
    const isMember = ({ path }: Found) => !path.endsWith(']')
    const lacksDescription = ({ schema: { description } }: Found) =>
      typeof description !== 'string' || !description.endsWith('.')
    const undescribed = all.filter((each) => isMember(each) && lacksDescription(each))
    expect(all.length).toBeGreaterThan(3)
    expect(undescribed.map(({ path }) => path)).toEqual([])
  })

  it('OpenAPI schema forbids additional properties in every object', () => {
    const open = all.filter(({ schema: each }) => 'properties' in each && each['additionalProperties'] !== false)
    expect(open.map(({ path }) => path)).toEqual([])
  })
})
