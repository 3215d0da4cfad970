// From flags to the filters of the sdk.
import type { Flag, FlagValues } from './command.ts'

/** Only what was given. `Filters` is what the table of flags was made for. */
export function filtersOf<Filters extends object>(
  flags: Readonly<Partial<Record<keyof Filters, Flag>>>,
  values: FlagValues,
): Filters {
  const given = Object.keys(flags).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))
  // Earned: names are held against the sdk's where the flags are listed, and the service judges the values: it says
  // which is wrong and what was probably meant, better than we could.
  return Object.fromEntries(given) as Filters
}
