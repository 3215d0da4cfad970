/**
 * Node.js arguments of a deployed API process. The heap limit makes V8 collect garbage before the heap grows larger.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--max-old-space-size=320']
