// The preview of a CVE: beside the list on a wide window, over it on a narrow one. A phone has none.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { cveQuery } from '../../../data/cve-query.ts'
import { buttonClasses } from '../../../kit/controls/button.tsx'
import { useSettled } from '../../../kit/use-settled.ts'
import { classNames } from '../../../text/class-names.ts'
import type { Row } from '../row.ts'
import { PeekBody, PeekHead } from './content.tsx'

/** Loaded with the first preview. */
const VerdictCard = lazy(async () => ({
  default: (await import('../../../kit/verdict/verdict-card.tsx')).VerdictCard,
}))

interface PeekDrawerProps {
  readonly row: Row
  readonly onClose: () => void
  /** Where the row is in the list: `2 of 21`. */
  readonly position: string
  /** The state of the CVE and buttons that change it. */
  readonly triage?: ReactNode
}

/** Time without another row after which the record is read. Whoever moves on before reads nothing. */
const SETTLE_MS = 300

export function PeekDrawer({ row, onClose, position, triage }: PeekDrawerProps) {
  const settled = useSettled(row.cve_id, SETTLE_MS)
  const { data, error } = useQuery({ ...cveQuery(row.cve_id), enabled: settled === row.cve_id })
  const record = data?.cve_id === row.cve_id ? data : undefined
  return (
    <aside
      aria-label={`Preview of ${row.cve_id}`}
      className="hidden border-line bg-panel max-[1379px]:fixed max-[1379px]:inset-y-0 max-[1379px]:right-0 max-[1379px]:z-30 max-[1379px]:w-[26.5rem] max-[1379px]:border-l max-[1379px]:shadow-2xl md:flex md:flex-col min-[1380px]:sticky min-[1380px]:top-16 min-[1380px]:max-h-[calc(100dvh-5rem)] min-[1380px]:rounded-xl min-[1380px]:border"
    >
      <div className="flex items-center gap-2 border-b border-line px-3.5 py-2">
        <span className="text-xs text-ink-3">{position}</span>
        <Link to="/cves/$cveId" params={{ cveId: row.cve_id }} className={classNames(buttonClasses(), 'ml-auto')}>
          Open <span className="sr-only">{row.cve_id}</span> <Key>o</Key>
        </Link>
        <button
          type="button"
          aria-label="Close the preview"
          onClick={onClose}
          className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-soft"
        >
          <X aria-hidden size={16} />
        </button>
      </div>
      <div className="min-h-0 flex-1 space-y-3.5 overflow-y-auto p-3.5">
        <Suspense fallback={<PeekHead row={row} />}>
          {record ? <VerdictCard cve={record} isCompact /> : <PeekHead row={row} />}
          {/* The verdict is higher than the head, so what stands below comes with it. */}
          {(record || error) && <PeekBody row={row}>{triage}</PeekBody>}
        </Suspense>
      </div>
    </aside>
  )
}

function Key({ children }: { readonly children: string }) {
  return (
    <kbd aria-hidden className="rounded border border-line px-1 font-mono text-2xs text-ink-3">
      {children}
    </kbd>
  )
}
