// The form for a check: reads the input, reports its faults, and sends it.
import { useRef, useState } from 'react'
import { DocumentError, readFile, type SbomDocument } from './document.ts'
import { type LineIssue, replaceLine } from './lines.ts'
import type { CheckOptions } from './state.ts'
import { readSubject } from './subject.ts'
import { findRefusedLines, useCheck, useKept } from './use-check.ts'

async function readOrRefuse(file: File): Promise<{ readonly document?: SbomDocument; readonly issue?: string }> {
  try {
    return { document: await readFile(file) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { issue: error.message }
  }
}

/** `onAnswer` is called when a result arrives. */
export function useForm(options: CheckOptions, cve: string | undefined, onAnswer: () => void) {
  const [{ text, document, outcome }, keep] = useKept()
  const [issues, setIssues] = useState<readonly LineIssue[]>([])
  const [fileIssue, setFileIssue] = useState<string>()
  const textRef = useRef<HTMLTextAreaElement>(null)
  const check = useCheck((next) => {
    keep({ outcome: next })
    onAnswer()
  })
  const refused = findRefusedLines(check.error, check.variables)
  const forgetFaults = () => {
    setIssues([])
    setFileIssue(undefined)
    if (check.error) check.reset()
  }
  const setText = (next: string) => {
    forgetFaults()
    keep({ text: next })
  }
  const chooseFile = async (file: File) => {
    forgetFaults()
    const { document: read, issue } = await readOrRefuse(file)
    setFileIssue(issue)
    if (!read) return
    keep({ document: read })
    // A person who chooses a file wants it checked. The button repeats the check, for example with other options.
    check.mutate({ subject: { kind: 'document', document: read }, options, cve })
  }
  const removeFile = () => {
    forgetFaults()
    keep({ document: undefined })
  }
  const submit = (submitted = text) => {
    forgetFaults()
    const read = document ? { subject: { kind: 'document' as const, document } } : readSubject(submitted)
    if (read.subject) return check.mutate({ subject: read.subject, options, cve })
    setIssues(read.issues)
    textRef.current?.focus()
  }
  /** Replaces a line and checks all lines again. */
  const replace = (line: number, replacement: string) => {
    const next = replaceLine(text, line, replacement)
    setText(next)
    submit(next)
  }
  return {
    text,
    setText,
    issues: refused ?? issues,
    isRefused: refused !== undefined,
    textRef,
    document,
    chooseFile,
    removeFile,
    fileIssue,
    submit,
    replace,
    check,
    outcome,
  }
}
