// The table of names in docs/api-design.md, path by path, against what openapi.json promises.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

/** The records of an answer: past the one member of `data` that holds them, and past lists and maps. */
function recordOf(path: string): Schema {
  const schema: Schema = endpoints.find((each) => each.path === `/api/v1${path}`)?.response.schema ?? {}
  const held = schema.properties?.['cve'] ?? schema.properties?.['cves'] ?? schema.properties?.['kev_entries']
  return held ? element(held) : {}
}

function element(schema: Schema): Schema {
  const { items, patternProperties, additionalProperties } = schema
  const each = items ?? Object.values(patternProperties ?? {})[0] ?? additionalProperties
  return typeof each === 'object' ? each : schema
}

function has(record: Schema, path: string): boolean {
  let at: Schema | undefined = record
  for (const member of path.split('.')) at = element(at ?? {}).properties?.[member]
  return at !== undefined
}

const page = readFileSync(new URL('../../../../docs/api-design.md', import.meta.url), 'utf8')
const [head = [], , ...facts] = page
  .split('\n')
  .slice(page.split('\n').findIndex((line) => line.startsWith('| fact |')))
  .filter((line, at, lines) => line.startsWith('|') && lines.slice(0, at).every((before) => before.startsWith('|')))
  .map((line) => line.split('|').map((cell) => cell.trim()))

const paths = head.slice(2, -1).map((cell) => cell.replaceAll('`', ''))
const names = (cell: string) => Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = '']) => name)

describe('docs/api-design.md', () => {
  it.each(facts.map((cells) => [cells[1] ?? '', cells.slice(2, -1)] as const))('"%s" is called so', (_fact, cells) => {
    const everyName = [...new Set(cells.flatMap(names))]
    for (const [at, path] of paths.entries()) {
      const [record, said] = [recordOf(path), names(cells[at] ?? '')]
      expect([path, everyName.filter((name) => has(record, name)).sort()]).toEqual([path, said.sort()])
    }
  })

  it('compares five answers in ten facts', () => {
    expect(paths).toEqual(['/cve/{cve-id}', '/cves', '/cves/recent', '/cve/batch', '/kev'])
    expect(facts.length).toBe(10)
  })
})
