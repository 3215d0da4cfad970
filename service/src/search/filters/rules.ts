// Rules for filters that their parameter's type does not express; most involve a second parameter.
import type { Rule } from '../../contract/endpoint.ts'
import type { Filter, List } from '../filter.ts'
import { FILTER_ENTRIES } from './table.ts'

type Query = Readonly<Record<string, unknown>>
type QueryRule = Rule<{ readonly query: Query }>

/** Returns the rules for the filters that a list offers. */
export function filterRules(list: List): readonly QueryRule[] {
  const entries = FILTER_ENTRIES.filter(([, { lists }]) => lists.includes(list))
  return entries.flatMap(([name, filter]) => [
    ...requireOrder(name, filter),
    ...requireAddOn(name, filter),
    ...rejectMistakes(name, filter),
    ...rejectOther(name, filter),
  ])
}

function rejectMistakes(name: string, { findMistake }: Filter<unknown>): readonly QueryRule[] {
  if (!findMistake) return []
  const check = ({ query: { [name]: value } }: { readonly query: Query }) =>
    value === undefined ? undefined : findMistake(value)
  return [{ parameters: [name], check }]
}

function requireOrder(name: string, { upperEnd }: Filter<unknown>): readonly QueryRule[] {
  if (!upperEnd) return []
  const { filter: other, message } = upperEnd
  const isExceeded = ({ [name]: from, [other]: to }: Query) =>
    from !== undefined && to !== undefined && upperEnd.isExceeded(from, to)
  return [{ parameters: [name, other], check: ({ query }) => (isExceeded(query) ? message : undefined) }]
}

function requireAddOn(name: string, { needs }: Filter<unknown>): readonly QueryRule[] {
  if (needs === undefined) return []
  const hasAddOn = ({ include }: Query) => Array.isArray(include) && include.includes(needs)
  return [
    {
      parameters: [name, 'include'],
      check: ({ query }) => (query[name] === undefined || hasAddOn(query) ? undefined : `requires include=${needs}`),
    },
  ]
}

function rejectOther(name: string, { excludes: other }: Filter<unknown>): readonly QueryRule[] {
  if (other === undefined) return []
  const check = ({ query }: { readonly query: Query }) =>
    query[name] === undefined || query[other] === undefined ? undefined : `must not be sent together with ${other}`
  return [{ parameters: [name, other], check }]
}
