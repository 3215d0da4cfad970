// The id under which the service counts the reads of a page as one. Each navigation begins a new page.
import { createPageId, getStart } from './start.ts'

let page: { readonly path: string; readonly id: string } | undefined

export function getPageId(): string {
  const { pathname } = location
  // The first page's first reads have the id of the start script.
  if (page?.path !== pathname) page = { path: pathname, id: (page ? undefined : getStart()?.pageId) ?? createPageId() }
  return page.id
}
