// A secret that the service shows once: a new API key, or an invitation link.
import { KeyRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

interface SecretPanelProps {
  readonly title: string
  readonly secret: string
  /** Name of the copy button for screen readers. */
  readonly copyLabel: string
  /** Explains what to do with the secret. */
  readonly children: ReactNode
  /** Called when the person has stored the secret. The page must then forget it. */
  readonly onDone: () => void
}

export function SecretPanel({ title, secret, copyLabel, children, onDone }: SecretPanelProps) {
  const ref = useRef<HTMLElement>(null)
  // The panel appears after a dialog has closed, so the focus would otherwise end up elsewhere.
  useEffect(() => ref.current?.focus(), [])
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={title}
      className="rounded-xl border-2 border-accent bg-panel px-4 py-3.5 outline-none"
    >
      <h2 className="flex items-center gap-2 text-sm font-semibold">
        <KeyRound aria-hidden size={16} className="shrink-0 text-accent" />
        {title}
      </h2>
      <div className="mt-1 text-sm text-ink-2">{children}</div>
      <div className="mt-3 flex flex-col gap-2 sm:flex-row sm:items-center">
        <code className="min-w-0 flex-1 rounded-lg bg-soft px-3 py-2 font-mono text-sm break-all select-all">
          {secret}
        </code>
        <span className="flex shrink-0 gap-2">
          <CopyButton text={secret} label={copyLabel}>
            Copy
          </CopyButton>
          <Button variant="primary" onClick={onDone}>
            I have stored it
          </Button>
        </span>
      </div>
    </section>
  )
}
