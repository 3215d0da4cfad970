// A call to the service as text for several programs: one tab per program, with a button that copies the text.
import { CopyButton } from './copy-button.tsx'
import { Tabs } from './tabs.tsx'

interface ProgramText {
  readonly id: string
  /** Name of the program or language, such as `curl`. */
  readonly label: string
  readonly text: string
}

export function ProgramTexts({ texts }: { readonly texts: readonly ProgramText[] }) {
  const tabs = texts.map(({ id, label, text }) => ({ id, label, content: <Text label={label} text={text} /> }))
  return <Tabs label="Language" tabs={tabs} />
}

function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="flex flex-col items-start gap-2 sm:flex-row sm:justify-between">
      <pre className="min-w-0 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap text-ink-2">
        {text}
      </pre>
      <CopyButton text={text} label={`Copy the ${label} text`}>
        Copy
      </CopyButton>
    </div>
  )
}
