// Walks through the pages of a list of CVEs.
import type { Api } from '../api.ts'

interface Listed {
  readonly ids: readonly string[]
  readonly pages: readonly { readonly limit: number; readonly hasMore: boolean; readonly totalEstimate: number }[]
}

const MAX_PAGES = 10_000

/** `query` without `after`, and with a `limit` if the default will not do. */
export async function walkPages(api: Api, path: string, query: string): Promise<Listed> {
  const [ids, pages]: [string[], Listed['pages'][number][]] = [[], []]
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { status, json } = await api.get(`${path}?${query}&after=${after}`)
    if (status !== 200) throw new Error(`${status} ${json.error?.message} for ${query}`)
    ids.push(...idsOf(json.data))
    pages.push(json.data.pagination)
    if (pages.length > MAX_PAGES) throw new Error(`${query} goes round in circles`)
    after = json.data.pagination.nextCursor
  }
  return { ids, pages }
}

export function idsOf(data: { readonly cves: readonly { readonly cve_id: string }[] }): readonly string[] {
  return data.cves.map(({ cve_id }) => cve_id)
}
