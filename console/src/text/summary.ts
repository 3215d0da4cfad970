// The beginning of a description, for one or two lines in a list.

/** The kernel's CNA begins every description with this sentence, which would make all lines in a list look alike. */
const KERNEL_PREFIX = 'In the Linux kernel, the following vulnerability has been resolved:'

/** More than two lines of a list can show. A browser would have to lay out all of a longer text to find them. */
const MAX_SUMMARY_LENGTH = 1000

/** Returns the beginning of the description, without the sentence that says nothing about the CVE. */
export function toSummary(description: string | null | undefined): string {
  const text = (description ?? '').slice(0, MAX_SUMMARY_LENGTH).toWellFormed()
  return text.startsWith(KERNEL_PREFIX) ? text.slice(KERNEL_PREFIX.length).trimStart() : text
}
