// One line above the results that offers filters for words which name them.
import { Link } from '@tanstack/react-router'
import { useNow } from '../../kit/now.ts'
import { findSearchHint } from './search-hint.ts'
import { type ExplorerState, toSearch } from './state.ts'

export function SearchHintLine({ state }: { readonly state: ExplorerState }) {
  const hint = findSearchHint(state, useNow().getUTCFullYear())
  if (!hint) return null
  return (
    <p className="text-sm text-ink-2">
      The list shows texts that contain all the words.{' '}
      <Link to="/cves" search={toSearch(hint.state)} className="text-accent underline underline-offset-2">
        {`Search ${hint.words} with the filters: ${hint.filters.join(', ')}`}
      </Link>
    </p>
  )
}
