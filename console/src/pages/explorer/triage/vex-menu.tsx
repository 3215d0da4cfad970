// The account's states as an OpenVEX document, out and in.
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import { client } from '../../../data/client.ts'
import { FormError } from '../../../kit/controls/form-error.tsx'
import { Menu, MenuItem } from '../../../kit/controls/menu.tsx'
import { download } from '../../../kit/download.ts'
import { formatNumber } from '../../../text/format.ts'
import type { VexDocument } from './import-dialog.tsx'

/** Loaded with the first document. */
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

interface VexMenuProps {
  /** Viewers save the states and cannot change them. */
  readonly canImport: boolean
}

export function VexMenu({ canImport }: VexMenuProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  const [document, setDocument] = useState<VexDocument>()
  const [problem, setProblem] = useState('')
  const save = useMutation({
    mutationFn: () => client.exportTriage(),
    gcTime: 0,
    onSuccess: (exported) => {
      download('states.openvex.json', `${JSON.stringify(exported.document, null, 2)}\n`, 'json')
      const { not_expressed_total: missing } = exported
      setProblem(
        missing === 0 ? '' : `OpenVEX has no member for a part of ${formatNumber(missing)} states, such as their end.`,
      )
    },
  })
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    const text = await file?.text()
    target.value = ''
    if (text === undefined) return
    const read = parseDocument(text)
    setProblem(read ? '' : `${file?.name} is not an OpenVEX document in JSON.`)
    setDocument(read)
  }
  return (
    <>
      <Menu label="OpenVEX" trigger="OpenVEX">
        <MenuItem onSelect={() => save.mutate()}>Save all states as OpenVEX</MenuItem>
        {canImport && <MenuItem onSelect={() => inputRef.current?.click()}>Read states from OpenVEX</MenuItem>}
      </Menu>
      {canImport && (
        <input
          ref={inputRef}
          type="file"
          accept=".json,application/json"
          aria-label="OpenVEX document"
          onChange={(event) => void choose(event)}
          className="hidden"
        />
      )}
      {(problem !== '' || save.error) && (
        <div role="status" className="w-full text-sm text-ink-2">
          {problem}
          <FormError error={save.error} />
        </div>
      )}
      {document && (
        <Suspense>
          <ImportDialog document={document} onClose={() => setDocument(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function parseDocument(text: string): VexDocument | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined
  } catch {
    return undefined
  }
}
