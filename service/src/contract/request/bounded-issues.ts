// Limits the list of validation issues in an error response, so that a small request cannot cause a large response.
import type { ValidationIssue } from './validation-issue.ts'

type ShownIssue = Omit<ValidationIssue, 'subject' | 'brief'> & { subject: undefined; brief: undefined }

interface BoundedIssues {
  /** The issues as the response shows them, always including the first. */
  readonly shown: readonly ShownIssue[]
  readonly omitted: number
}

/**
 * Returns the issues unchanged if their JSON text fits into `maxBytes`. Otherwise states each list of allowed values
 * only once, and omits the last issues if they still do not fit.
 */
export function boundIssues(issues: readonly ValidationIssue[], maxBytes: number): BoundedIssues {
  const whole = issues.map(show)
  if (countFitting(whole, maxBytes) === whole.length) return { shown: whole, omitted: 0 }
  const short = stateListsOnce(issues)
  const count = Math.max(1, countFitting(short, maxBytes))
  return { shown: short.slice(0, count), omitted: short.length - count }
}

/** Removes members that are not part of the response: JSON.stringify omits members with the value undefined. */
function show(issue: ValidationIssue): ShownIssue {
  return { ...issue, subject: undefined, brief: undefined }
}

function stateListsOnce(issues: readonly ValidationIssue[]): ShownIssue[] {
  const firstIndexes = new Map<string, number>()
  return issues.map((issue, index) => {
    const list = JSON.stringify(issue.allowed)
    const firstIndex = firstIndexes.get(list)
    if (issue.brief === undefined || firstIndex === undefined) {
      firstIndexes.set(list, index)
      return show(issue)
    }
    return show({ ...issue, message: issue.brief, allowed: [`the values in details.errors[${firstIndex}].allowed`] })
  })
}

/** Counts how many issues, starting with the first, fit into `maxBytes` as JSON text. */
function countFitting(issues: readonly ShownIssue[], maxBytes: number): number {
  let bytes = 0
  const end = issues.findIndex((issue) => {
    // The extra byte is for the comma between two issues.
    bytes += Buffer.byteLength(JSON.stringify(issue)) + 1
    return bytes > maxBytes
  })
  return end === -1 ? issues.length : end
}
