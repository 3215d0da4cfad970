/** What an API node is started with wherever we deploy one: it bounds what V8 takes before it collects its garbage. */
export const NODE_ARGUMENTS: readonly string[] = ['--max-old-space-size=320']
