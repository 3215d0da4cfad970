// What keys do in the list: they act on the current row.
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useKeys } from '../../../kit/keys.ts'
import type { Row } from '../row.ts'
import type { RowFocus } from './table.tsx'
import type { Selection } from './use-selection.ts'

interface ListKeysOptions {
  readonly rows: readonly Row[]
  /** Position of the current row; -1 if there is none. */
  readonly index: number
  readonly isPreviewOpen: boolean
  readonly setPreview: (isOpen: boolean) => void
  readonly selection: Selection
  /** Sets the state of the chosen rows, or of the current one. Undefined if the person may not. */
  readonly onState: (() => void) | undefined
  readonly focusRef: RefObject<RowFocus | null>
}

export function useListKeys(options: ListKeysOptions): void {
  const { rows, index, isPreviewOpen, setPreview, selection, onState, focusRef } = options
  const navigate = useNavigate()
  const id = rows[index]?.cve_id
  const open = () => id !== undefined && void navigate({ to: '/cves/$cveId', params: { cveId: id } })
  useKeys('List', [
    { keys: 'j', label: 'Go to the next CVE', run: () => focusRef.current?.focusRow(index + 1) },
    { keys: 'k', label: 'Go to the previous CVE', run: () => focusRef.current?.focusRow(index - 1) },
    { keys: 'Space', label: 'Show or close the preview', run: () => setPreview(!isPreviewOpen) },
    { keys: 'o', label: 'Open the CVE', run: open },
    { keys: 'Enter', label: 'Open the CVE', run: open },
    { keys: 'x', label: 'Choose the CVE', run: () => id !== undefined && selection.toggle(id) },
    { keys: 'X', label: 'Choose all CVEs up to this one', run: () => id !== undefined && selection.extendTo(id) },
    ...(onState ? [{ keys: 's', label: 'Set the state', run: () => hasTarget(selection, id) && onState() }] : []),
    {
      keys: 'Escape',
      label: 'Close the preview, then clear the choice',
      run: () => (isPreviewOpen ? setPreview(false) : selection.clear()),
    },
  ])
}

function hasTarget({ ids }: Selection, id: string | undefined): boolean {
  return id !== undefined || ids.size > 0
}
