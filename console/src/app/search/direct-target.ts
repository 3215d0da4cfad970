// What a typed text opens at once, when Enter is pressed.
import type { NavigateOptions } from '@tanstack/react-router'
import { isAlias } from '../../text/alias.ts'
import { parseCveIds } from '../../text/cve-id.ts'
import { type PlainSearch, replaceWords } from '../search-string.ts'

interface DirectTarget {
  readonly label: string
  readonly address: Pick<NavigateOptions, 'to' | 'params' | 'search'>
}

/** `current` is the query string of the list if it is shown: its filters stay when the words change. */
export function findDirectTarget(text: string, current: PlainSearch): DirectTarget {
  const ids = parseCveIds(text)
  const [cveId] = ids
  if (cveId && ids.length === 1) return { label: `Open ${cveId}`, address: { to: '/cves/$cveId', params: { cveId } } }
  if (cveId) {
    return { label: `List these ${ids.length} CVEs`, address: { to: '/cves', search: { ids: ids.join(',') } } }
  }
  if (isAlias(text))
    return { label: `Find the CVEs of ${text}`, address: { to: '/alias/$alias', params: { alias: text } } }
  const address = { to: '/cves', search: replaceWords(current, text) }
  return { label: text === '' ? 'List all CVEs' : `Search CVEs for “${text}”`, address }
}
