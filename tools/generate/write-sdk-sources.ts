// Writes sdk/src/generated/sources.ts from openapi.json: the names of the sources, and the formats of advisory ids.
// With --check, fails if the file differs.
import { readFileSync } from 'node:fs'
import { writeOrCheck } from './generated-file.ts'

interface Document {
  readonly 'x-sources': Readonly<Record<string, object>>
  readonly 'x-advisory-ids': readonly { readonly pattern: string }[]
}

// The cast is safe: contract/openapi.ts writes both members.
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document

function render(): string {
  return `// Written by tools/generate/write-sdk-sources.ts from openapi.json. Do not edit: run "npm run generate".

/** Name of a source of the data: its title, and the label of each provider that answers name, by their ids. */
export interface SourceNames {
  readonly title: string
  readonly providers: Readonly<Record<string, string>>
}

/** The sources by the names of their data sets in \`/health\`. */
export const SOURCES: Readonly<Record<string, SourceNames>> = {
${Object.entries(document['x-sources'])
  .map(([id, names]) => `  ${JSON.stringify(id)}: ${JSON.stringify(names)},`)
  .join('\n')}
}

/** Form of the ids of advisories, in any letter case. */
export interface AdvisoryIdForm {
  readonly form: string
  readonly issuer: string
  readonly pattern: RegExp
  readonly example: string
  /** Address of an advisory's page, with {id}, {+id} (not encoded) or {digits} in place of the id. */
  readonly page?: string
  /** True if other words have the form too. */
  readonly ambiguous?: boolean
}

/** The forms of the ids that \`/api/v1/alias\` finds. */
export const ADVISORY_IDS: readonly AdvisoryIdForm[] = [
${document['x-advisory-ids'].map(renderForm).join('\n')}
]
`
}

function renderForm({ pattern, ...form }: Document['x-advisory-ids'][number]): string {
  const members = Object.entries(form).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `  { ${[...members, `pattern: /${pattern}/i`].join(', ')} },`
}

writeOrCheck('sdk/src/generated/sources.ts', render)
