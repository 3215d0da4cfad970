import { expect, it } from 'vitest'
import { type OpenApi, renderVocabulary } from '../../../tools/generate/write-vocabulary.ts'

const parameter = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description: 'Minimum score: the base score. Legacy.',
  schema,
  ...more,
})

function render(...parameters: readonly object[]): string {
  const operation = { operationId: 'findThings', 'x-credits': 2, parameters }
  const shared = { Severity: parameter('severity', { enum: ['high'], 'x-labels': { high: 'high' } }) }
  // The cast is safe: the renderer reads no other members.
  return renderVocabulary({
    'x-coverage-gaps': { no_source: 'The service has no source.' },
    'x-source-rules': { kev: 'catalog of CISA' },
    'x-organisations': { palo_alto: 'Palo Alto Networks' },
    'x-scopes': { read: 'Call every endpoint.' },
    paths: { '/things': { get: operation } },
    components: { parameters: shared },
  } as unknown as OpenApi)
}

it('The vocabulary has the price of each call', () => {
  expect(render()).toContain('export const PRICES = {\n  findThings: 2,\n} as const')
})

it('The vocabulary has the sentence for each coverage gap', () => {
  expect(render()).toContain("export const COVERAGE_GAPS = {\n  no_source: 'The service has no source.',\n} as const")
})

it('The vocabulary has the rule by which each value of a record is chosen', () => {
  expect(render()).toContain("export const SOURCE_RULES = {\n  kev: 'catalog of CISA',\n} as const")
})

it('The vocabulary has the common name of each organisation', () => {
  expect(render()).toContain("export const ORGANISATIONS = {\n  palo_alto: 'Palo Alto Networks',\n} as const")
})

it('The vocabulary has the sentence for each scope of a key', () => {
  expect(render()).toContain("export const SCOPES = {\n  read: 'Call every endpoint.',\n} as const")
})

it('The vocabulary has the label, type and bounds of a parameter, and its meaning in one line', () => {
  const text = render(parameter('score_min', { type: 'number', minimum: 0, maximum: 10 }, { 'x-label': 'from' }))

  expect(text).toContain("  score_min: { label: 'from', type: 'number', minimum: 0, maximum: 10 },\n")
  expect(text).toContain("    score_min: 'Minimum score',\n")
})

it("The vocabulary has a parameter's words with their labels, but only words that have one", () => {
  const words = { enum: ['network', 'N'], 'x-labels': { network: "the 'net'" } }

  const text = render(parameter('vector', { type: 'array', items: words, maxItems: 3 }))

  expect(text).toContain("export const VECTOR_WORDS = {\n  network: 'the \\'net\\'',\n} as const")
  expect(text).toContain("  vector: { type: 'word', isList: true, maxItems: 3, words: VECTOR_WORDS },\n")
})

it('The vocabulary shows a word without a label as itself', () => {
  expect(render(parameter('days', { enum: [1, 7] }))).toContain("days: { type: 'word', words: { '1': '1', '7': '7' } }")
})

it('The vocabulary keeps a meaning that explains each word', () => {
  const text = render(parameter('cause', { enum: ['a'] }, { description: 'a: only one. b: all.' }))

  expect(text).toContain("cause: 'a: only one. b: all',")
})

it('The vocabulary follows references to shared parameters, and fails if there is none', () => {
  expect(render({ $ref: '#/components/parameters/Severity' })).toContain('words: SEVERITY_WORDS')
  expect(() => render({ $ref: '#/components/parameters/Absent' })).toThrow('#/components/parameters/Absent')
})
