// Words for the levels of a priority, from P0 to P4.
import type { Level } from 'vis-sdk'

export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  P0: 'act now',
  P1: 'this week',
  P2: 'this month',
  P3: 'next cycle',
  P4: 'routine',
}
