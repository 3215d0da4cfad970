// Finds a saved search by its id or name, for `visctl search --view` and `visctl views`.
import type { Client, SearchFilters, View, ViewList } from 'vis-sdk'
import { UsageError } from '../command.ts'

export const WITHOUT_SCOPE = 'This key lacks the scope watch, so it sees only the built-in views.'

/** A name can belong to an own and to a shared view: the own one comes first. */
export async function findView(client: Client, wanted: string): Promise<View> {
  const list = await client.views()
  const name = wanted.toLowerCase()
  const named = list.views.filter((view) => view.name.toLowerCase() === name)
  const found =
    list.views.find(({ id }) => id === wanted) ??
    named.find(({ own, shared }) => own && !shared) ??
    named.find(({ built_in }) => !built_in) ??
    named[0]
  if (found) return found
  throw new UsageError(`There is no view ${JSON.stringify(wanted)}.`, advise(list))
}

function advise({ views, rights }: ViewList): string {
  const known = `Known are: ${views.map(({ name }) => name).join('; ')}.`
  return rights.reads_saved ? known : `${known} ${WITHOUT_SCOPE}`
}

/** A repeated parameter has several names, each of which may contain commas. */
export function toFilters({ search }: View): SearchFilters {
  const parameters = new URLSearchParams(search)
  const values = [...new Set(parameters.keys())].map((name) => {
    const all = parameters.getAll(name)
    return [name, name === 'include' ? all.flatMap((text) => text.split(',')) : all.length > 1 ? all : all[0]]
  })
  // The service wrote the query string with the parameters of its own search.
  return Object.fromEntries(values) as SearchFilters
}
