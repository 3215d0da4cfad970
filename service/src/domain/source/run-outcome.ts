/** docs/feeds.md explains each outcome. */
export const RUN_OUTCOMES = ['succeeded', 'failed', 'refused', 'fenced', 'absent', 'stopped', 'abandoned'] as const

export type RunOutcome = (typeof RUN_OUTCOMES)[number]
