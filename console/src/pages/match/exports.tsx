// Saves the result of a check. Most files are created in the browser; a VEX document needs another call.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { isVisError } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { CopyButton } from '../../kit/controls/copy-button.tsx'
import { Menu, MenuItem } from '../../kit/controls/menu.tsx'
import { download } from '../../kit/download.ts'
import { toCsv, toPlanCsv } from './csv.ts'
import { toMarkdown } from './plan/markdown.ts'
import { nameSubject, toDocument } from './subject.ts'
import type { Outcome } from './use-check.ts'

interface Export {
  readonly label: string
  readonly note: string
  readonly run: () => void
}

interface Exports {
  readonly list: readonly Export[]
  /** The state of a file that the service creates. */
  readonly status: string
  readonly hasVex: boolean
}

export function useExports({ answer, subject, options }: Outcome): Exports {
  const vex = useMutation({
    mutationFn: async ({ document, format }: { document: object; format: VexFormat }) => ({
      format,
      document: (await client.scanSbom(document, { ...options, format })).document,
    }),
    gcTime: 0,
    onSuccess: ({ document, format }) => download(VEX_FILES[format], toJson(document), 'json'),
  })
  const document = toDocument(subject)
  const saveVex = (format: VexFormat) => document && vex.mutate({ document, format })
  const list = [
    answer.fix_plan.length > 0 && {
      label: 'Fix plan, Markdown',
      note: 'for a ticket or a pull request',
      run: () => download('fix-plan.md', toMarkdown(answer, nameSubject(subject)), 'markdown'),
    },
    answer.fix_plan.length > 0 && {
      label: 'Fix plan, CSV',
      note: 'one line per package, also of those that could not be judged',
      run: () => download('fix-plan.csv', toPlanCsv(answer), 'csv'),
    },
    { label: 'All hits, CSV', note: 'one line per hit', run: () => download('affected.csv', toCsv(answer), 'csv') },
    document && {
      label: 'OpenVEX',
      note: 'statements for other tools, by another check',
      run: () => saveVex('openvex'),
    },
    document && {
      label: 'CycloneDX with VEX',
      note: 'for tools that read CycloneDX, by another check',
      run: () => saveVex('cyclonedx_vex'),
    },
    { label: 'JSON', note: 'the whole answer', run: () => download('affected.json', toJson(answer), 'json') },
  ]
  const failed = isVisError(vex.error) ? ` ${vex.error.message}` : ''
  return {
    list: list.filter((each) => each !== false && each !== undefined),
    status: vex.isPending ? 'Creating the document' : vex.error ? `The document was not saved.${failed}` : '',
    hasVex: document !== undefined,
  }
}

type VexFormat = 'openvex' | 'cyclonedx_vex'

const VEX_FILES: Readonly<Record<VexFormat, string>> = {
  openvex: 'affected.openvex.json',
  cyclonedx_vex: 'affected.vex.cdx.json',
}

export function ExportMenu({ outcome, exports }: { readonly outcome: Outcome; readonly exports: Exports }) {
  const { answer, subject } = outcome
  return (
    <>
      <p role="status" className="self-center text-sm text-ink-2 empty:hidden">
        {exports.status}
      </p>
      <Menu
        label="Export"
        heading={exports.hasVex ? undefined : 'VEX needs package URLs or CPE names in all lines.'}
        trigger={
          <>
            <Download aria-hidden size={14} /> Export
          </>
        }
      >
        {exports.list.map(({ label, run }) => (
          <MenuItem key={label} onSelect={run}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {answer.fix_plan.length > 0 && (
        <CopyButton text={() => toMarkdown(answer, nameSubject(subject))} label="Copy the fix plan as Markdown">
          Copy plan
        </CopyButton>
      )}
    </>
  )
}

/** The same files as cards, each with what it is for. */
export function ExportCards({ exports }: { readonly exports: Exports }) {
  return (
    <section aria-labelledby="export" className="rounded-[10px] border border-line bg-panel px-4 py-3.5 shadow-panel">
      <h2 id="export" className="mb-2.5 text-base font-semibold">
        Export
      </h2>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {exports.list.map(({ label, note, run }) => (
          <button
            key={label}
            type="button"
            onClick={run}
            className="rounded-lg border border-line px-3.5 py-2.5 text-left hover:border-line-strong hover:bg-hover"
          >
            <span className="block font-semibold">{label}</span>
            <span className="block text-xs text-ink-2">{note}</span>
          </button>
        ))}
      </div>
    </section>
  )
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
