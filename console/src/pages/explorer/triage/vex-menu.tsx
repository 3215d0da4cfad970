// The account's states as an OpenVEX document, out and in.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import type { ImportedTriage } from 'vis-sdk'
import { client } from '../../../data/client.ts'
import { Button } from '../../../kit/controls/button.tsx'
import { Dialog } from '../../../kit/controls/dialog.tsx'
import { FormError } from '../../../kit/controls/form-error.tsx'
import { Menu, MenuItem } from '../../../kit/controls/menu.tsx'
import { download } from '../../../kit/download.ts'
import { formatNumber } from '../../../text/format.ts'

type VexDocument = Readonly<Record<string, unknown>>

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
      {document && <ImportDialog document={document} onClose={() => setDocument(undefined)} />}
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

interface ImportDialogProps {
  readonly document: VexDocument
  readonly onClose: () => void
}

/** Reads a document. States that say something else are kept until the person replaces them. */
function ImportDialog({ document, onClose }: ImportDialogProps) {
  const queryClient = useQueryClient()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (replace: boolean) => client.importTriage(document, { replace }),
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['triage'] }),
  })
  const count = Array.isArray(document['statements']) ? document['statements'].length : 0
  return (
    <Dialog
      title="Read states from OpenVEX"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      {data ? (
        <Imported result={data} />
      ) : (
        <p className="text-sm text-ink-2">
          {`The document has ${formatNumber(count)} ${count === 1 ? 'statement' : 'statements'}. States that your account has already are kept.`}
        </p>
      )}
      <FormError error={error} />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{data ? 'Close' : 'Cancel'}</Button>
        {data === undefined && (
          <Button variant="primary" disabled={isPending} onClick={() => mutate(false)}>
            Read
          </Button>
        )}
        {data !== undefined && data.differing_total > 0 && (
          <Button variant="danger" disabled={isPending} onClick={() => mutate(true)}>
            {`Replace ${formatNumber(data.differing_total)}`}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function Imported({ result }: { readonly result: ImportedTriage }) {
  const lines = [
    [result.created_total, 'new'],
    [result.replaced_total, 'replaced'],
    [result.unchanged_total, 'unchanged'],
    [result.differing_total, 'kept, because they say something else here'],
    [result.problems_total, 'not read'],
  ] as const
  return (
    <div role="status" className="space-y-2 text-sm">
      <ul>
        {lines
          .filter(([count]) => count > 0)
          .map(([count, words]) => (
            <li key={words}>
              <span className="font-semibold">{formatNumber(count)}</span> {words}
            </li>
          ))}
      </ul>
      <ul className="space-y-1 text-xs text-ink-2">
        {result.problems.map((problem) => (
          <li key={JSON.stringify(problem)} className="break-words">
            {describeProblem(problem)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function describeProblem({ index, why }: ImportedTriage['problems'][number]): string {
  return `Statement ${index + 1}: ${why}`
}
