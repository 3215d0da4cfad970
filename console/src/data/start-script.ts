// Runs before anything else of the console, as a small blocking script in the head of index.html: the first paint already
// has the chosen theme, and the page's first reads are on their way while the application is still loading. The content
// security policy permits no inline script, so the build makes a file of its own (build/start-script.ts).
import { listEarlyReads } from './early-reads.ts'
import { createPageId, PAGE_ID_HEADER, type Start, type ThemeChoice } from './start.ts'

const THEME_KEY = 'vis-theme'
/** The application takes an answer when it starts, which takes long on a slow line. Later, the data could have changed. */
const MAX_AGE_MS = 120_000

function readTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function showTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
}

function storeTheme(choice: ThemeChoice): void {
  showTheme(choice)
  try {
    localStorage.setItem(THEME_KEY, choice)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

showTheme(readTheme())

const pageId = createPageId()
const startedAt = performance.now()
const answers = new Map(listEarlyReads(location.pathname).map((address) => [address, read(address)]))

async function read(address: string): Promise<Response> {
  const headers = { Accept: 'application/json', [PAGE_ID_HEADER]: pageId }
  return fetch(address, { headers, credentials: 'same-origin', redirect: 'error' })
}

// A read that nobody takes must not be reported as an unhandled error.
for (const answer of answers.values()) answer.catch(() => {})

const start: Start = {
  readTheme,
  storeTheme,
  pageId,
  takeAnswer: (address) => {
    const answer = performance.now() - startedAt < MAX_AGE_MS ? answers.get(address) : undefined
    answers.delete(address)
    return answer
  },
}
Object.assign(globalThis, { visStart: start })
