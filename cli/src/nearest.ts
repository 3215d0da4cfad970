// What was probably meant.

/** The known word that differs least, if it differs little enough to be a typo. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, steps: distance(word, each) }))
    .sort((one, other) => one.steps - other.steps)
  const [best] = ranked
  return best && best.steps <= Math.max(1, Math.floor(word.length / 3)) ? best.each : undefined
}

/** How many letters must be added, dropped or exchanged. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at += 1) {
      const same = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1)
      next.push(Math.min(same, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
