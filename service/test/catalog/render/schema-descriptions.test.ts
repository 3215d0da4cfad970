import { describe, expect, it } from 'vitest'
import { acscListNoticeSchema } from '../../../src/contract/acsc.ts'
import { cveMembers } from '../../../src/contract/cve-object.ts'
import { detailSchema, partialDetailSchema } from '../../../src/contract/detail.ts'
import { kevEntrySchema, kevInBatchSchema, kevInRecentSchema } from '../../../src/contract/kev.ts'
import { paginationSchema } from '../../../src/contract/page.ts'
import { closedObject } from '../../../src/contract/schemas.ts'
import { statisticsSchema } from '../../../src/contract/statistics.ts'

const SCHEMAS = {
  cve: closedObject(cveMembers, 'A CVE.'),
  acscListNotice: acscListNoticeSchema,
  kevEntry: kevEntrySchema,
  kevInBatch: kevInBatchSchema,
  kevInRecent: kevInRecentSchema,
  detail: detailSchema,
  partialDetail: partialDetailSchema,
  pagination: paginationSchema,
  statistics: statisticsSchema,
}

interface Found {
  readonly path: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** The schema, and every schema within it. */
function within(path: string, schema: Readonly<Record<string, unknown>>): readonly Found[] {
  const members = Object.entries(Object(schema['properties'])).map(([name, each]) => [`${path}.${name}`, each] as const)
  const others = [schema['items'], ...[schema['anyOf'] ?? []].flat()].map(
    (each, index) => [`${path}[${index}]`, each] as const,
  )
  const found = [...members, ...others].filter(([, each]) => each !== undefined)
  return [{ path, schema }, ...found.flatMap(([inner, each]) => within(inner, Object(each)))]
}

describe.each(Object.entries(SCHEMAS))('What is promised of %s', (name, schema) => {
  const all = within(name, Object(schema))

  it('describes every member in a sentence', () => {
    const isMember = ({ path }: Found) => !path.endsWith(']')
    const isSilent = ({ schema: { description } }: Found) =>
      typeof description !== 'string' || !description.endsWith('.')
    const silent = all.filter((each) => isMember(each) && isSilent(each))
    expect(all.length).toBeGreaterThan(3)
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('allows nothing beside its members', () => {
    const open = all.filter(({ schema: each }) => 'properties' in each && each['additionalProperties'] !== false)
    expect(open.map(({ path }) => path)).toEqual([])
  })
})
