// The actions above the list: order, columns, CSV.
import { Columns3, Download } from 'lucide-react'
import { useId } from 'react'
import type { Sort } from 'vis-sdk'
import { Button } from '../../kit/controls/button.tsx'
import { Menu, MenuCheckbox, MenuItem } from '../../kit/controls/menu.tsx'
import { download } from '../../kit/download.ts'
import { COLUMN_IDS, COLUMNS, type ColumnId, DEFAULT_COLUMNS, type Row } from './columns.ts'
import { toCsv } from './csv.ts'
import type { FacetProps } from './facets/facet-group.tsx'
import type { FilterProps } from './filter-controls.tsx'
import { FilterDialog } from './filter-panel.tsx'
import { CHOSEN_SORT_WORDS, getSort, isSort } from './state.ts'

type ListActionsProps = FacetProps & { readonly rows: readonly Row[]; readonly hasColumns: boolean }

export function ListActions({ state, setState, facets, rows, hasColumns }: ListActionsProps) {
  return (
    <>
      <SortSelect state={state} setState={setState} />
      <FilterDialog state={state} setState={setState} facets={facets} />
      {hasColumns && <ColumnMenu state={state} setState={setState} />}
      <Button
        onClick={() => download('cves.csv', toCsv(rows), 'csv')}
        disabled={rows.length === 0}
        title="Save the loaded rows as CSV"
      >
        <Download aria-hidden size={14} /> CSV
      </Button>
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
        className="h-8 rounded-md border border-line bg-panel px-2 text-sm max-sm:w-40"
      >
        {hasWords && <option value={'relevance' satisfies Sort}>Relevance</option>}
        {Object.entries(CHOSEN_SORT_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
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
