// The search as a command for other programs, with its price.
import { PRICES } from 'vis-sdk/vocabulary'
import { ProgramTexts } from '../../kit/controls/program-texts.tsx'
import { Panel } from '../../kit/panel.tsx'
import { formatCredits } from '../../text/format.ts'
import { formatQuery, type QueryLanguage } from './query-texts.ts'
import { PAGE_SIZE, toParameters } from './request.ts'
import type { ExplorerState } from './state.ts'

const LANGUAGES: readonly (readonly [QueryLanguage, string])[] = [
  ['curl', 'curl'],
  ['visctl', 'visctl'],
  ['typescript', 'TypeScript'],
]

export function QueryPanel({ state }: { readonly state: ExplorerState }) {
  const parameters = toParameters(state)
  return (
    <Panel title="This search in a program">
      <ProgramTexts texts={LANGUAGES.map(([id, label]) => ({ id, label, text: formatQuery(id, parameters) }))} />
      <p className="mt-2 text-xs text-ink-2">
        With an API key, each page of {PAGE_SIZE} CVEs costs {formatCredits(PRICES.searchCves)}. Reading in the console
        costs no credits.
      </p>
    </Panel>
  )
}
