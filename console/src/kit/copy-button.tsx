import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const CONFIRMATION_MS = 2000

interface CopyButtonProps {
  readonly text: string
  /** Name of the button for screen readers, such as `Copy the command`. */
  readonly label: string
  /** Text on the button. Without it, the button shows only an icon. */
  readonly children?: string
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    // Browsers offer the clipboard only to pages over HTTPS and on the own machine.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  const Icon = state === 'copied' ? Check : Copy
  return (
    <Button onClick={copy} aria-label={children ? undefined : label} title={label}>
      <Icon aria-hidden size={14} />
      {children && <span>{state === 'copied' ? 'Copied' : children}</span>}
      <span role="status" className="sr-only">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'The browser did not allow copying' : ''}
      </span>
    </Button>
  )
}
