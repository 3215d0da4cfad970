// The query string of the console: plain parameters as in the API, `?severity=critical,high`, instead of JSON.

export type PlainSearch = Readonly<Record<string, string>>

/** Reads a query string. If a parameter is repeated, the last value counts. */
export function parseSearch(text: string): PlainSearch {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Formats a query string with a leading `?`, or returns an empty string. Commas stay readable. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`
}

/** Returns the query string for a new text search. It keeps the filters, but not a list of ids. */
export function replaceWords(search: PlainSearch, q: string): PlainSearch {
  const { ids: _, ...filters } = search
  return { ...filters, q }
}
