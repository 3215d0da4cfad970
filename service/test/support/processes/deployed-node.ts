/** Node.js arguments of a deployed API process. The limit bounds V8's heap before garbage collection. */
export const NODE_ARGUMENTS: readonly string[] = ['--max-old-space-size=320']
