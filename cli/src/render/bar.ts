// Draws a number as a bar of text.

const BAR = '█'
const MAX_WIDTH = 30

/** The highest number of a table has a bar of full length; every other number except 0 has at least one block. */
export function renderBar(count: number, highest: number): string {
  return count === 0 ? '' : BAR.repeat(Math.max(1, Math.round((count / highest) * MAX_WIDTH)))
}
