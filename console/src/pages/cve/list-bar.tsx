// Where the CVE is in the list from which it was opened, with the way to its neighbours (keys j and k).
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { findListPosition } from '../../data/list-position.ts'
import { useKeys } from '../../kit/keys.ts'
import { formatNumber } from '../../text/format.ts'

/** Shown only if the CVE is in the list that was shown last. */
export function ListBar({ id }: { readonly id: string }) {
  const position = useMemo(() => findListPosition(id), [id])
  const navigate = useNavigate()
  const open = (cveId: string | undefined) => {
    if (cveId !== undefined) void navigate({ to: '/cves/$cveId', params: { cveId } })
  }
  useKeys('CVE', [
    { keys: 'j', label: 'Next CVE of the list', run: () => open(position?.next) },
    { keys: 'k', label: 'CVE before in the list', run: () => open(position?.previous) },
  ])
  if (position === undefined) return null
  const { title, path, position: at, total, previous, next } = position
  return (
    <nav aria-label="List" className="flex flex-wrap items-center gap-2 text-xs text-ink-2 print:hidden">
      <Link to={path} className="min-w-0 rounded text-accent [overflow-wrap:anywhere] hover:underline">
        {title}
      </Link>
      <span>
        {formatNumber(at)}
        {total !== undefined && ` of ${formatNumber(total)}`}
      </span>
      <Neighbour id={previous} label="Previous" />
      <Neighbour id={next} label="Next" />
      <span aria-hidden className="max-sm:hidden">
        <kbd className={KEY}>k</kbd> <kbd className={KEY}>j</kbd>
      </span>
    </nav>
  )
}

const KEY = 'rounded border border-b-2 border-line bg-panel px-1.5 font-mono text-2xs text-ink-2'

const ICONS = { Previous: ChevronLeft, Next: ChevronRight } as const

function Neighbour({ id, label }: { readonly id: string | undefined; readonly label: keyof typeof ICONS }) {
  const Icon = ICONS[label]
  if (id === undefined) return null
  return (
    <Link
      to="/cves/$cveId"
      params={{ cveId: id }}
      title={`${label}: ${id}`}
      className="inline-flex size-6 items-center justify-center rounded-md border border-line bg-panel text-ink-2 hover:bg-soft hover:text-ink"
    >
      <Icon aria-hidden size={14} />
      <span className="sr-only">{`${label}: ${id}`}</span>
    </Link>
  )
}
