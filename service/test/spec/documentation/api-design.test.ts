// Compares the table of member names in docs/api-design.md with the schemas in openapi.json.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

/** Returns the schema of one record in an endpoint's response: the item of the list or map inside `data`. */
function findRecordSchema(path: string): Schema {
  const schema: Schema = endpoints.find((each) => each.path === `/api/v1${path}`)?.response.schema ?? {}
  const container = schema.properties?.['cve'] ?? schema.properties?.['cves'] ?? schema.properties?.['kev_entries']
  return container ? toItemSchema(container) : {}
}

function toItemSchema(schema: Schema): Schema {
  const { items, patternProperties, additionalProperties } = schema
  const item = items ?? Object.values(patternProperties ?? {})[0] ?? additionalProperties
  return typeof item === 'object' ? item : schema
}

function hasMember(record: Schema, path: string): boolean {
  let schema: Schema | undefined = record
  for (const member of path.split('.')) schema = toItemSchema(schema ?? {}).properties?.[member]
  return schema !== undefined
}

const page = readFileSync(new URL('../../../../docs/api-design.md', import.meta.url), 'utf8')
const [head = [], , ...facts] = page
  .split('\n')
  .slice(page.split('\n').findIndex((line) => line.startsWith('| fact |')))
  .filter((line, at, lines) => line.startsWith('|') && lines.slice(0, at).every((before) => before.startsWith('|')))
  .map((line) => line.split('|').map((cell) => cell.trim()))

const paths = head.slice(2, -1).map((cell) => cell.replaceAll('`', ''))
const readNames = (cell: string) => Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = '']) => name)

describe('docs/api-design.md: table of member names', () => {
  it.each(facts.map((cells) => [cells[1] ?? '', cells.slice(2, -1)] as const))(
    'names the members for "%s" as openapi.json does',
    (_fact, cells) => {
      const everyName = [...new Set(cells.flatMap(readNames))]
      for (const [at, path] of paths.entries()) {
        const [record, documented] = [findRecordSchema(path), readNames(cells[at] ?? '')]
        expect([path, everyName.filter((name) => hasMember(record, name)).sort()]).toEqual([path, documented.sort()])
      }
    },
  )

  it('has columns for five endpoints and rows for ten facts', () => {
    expect(paths).toEqual(['/cve/{cve-id}', '/cves', '/cves/recent', '/cve/batch', '/kev'])
    expect(facts.length).toBe(10)
  })
})
