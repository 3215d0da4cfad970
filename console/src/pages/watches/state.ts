// The state of the page in its address: the chosen team, and the watch of the question "Why was I not told?".
export interface WatchesState {
  readonly team: string | undefined
  /** Id of the watch that is asked about. */
  readonly ask: string | undefined
}

export function parseState({ team, ask }: Readonly<Record<string, unknown>>): WatchesState {
  return {
    team: typeof team === 'string' && team.trim() !== '' ? team : undefined,
    ask: typeof ask === 'string' && /^[1-9]\d{0,17}$/.test(ask) ? ask : undefined,
  }
}
