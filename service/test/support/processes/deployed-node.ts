/**
 * Node.js arguments with which an API process is deployed. They limit the heap size, so that V8 collects garbage
 * earlier.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--max-old-space-size=320']

/** Node.js arguments with which a worker is deployed, for the same reason. */
export const WORKER_ARGUMENTS: readonly string[] = ['--max-semi-space-size=16', '--max-old-space-size=1024']
