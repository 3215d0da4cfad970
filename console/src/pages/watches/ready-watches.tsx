// Watches to begin with: shown alone while there are none, and by "New watch".
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { toDisplayName } from '../../text/display-name.ts'
import { READY_WATCHES, type ReadyWatch, toVendorWatch } from './ready.ts'
import { VendorField } from './vendor-field.tsx'

interface ReadyWatchesProps {
  readonly onChoose: (watch: Pick<ReadyWatch, 'name' | 'query' | 'kinds'>) => void
}

export function ReadyWatches({ onChoose }: ReadyWatchesProps) {
  return (
    <ul className="grid gap-3 text-left sm:grid-cols-2">
      {READY_WATCHES.map((watch) => (
        <Card key={watch.id} title={watch.name} note={watch.note}>
          <Button onClick={() => onChoose(watch)}>
            Use<span className="sr-only"> {watch.name}</span>
          </Button>
        </Card>
      ))}
      <Card title="My vendor" note="What is published or happens in products of a vendor">
        <VendorField onChoose={(vendor) => onChoose({ name: toDisplayName(vendor), ...toVendorWatch([vendor]) })} />
      </Card>
      <Card title="Any search" note="Filter the list of CVEs, then press “Watch this search”">
        <Link to="/cves" className={buttonClasses()}>
          Open the list
        </Link>
      </Card>
    </ul>
  )
}

interface CardProps {
  readonly title: string
  readonly note: string
  readonly children: ReactNode
}

function Card({ title, note, children }: CardProps) {
  return (
    <li className="flex flex-col gap-1 rounded-lg border border-line px-3.5 py-3">
      <span className="font-semibold">{title}</span>
      <span className="mb-1.5 flex-1 text-xs text-ink-2">{note}</span>
      <span className="flex min-h-8 items-center">{children}</span>
    </li>
  )
}
