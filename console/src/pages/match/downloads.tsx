// Saves the result of a check. CSV and JSON are created in the browser; OpenVEX needs another call.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { isVisError } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { Menu, MenuItem } from '../../kit/controls/menu.tsx'
import { download } from '../../kit/download.ts'
import { toCsv, toPlanCsv } from './csv.ts'
import { toDocument } from './subject.ts'
import type { Outcome } from './use-check.ts'

export function Downloads({ outcome: { answer, subject, options } }: { readonly outcome: Outcome }) {
  const vex = useMutation({
    mutationFn: async (document: object) =>
      (await client.scanSbom(document, { ...options, format: 'openvex' })).document,
    gcTime: 0,
    onSuccess: (document) => download('affected.openvex.json', toJson(document), 'json'),
  })
  const saveVex = () => {
    const document = toDocument(subject)
    if (document) vex.mutate(document)
  }
  const hasVex = toDocument(subject) !== undefined
  return (
    <>
      <p role="status" className="self-center text-sm text-ink-2 empty:hidden">
        {vex.isPending && 'Creating OpenVEX'}
        {vex.error && `OpenVEX was not saved. ${isVisError(vex.error) ? vex.error.message : ''}`}
      </p>
      <Menu
        label="Download"
        heading={hasVex ? undefined : 'OpenVEX needs package URLs or CPE names in all lines.'}
        trigger={
          <>
            <Download aria-hidden size={14} /> Download
          </>
        }
      >
        <MenuItem onSelect={() => download('affected.csv', toCsv(answer), 'csv')}>CSV</MenuItem>
        {answer.fix_plan.length > 0 && (
          <MenuItem onSelect={() => download('fix-plan.csv', toPlanCsv(answer), 'csv')}>Fix plan as CSV</MenuItem>
        )}
        <MenuItem onSelect={() => download('affected.json', toJson(answer), 'json')}>JSON</MenuItem>
        {hasVex && <MenuItem onSelect={saveVex}>OpenVEX</MenuItem>}
      </Menu>
    </>
  )
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
