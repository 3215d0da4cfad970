// The state of the page in its address: the chosen week, as its last day.
import { readDay } from '../../text/days.ts'

/** Returns the last day of the chosen week, or undefined for the week that ends today. */
export function parseWeek({ week }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof week === 'string' && readDay(week) === week ? week : undefined
}
