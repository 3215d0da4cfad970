// The state of the page in its address: the chosen team.
export interface WatchesState {
  readonly team: string | undefined
}

export function parseState({ team }: Readonly<Record<string, unknown>>): WatchesState {
  return { team: typeof team === 'string' && team.trim() !== '' ? team : undefined }
}
