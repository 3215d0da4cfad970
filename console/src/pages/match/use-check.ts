// Sends a check, and keeps the input and the last answer in memory, so that "back" from a CVE finds both. Neither
// reaches the address or the browser's storage.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isVisError } from 'vis-sdk'
import { client } from '../../data/client.ts'
import type { SbomDocument } from './document.ts'
import type { LineIssue } from './lines.ts'
import type { Answer } from './result.ts'
import type { CheckOptions } from './state.ts'
import type { Subject } from './subject.ts'

export interface CheckRequest {
  readonly subject: Subject
  readonly options: CheckOptions
  /** The CVE about which the person asked. */
  readonly cve: string | undefined
}

export interface Outcome extends CheckRequest {
  readonly answer: Answer
}

interface Kept {
  readonly text: string
  /** The file that is checked instead of the text. */
  readonly document: SbomDocument | undefined
  readonly outcome: Outcome | undefined
}

const KEPT_KEY = ['match', 'kept'] as const
const NOTHING: Kept = { text: '', document: undefined, outcome: undefined }

/** Returns a state that survives leaving the page, until the person signs out or leaves the console. */
export function useKept(): readonly [Kept, (change: Partial<Kept>) => void] {
  const queryClient = useQueryClient()
  const [kept, setKept] = useState(() => queryClient.getQueryData<Kept>(KEPT_KEY) ?? NOTHING)
  useEffect(() => {
    queryClient.setQueryData(KEPT_KEY, kept)
  }, [queryClient, kept])
  return [kept, (change) => setKept((before) => ({ ...before, ...change }))]
}

export function useCheck(onAnswer: (outcome: Outcome) => void) {
  return useMutation({
    mutationFn: runCheck,
    // The mutation's variables contain what the person entered.
    gcTime: 0,
    onSuccess: (answer, request) => onAnswer({ ...request, answer }),
  })
}

/** The account's states hide what they are about; the answer says how much, and by whom. */
function runCheck({ subject, options }: CheckRequest): Promise<Answer> {
  const request = { ...options, triage: 'apply' } as const
  if (subject.kind === 'document') return client.scanSbom(subject.document.content, request)
  return client.match(
    subject.lines.map(({ component }) => component),
    request,
  )
}

/** Returns the lines that the service refused, or undefined if the error has another cause. */
export function findRefusedLines(error: unknown, request: CheckRequest | undefined): readonly LineIssue[] | undefined {
  if (request?.subject.kind !== 'lines' || !isVisError(error, 'INVALID_PARAMETER')) return undefined
  const { lines } = request.subject
  const issues = (error.details.errors ?? []).map(({ parameter, message }) => {
    const index = /^components\[(\d{1,4})\]/.exec(parameter)?.[1]
    const line = index === undefined ? undefined : lines[Number(index)]?.line
    return line === undefined ? undefined : { line, message: `The service does not accept this line: it ${message}.` }
  })
  const known = issues.filter((issue) => issue !== undefined)
  return known.length > 0 && known.length === issues.length ? known : undefined
}
