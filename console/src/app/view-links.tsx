// The views in the navigation, and as commands of the search field.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ListFilter, Users } from 'lucide-react'
import { viewsQuery } from '../data/views.ts'
import { useCommands } from '../kit/commands.ts'
import { sortViews } from '../text/views.ts'
import { isBell } from '../text/watch/bell.ts'

interface ViewLinksProps {
  readonly className: string
  readonly onNavigate: (() => void) | undefined
}

export function ViewLinks({ className, onNavigate }: ViewLinksProps) {
  const { data } = useQuery(viewsQuery)
  const { view: current } = useSearch({ strict: false })
  const views = sortViews(data?.views ?? []).filter((view) => !isBell(view))
  if (views.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
    <div role="group" aria-label="Views" className="flex flex-col gap-px">
      <p aria-hidden className="px-2 pt-4 pb-1 text-xs text-ink-3">
        Views
      </p>
      {views.map(({ id, name, note, shared, built_in }) => {
        const Icon = shared && !built_in ? Users : ListFilter
        return (
          <Link
            key={id}
            to="/cves"
            search={{ view: id }}
            title={note ?? name}
            className={className}
            activeProps={{}}
            {...(id === current ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
            {...(onNavigate ? { onClick: onNavigate } : {})}
          >
            <Icon aria-hidden size={16} className="shrink-0" />{' '}
            <span title={note === null ? name : `${name}: ${note}`} className="min-w-0 truncate">
              {name}
            </span>
          </Link>
        )
      })}
    </div>
  )
}

/** Offers the views in the search field. */
export function useViewCommands(isSignedIn: boolean): void {
  const { data } = useQuery({ ...viewsQuery, enabled: isSignedIn })
  const navigate = useNavigate()
  useCommands(
    'Views',
    sortViews(data?.views ?? [])
      .filter((view) => !isBell(view))
      .map(({ id, name, note }) => ({
        id,
        label: name,
        words: note ?? '',
        run: () => void navigate({ to: '/cves', search: { view: id } }),
      })),
  )
}
