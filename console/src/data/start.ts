// What the start script (start-script.ts) offers to the rest of the console.

export type ThemeChoice = 'system' | 'light' | 'dark'

export interface Start {
  /** Returns the theme that the person chose in this browser. */
  readonly readTheme: () => ThemeChoice
  /** Shows a theme and remembers it in this browser. */
  readonly storeTheme: (choice: ThemeChoice) => void
  /** Id of the page that the browser has loaded (page-id.ts). */
  readonly pageId: string
  /**
   * Returns the answer to a read that was sent before the application had loaded, such as `/console/api/session`; each
   * only once, and undefined if there was no such read or if it is too old.
   */
  readonly takeAnswer: (address: string) => Promise<Response> | undefined
}

/** Header with the id of the page to which a read belongs. */
export const PAGE_ID_HEADER = 'X-Page-Id'

export function createPageId(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}-page`
}

declare global {
  var visStart: Start | undefined
}

/** Returns undefined outside of a page, such as in tests. */
export function getStart(): Start | undefined {
  return globalThis.visStart
}
