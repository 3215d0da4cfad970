// The controls above the list: order, columns, CSV.
import { Columns3, Download } from 'lucide-react'
import { useId } from 'react'
import type { Sort } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { Menu, MenuCheckbox, MenuItem } from '../../kit/controls/menu.tsx'
import { download, downloadFrom } from '../../kit/download.ts'
import { capitalise, formatCredits, formatNumber } from '../../text/format.ts'
import { COLUMN_IDS, COLUMNS, type ColumnId, DEFAULT_COLUMNS } from './columns.ts'
import { toCsv } from './csv.ts'
import type { FilterProps } from './filter-controls.tsx'
import { formatQueryString } from './query-texts.ts'
import { toFilters } from './request.ts'
import type { Row } from './row.ts'
import { CHOSEN_SORT_WORDS, type ExplorerState, getSort, isSort } from './state.ts'
import { describeTotal, type Total } from './total.ts'

interface CsvMenuProps {
  readonly state: ExplorerState
  readonly rows: readonly Row[]
  readonly total: Total | undefined
}

/** Number of CVEs for which the export costs its price once, and the most that it accepts. */
const ROWS_PER_PRICE = 100
const MAX_EXPORTED = 100_000

/** The loaded rows are saved by the browser. All rows come from the service, which charges for them. */
export function CsvMenu({ state, rows, total }: CsvMenuProps) {
  // Nobody should pay for the rows that the browser has.
  const isAllLoaded = total?.isExact === true && rows.length >= total.count
  const isTooLarge = total !== undefined && total.count > MAX_EXPORTED
  const saveAll = () => {
    const query = formatQueryString({ ...toFilters(state), sort: getSort(state) })
    downloadFrom('cves.csv', `/console/api/v1/cves/export?${query}`)
  }
  return (
    <Menu
      label="CSV"
      heading={isTooLarge && `An export has at most ${formatNumber(MAX_EXPORTED)} rows. Add filters to save all rows.`}
      trigger={
        <>
          <Download aria-hidden size={14} /> CSV
        </>
      }
    >
      <MenuItem onSelect={() => download('cves.csv', toCsv(rows), 'csv')}>
        {`${isAllLoaded ? 'All' : 'The'} ${formatNumber(rows.length)} ${isAllLoaded ? '' : 'loaded '}rows, free`}
      </MenuItem>
      {total !== undefined && !isTooLarge && !isAllLoaded && (
        <MenuItem onSelect={saveAll}>{`All ${describeTotal(total)} rows, ${describePrice(total)}`}</MenuItem>
      )}
    </Menu>
  )
}

function describePrice({ count, isExact }: Total): string {
  const credits = Math.max(1, Math.ceil(count / ROWS_PER_PRICE)) * PRICES.exportCves
  return `${isExact ? '' : 'about '}${formatCredits(credits)}`
}

export function ListControls({ hasColumns, ...props }: FilterProps & { readonly hasColumns: boolean }) {
  return (
    <>
      <SortSelect {...props} />
      {hasColumns && <ColumnMenu {...props} />}
    </>
  )
}

function SortSelect({ state, setState }: FilterProps) {
  const id = useId()
  const hasWords = state.filters.q !== undefined
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className="sr-only">
        Order
      </label>
      <select
        id={id}
        value={getSort(state)}
        onChange={({ target: { value } }) => setState({ ...state, sort: isSort(value) ? value : undefined })}
        className="h-8 rounded-md border border-line bg-panel px-2 text-sm max-sm:h-9 max-sm:w-40"
      >
        {hasWords && <option value={'relevance' satisfies Sort}>Relevance</option>}
        {Object.entries(CHOSEN_SORT_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {capitalise(words)}
          </option>
        ))}
      </select>
    </span>
  )
}

function ColumnMenu({ state, setState }: FilterProps) {
  const change = (columns: readonly ColumnId[]) => setState({ ...state, columns }, { keepsScroll: true })
  const toggle = (id: ColumnId, isOn: boolean) =>
    change(COLUMN_IDS.filter((each) => (each === id ? isOn : state.columns.includes(each))))
  return (
    <Menu
      label="Columns"
      trigger={
        <>
          <Columns3 aria-hidden size={14} /> Columns
        </>
      }
    >
      {COLUMN_IDS.map((id) => (
        <MenuCheckbox key={id} isChecked={state.columns.includes(id)} onChange={(isOn) => toggle(id, isOn)}>
          {COLUMNS[id].label}
        </MenuCheckbox>
      ))}
      <MenuItem onSelect={() => change(DEFAULT_COLUMNS)}>Reset columns</MenuItem>
    </Menu>
  )
}
