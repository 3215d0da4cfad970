// The dialog that reads states from an OpenVEX document.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ImportedTriage } from 'vis-sdk'
import { client } from '../../../data/client.ts'
import { Button } from '../../../kit/controls/button.tsx'
import { Dialog } from '../../../kit/controls/dialog.tsx'
import { FormError } from '../../../kit/controls/form-error.tsx'
import { formatNumber } from '../../../text/format.ts'

export type VexDocument = Readonly<Record<string, unknown>>

interface ImportDialogProps {
  readonly document: VexDocument
  readonly onClose: () => void
}

/** Reads a document. States that say something else are kept until the person replaces them. */
export function ImportDialog({ document, onClose }: ImportDialogProps) {
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
