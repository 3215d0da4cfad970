// The form of a check: reads what was entered, names its faults, and sends it.
import { useRef, useState } from 'react'
import { type LineIssue, readLines, replaceLine } from './lines.ts'
import type { CheckOptions } from './state.ts'
import { findRefusedLines, useCheck, useKept } from './use-check.ts'

const EMPTY: readonly LineIssue[] = [{ line: 1, message: 'There is no component. Write at least one.' }]

export function useForm(options: CheckOptions) {
  const [{ text, outcome }, keep] = useKept()
  const [issues, setIssues] = useState<readonly LineIssue[]>([])
  const textRef = useRef<HTMLTextAreaElement>(null)
  const check = useCheck((next) => keep({ outcome: next }))
  const refused = findRefusedLines(check.error, check.variables)
  const setText = (next: string) => {
    setIssues([])
    if (check.error) check.reset()
    keep({ text: next })
  }
  const submit = (submitted = text) => {
    const { lines, issues: found } = readLines(submitted)
    const all = lines.length === 0 && found.length === 0 ? EMPTY : found
    setIssues(all)
    check.reset()
    if (all.length > 0) textRef.current?.focus()
    else check.mutate({ subject: { text: submitted, lines }, options })
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
    textRef,
    submit,
    replace,
    check,
    outcome,
    isRefused: refused !== undefined,
  }
}
