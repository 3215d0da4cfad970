/**
 * Node.js arguments with which an API process is deployed. They limit the heap size, so that V8 collects garbage
 * earlier.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--max-old-space-size=320']
