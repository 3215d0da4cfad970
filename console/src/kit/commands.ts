// Commands for the search field in the header: views, pages and actions that a person finds by typing.
import { createRegistry, type Registered } from './registry.ts'

export interface Command {
  readonly id: string
  /** What it is or does: `Members`, or `Use the dark theme`. */
  readonly label: string
  /** Further words by which it is found. */
  readonly words?: string
  /** Keys that do the same, as in `KeyBinding`. */
  readonly keys?: string
  readonly run: () => void
}

const registry = createRegistry<Command>()

/** Offers commands under the title of a group, such as `Views`, while the component is mounted. */
export const useCommands: (group: string, commands: readonly Command[]) => void = registry.useItems

/** Lists the commands whose label or words contain all words of the text; all of them for an empty text. */
export function findCommands(text: string): readonly Registered<Command>[] {
  const words = text.toLowerCase().split(/\s+/)
  return registry.list().flatMap(({ group, items }) => {
    const found = items.filter(({ label, words: more = '' }) => {
      const own = `${group} ${label} ${more}`.toLowerCase()
      return words.every((word) => own.includes(word))
    })
    return found.length > 0 ? [{ group, items: found }] : []
  })
}
