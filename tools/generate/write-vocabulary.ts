// Writes sdk/src/generated/vocabulary.ts from openapi.json: the price of each call, the names, bounds, words and labels
// of query parameters, the reasons of coverage_gap, the rules of sources, the names of organisations and the scopes of
// keys. With --check, fails if the file differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Schema {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly 'x-format'?: string
  readonly default?: string | number | boolean
  readonly 'x-labels'?: Words
}

type Words = Readonly<Record<string, string>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly schema: Schema
  readonly 'x-label'?: string
  readonly 'x-needs'?: string
}

interface Operation {
  readonly operationId: string
  readonly 'x-credits': number
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
}

export interface OpenApi {
  readonly 'x-coverage-gaps': Words
  readonly 'x-source-rules': Words
  readonly 'x-organisations': Words
  readonly 'x-scopes': Words
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

const HEADER = `// Written by tools/generate/write-vocabulary.ts from openapi.json. Do not edit: run "npm run generate".`

export function renderVocabulary(document: OpenApi): string {
  const operations = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => ({ ...operation, query: listQuery(document, operation) }))
  const prices = operations.map(({ operationId, 'x-credits': credits }) => `  ${operationId}: ${credits},`)
  const words = new WordSets()
  const tables = operations
    .filter(({ query }) => query.length > 0)
    .map(({ operationId, query }) => {
      const members = query.map((each) => `  ${each.name}: ${renderParameter(operationId, each, words)},`)
      return renderConstant(`${operationId}Parameters`, members)
    })
  const help = operations
    .filter(({ query }) => query.length > 0)
    .map(({ operationId, query }) => {
      const members = query.map(({ name, description }) => `    ${name}: ${quote(shorten(description))},`)
      return [`  ${operationId}: {`, ...members, '  },'].join('\n')
    })
  return [
    HEADER,
    `/** Credits for one 2xx response of each call. */\n${renderConstant('PRICES', prices)}`,
    `/** Why silence about a component proves nothing, for each word of coverage_gap. */\n${renderGaps(document)}`,
    `/** How the service chooses each value of a record from the statements of sources. */\n${renderSourceRules(document)}`,
    `/** Common names of organisations in the CVE Program whose short names differ, by the short name. */\n${renderOrganisations(document)}`,
    `/** What a key may do with each scope. */
${renderScopes(document)}`,
    ...words.render(),
    ...tables,
    `/** One line of help for each query parameter. */\n${renderConstant('PARAMETER_HELP', help)}`,
  ]
    .join('\n\n')
    .concat('\n')
}

function renderGaps({ 'x-coverage-gaps': gaps }: OpenApi): string {
  const members = Object.entries(gaps).map(([gap, text]) => `  ${toKey(gap)}: ${quote(text)},`)
  return renderConstant('COVERAGE_GAPS', members)
}

function renderSourceRules({ 'x-source-rules': rules }: OpenApi): string {
  const members = Object.entries(rules).map(([name, rule]) => `  ${toKey(name)}: ${quote(rule)},`)
  return renderConstant('SOURCE_RULES', members)
}

function renderOrganisations({ 'x-organisations': names }: OpenApi): string {
  const members = Object.entries(names).map(([name, words]) => `  ${toKey(name)}: ${quote(words)},`)
  return renderConstant('ORGANISATIONS', members)
}

function renderScopes({ 'x-scopes': scopes }: OpenApi): string {
  const members = Object.entries(scopes).map(([scope, meaning]) => `  ${toKey(scope)}: ${quote(meaning)},`)
  return renderConstant('SCOPES', members)
}

function listQuery({ components }: OpenApi, { parameters = [] }: Operation): readonly Parameter[] {
  return parameters
    .map((each) => {
      if (!('$ref' in each)) return each
      const shared = components.parameters?.[each.$ref.split('/').at(-1) ?? '']
      if (shared === undefined) throw new Error(`openapi.json has no ${each.$ref}`)
      return shared
    })
    .filter((each) => each.in === 'query')
}

/**
 * Constants for the labels of words. Parameters with equal labels share a constant, which is named after the first of
 * them.
 */
class WordSets {
  readonly #names = new Map<string, string>()
  readonly #constants: string[] = []

  refer(operation: string, parameter: string, words: Words): string {
    const members = Object.entries(words).map(([word, label]) => `  ${toKey(word)}: ${quote(label)},`)
    const text = members.join('\n')
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const short = `${parameter.toUpperCase()}_WORDS`
    const isTaken = [...this.#names.values()].includes(short)
    const name = isTaken ? `${operation.replace(/[A-Z]/g, '_$&').toUpperCase()}_${short}` : short
    this.#names.set(text, name)
    this.#constants.push(renderConstant(name, members))
    return name
  }

  render(): readonly string[] {
    return this.#constants
  }
}

function renderParameter(operation: string, parameter: Parameter, words: WordSets): string {
  const { schema, name, 'x-label': label, 'x-needs': needs } = parameter
  const value = schema.items ?? schema
  const type = findType(value)
  const labels = value['x-labels']
  const plain = value.enum && Object.fromEntries(value.enum.map((word) => [word, String(word)]))
  const shown = labels ?? plain
  const isHoisted = labels !== undefined && type === 'word'
  const renderedWords = shown && (isHoisted ? words.refer(operation, name, shown) : renderWords(shown))
  const members = {
    label: label && quote(label),
    type: quote(type),
    isList: schema.type === 'array' ? 'true' : undefined,
    minimum: value.minimum,
    maximum: value.maximum,
    maxLength: value.maxLength,
    maxItems: schema.maxItems,
    pattern: value.pattern && type === 'text' ? quote(value.pattern) : undefined,
    default: schema.default === undefined ? undefined : quote(String(schema.default)),
    needs: needs && quote(needs),
    words: renderedWords,
  }
  const parts = Object.entries(members).flatMap(([key, text]) => (text === undefined ? [] : [`${key}: ${text}`]))
  return `{ ${parts.join(', ')} }`
}

function renderWords(words: Words): string {
  return `{ ${Object.entries(words)
    .map(([word, label]) => `${toKey(word)}: ${quote(label)}`)
    .join(', ')} }`
}

function findType({ type = 'string', enum: words, format, 'x-format': extendedFormat }: Schema): string {
  if (words !== undefined) return 'word'
  if (type === 'boolean') return 'flag'
  if (type !== 'string') return type
  return format === 'date' ? 'day' : extendedFormat !== undefined ? 'moment' : 'text'
}

/** Shortens a description to fit on one line of help. Text such as "up: scores that rose. down: …" stays whole. */
function shorten(description: string): string {
  const [sentence = ''] = description.split('. ')
  const [head = ''] = sentence.split(/[:;] /)
  return (head.includes(' ') ? head : description).replace(/\.$/, '')
}

function toKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name)
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const renderConstant = (name: string, members: readonly string[]) =>
  `export const ${name} = {\n${members.join('\n')}\n} as const`

if (import.meta.main) {
  const root = dirname(dirname(import.meta.dirname))
  const path = join(root, 'sdk/src/generated/vocabulary.ts')
  const current = renderVocabulary(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')))
  if (!process.argv.includes('--check')) writeFileSync(path, current)
  else if (readFileSync(path, 'utf8') !== current) {
    console.log(
      'sdk/src/generated/vocabulary.ts differs from openapi.json. Run "npm run generate" and commit the result.',
    )
    process.exitCode = 1
  }
}
