// The query of a watch in a request: filters as an object, or as a query string.
import { Type } from 'typebox'
import { type BodyField, isObject } from '../../contract/request/body.ts'
import { createIssue, type Reading, type ValidationIssue } from '../../contract/request/validation-issue.ts'
import { FILTER_ENTRIES } from '../../search/filters/table.ts'
import { MAX_QUERY_LENGTH, readViewQuery } from '../../search/views/view-query.ts'
import { findRefusedFilters, REFUSED_FILTERS } from '../../search/watch/refused-filters.ts'

const FORM =
  'an object with filters of GET /api/v1/cves, such as {"priority": ["P0", "P1"]}, or the same as a query string'

const valueSchema = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String(), Type.Number()]), { maxItems: 100 }),
])

const listRefused = () =>
  Object.entries(REFUSED_FILTERS)
    .map(([name, { reason, instead }]) => `${name} (${reason}; use ${instead})`)
    .join('; ')

const filtersSchema = () =>
  Type.Object(
    Object.fromEntries(
      [...FILTER_ENTRIES.map(([name]) => name).filter((name) => !Object.hasOwn(REFUSED_FILTERS, name)), 'sort'].map(
        (name) => [name, Type.Optional(valueSchema)],
      ),
    ),
    {
      additionalProperties: false,
      description: 'Filters by name. A list is an array, or one text with commas.',
    },
  )

/** Issues name the filters as in `query.severity_min`, with the messages of GET /api/v1/cves. */
export const watchQueryField: BodyField<string | undefined> = {
  schema: Type.Union([filtersSchema(), Type.String({ maxLength: MAX_QUERY_LENGTH })], {
    description: `What is watched: filters of GET /api/v1/cves, as an object or as a query string, without fields, include, limit and after. A day can be relative to the day of the change (UTC): today, or today-7d. A watch refuses ${listRefused()}.`,
    examples: [{ product_vendor: ['fortinet', 'citrix'], priority: ['P0', 'P1', 'P2'] }],
  }),
  isRequired: false,
  read: (name, sent) => {
    if (sent === undefined) return { value: undefined }
    const text = toQueryString(name, sent)
    if ('issues' in text) return text
    // The day matters only for the order of the ends of a range.
    const reading = readViewQuery(text.value, new Date(), 'a watch')
    const issues = [...('issues' in reading ? reading.issues : []), ...findRefusedFilters(text.value)]
    if (issues.length === 0 && 'value' in reading) return reading
    return { issues: issues.map((issue) => nameByPath(name, issue)) }
  },
}

function nameByPath(name: string, issue: ValidationIssue): ValidationIssue {
  const { parameter, subject } = issue
  if (parameter === '') return { ...issue, parameter: name }
  return {
    ...issue,
    parameter: `${name}.${parameter}`,
    ...(subject !== undefined && { subject: subject.replace(parameter, `${name}.${parameter}`) }),
  }
}

const MAX_FILTERS = 100

function toQueryString(name: string, sent: unknown): Reading<string> {
  const wrong = { issues: [createIssue(name, sent, FORM)] }
  if (typeof sent === 'string') return sent.length > MAX_QUERY_LENGTH * 3 ? wrong : { value: sent.replace(/^\?/, '') }
  if (!isObject(sent)) return wrong
  const entries = Object.entries(sent).filter(([, value]) => value !== null)
  if (entries.length > MAX_FILTERS) return wrong
  const issues: ValidationIssue[] = []
  const pairs = entries.flatMap(([filter, value]) => {
    const texts = toTexts(value)
    if (texts === undefined)
      issues.push(
        createIssue(`${name}.${filter.slice(0, 64)}`, value, 'a text, a number, true or false, or an array of texts'),
      )
    return (texts ?? []).map((text) => `${encode(filter)}=${encode(text)}`)
  })
  return issues.length > 0 ? { issues } : { value: pairs.join('&') }
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function toTexts(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) {
    const texts = value.flatMap((item) => toText(item) ?? [])
    return texts.length === value.length ? texts : undefined
  }
  const text = toText(value)
  return text === undefined ? undefined : [text]
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
