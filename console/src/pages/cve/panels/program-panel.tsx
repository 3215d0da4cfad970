// The record as JSON, and the call that returns it as a command for other programs, with its price.
import { useState } from 'react'
import type { Cve } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { Button } from '../../../kit/controls/button.tsx'
import { CopyButton } from '../../../kit/controls/copy-button.tsx'
import { ProgramTexts } from '../../../kit/controls/program-texts.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { formatCredits, formatNumber } from '../../../text/format.ts'
import { formatCurl, formatTypeScript, formatVisctl } from '../model/call-texts.ts'

/** Longer text is truncated on screen, because a browser needs seconds to lay out megabytes of text. */
const MAX_SHOWN_LENGTH = 100_000

export function ProgramPanel({ id }: { readonly id: string }) {
  const texts = [
    { id: 'curl', label: 'curl', text: formatCurl(id) },
    { id: 'visctl', label: 'visctl', text: formatVisctl(id) },
    { id: 'typescript', label: 'TypeScript', text: formatTypeScript(id) },
  ]
  return (
    <Panel title="This record in a program">
      <ProgramTexts texts={texts} />
      <p className="mt-2 text-xs text-ink-2">
        With an API key, this call costs {formatCredits(PRICES.getCve)}. Reading in the console costs no credits.
      </p>
    </Panel>
  )
}

export function JsonPanel({ cve }: { readonly cve: Cve }) {
  const [isOpen, setIsOpen] = useState(false)
  const text = isOpen ? JSON.stringify(cve, null, 2) : ''
  return (
    <Panel
      title="JSON"
      note="the record as the API returns it"
      actions={
        <>
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
          <CopyJsonButton cve={cve} />
        </>
      }
    >
      {isOpen && (
        <>
          <textarea
            readOnly
            aria-label="JSON of the record"
            value={text.slice(0, MAX_SHOWN_LENGTH)}
            className="block h-96 w-full resize-y rounded-md border border-line bg-soft p-3 font-mono text-xs whitespace-pre"
          />
          {text.length > MAX_SHOWN_LENGTH && (
            <p className="mt-1 text-xs text-ink-2">
              The first {formatNumber(MAX_SHOWN_LENGTH)} of {formatNumber(text.length)} characters. "Copy JSON" copies
              all.
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

export function CopyJsonButton({ cve }: { readonly cve: Cve }) {
  return (
    <CopyButton text={() => JSON.stringify(cve, null, 2)} label="Copy the record as JSON">
      Copy JSON
    </CopyButton>
  )
}
