// The cell with the name of a CVE and a summary in one line, and the whole row as a card on a phone.
import { CveLink } from '../../../kit/cve-link.tsx'
import { listExploitation } from '../exploitation.ts'
import { listProducts } from '../products.ts'
import type { Row } from '../row.ts'
import { Age, Exploitation, Fix, LevelCell } from './cells.tsx'
import { Epss } from './epss-cell.tsx'
import { describeCve } from './name.ts'

interface NameCellProps {
  readonly row: Row
  /** Whether the line below the name also names the product, because there is no column for it. */
  readonly hasProduct: boolean
  /** Whether a click anywhere in the cell opens the CVE. With an open preview, it shows the CVE there instead. */
  readonly opensOnClick: boolean
}

export function NameCell({ row, hasProduct, opensOnClick }: NameCellProps) {
  const { title, summary } = describeCve(row)
  const product = hasProduct ? listProducts(row)[0] : undefined
  const line = [row.cve_id, product, summary].filter(Boolean).join(' · ')
  return (
    <>
      <span title={title} className="block truncate font-semibold">
        {title}
      </span>
      <span title={line} className="block truncate text-xs text-ink-3">
        <CveLink id={row.cve_id} isRowLink coversParent={opensOnClick} />
        {product !== undefined && ` · ${product}`}
        {summary !== '' && ` · ${summary}`}
      </span>
    </>
  )
}

export function CardCell({ row }: { readonly row: Row }) {
  const { title } = describeCve(row)
  const [product] = listProducts(row)
  const hasExploitation = listExploitation(row).length > 0
  return (
    <td className="relative px-3 py-2">
      <span className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5 gap-y-1">
        <LevelCell row={row} />
        <span className="min-w-0">
          <span title={title} className="line-clamp-2 font-semibold break-words">
            {title}
          </span>
          <span className="block text-xs break-words text-ink-3">
            <CveLink id={row.cve_id} isRowLink coversParent />
            {product !== undefined && ` · ${product}`}
          </span>
        </span>
        <Age row={row} />
        <span className="col-start-2 col-end-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
          {hasExploitation && <Exploitation row={row} />}
          <span className="flex items-center gap-1 whitespace-nowrap">
            <span className="text-ink-3">EPSS</span> <Epss score={row.epss?.score} />
          </span>
          <span className="flex items-center gap-1 whitespace-nowrap">
            <span className="text-ink-3">Fix</span> <Fix row={row} />
          </span>
        </span>
      </span>
    </td>
  )
}
