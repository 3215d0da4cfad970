// The search as a command for other programs, with its price.
import { CopyButton } from '../../kit/copy-button.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
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
      <Tabs
        label="Language"
        tabs={LANGUAGES.map(([id, label]) => ({
          id,
          label,
          content: <Command text={formatQuery(id, parameters)} label={`Copy the ${label} text`} />,
        }))}
      />
      <p className="mt-2 text-xs text-ink-2">
        With an API key, each page of {PAGE_SIZE} CVEs costs 1 credit. Reading in the console costs no credits.
      </p>
    </Panel>
  )
}

function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="flex flex-col items-start gap-2 sm:flex-row sm:justify-between">
      <pre className="min-w-0 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap text-ink-2">
        {text}
      </pre>
      <CopyButton text={text} label={label}>
        Copy
      </CopyButton>
    </div>
  )
}
