export const GROUPINGS = ['endpoint', 'key'] as const
export type Grouping = (typeof GROUPINGS)[number]
