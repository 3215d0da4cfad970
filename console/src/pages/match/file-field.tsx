// The field for an SBOM file. A file can also be dropped anywhere on the page.
import { FileJson, Upload, X } from 'lucide-react'
import { type ChangeEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { classNames } from '../../text/class-names.ts'
import type { SbomDocument } from './document.ts'

interface FileFieldProps {
  readonly chooseFile: (file: File) => Promise<void>
  /** Describes the problem with the chosen file. */
  readonly fileIssue: string | undefined
}

export function FileField({ chooseFile, fileIssue }: FileFieldProps) {
  const id = useId()
  const isDragging = useFileDrop(chooseFile)
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Without this, the browser would not report choosing the same file again.
    target.value = ''
    if (file) void chooseFile(file)
  }
  return (
    <div>
      <div
        className={classNames(
          'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-dashed px-3 py-2.5 text-sm',
          isDragging ? 'border-accent bg-accent-soft text-accent' : 'border-line-strong text-ink-2',
        )}
      >
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          onChange={change}
          aria-describedby={`${id}-help`}
          aria-invalid={fileIssue ? true : undefined}
          aria-errormessage={fileIssue ? `${id}-issue` : undefined}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={classNames(
            buttonClasses(),
            'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
          )}
        >
          <Upload aria-hidden size={14} /> Choose an SBOM file
        </label>
        <span id={`${id}-help`} className="min-w-0">
          or drop it here: CycloneDX or SPDX as JSON, up to 5,000 components. It is sent for the check and not stored.
        </span>
      </div>
      <p role="alert" id={`${id}-issue`} className="text-sm text-critical not-empty:mt-2">
        {fileIssue}
      </p>
    </div>
  )
}

interface ChosenFileProps {
  readonly document: SbomDocument
  readonly removeFile: () => void
}

/** The file that will be checked instead of the lines. */
export function ChosenFile({ document: { name, format }, removeFile }: ChosenFileProps) {
  return (
    <section
      aria-label="Chosen SBOM"
      className="flex items-center gap-3 rounded-lg border border-line bg-canvas px-3 py-3"
    >
      <FileJson aria-hidden size={20} className="shrink-0 text-ink-3" />
      <p role="status" className="min-w-0">
        <span className="block font-medium break-all">{name}</span>
        <span className="block text-xs text-ink-2">{format}</span>
      </p>
      <Button onClick={removeFile} className="ml-auto">
        <X aria-hidden size={14} /> Remove
      </Button>
    </section>
  )
}

/** Accepts a file that is dropped on the page, and returns whether one is being dragged over it. */
function useFileDrop(onFile: (file: File) => Promise<void>): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const take = useEffectEvent((file: File) => void onFile(file))
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Without this, the browser would leave the console and open the file.
      event.preventDefault()
      setIsDragging(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsDragging(false)
    }
    const drop = (event: DragEvent) => {
      setIsDragging(false)
      const [file] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      take(file)
    }
    const listeners = new AbortController()
    const { signal } = listeners
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => listeners.abort()
  }, [])
  return isDragging
}
