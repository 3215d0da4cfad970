// Reads all pages of a list of CVEs.
import type { Api } from '../api.ts'

interface AllPages {
  readonly ids: readonly string[]
  readonly pages: readonly { readonly limit: number; readonly hasMore: boolean; readonly totalEstimate: number }[]
}

const MAX_PAGES = 10_000

/** The parameter `query` may contain a limit, but no cursor (`after`). */
export async function readAllPages(api: Api, path: string, query: string): Promise<AllPages> {
  const [ids, pages]: [string[], AllPages['pages'][number][]] = [[], []]
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { status, json } = await api.get(`${path}?${query}&after=${after}`)
    if (status !== 200) throw new Error(`${status} ${json.error?.message} for ${query}`)
    ids.push(...listCveIds(json.data))
    pages.push(json.data.pagination)
    if (pages.length > MAX_PAGES)
      throw new Error(`${query} has more than ${MAX_PAGES} pages: the cursors may form a loop.`)
    after = json.data.pagination.nextCursor
  }
  return { ids, pages }
}

export function listCveIds(data: { readonly cves: readonly { readonly cve_id: string }[] }): readonly string[] {
  return data.cves.map(({ cve_id }) => cve_id)
}
