import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const CONFIRMATION_MS = 2000

const STATES = {
  ready: { Icon: Copy, word: undefined, message: '' },
  copied: { Icon: Check, word: 'Copied', message: 'Copied' },
  failed: { Icon: X, word: 'Not copied', message: 'The browser did not allow copying' },
} as const

interface CopyButtonProps {
  /** The text, or a function that creates a long text when the button is pressed. */
  readonly text: string | (() => string)
  /** Name of the button for screen readers, such as `Copy the command`. */
  readonly label: string
  /** Text on the button. Without it, the button shows only an icon. */
  readonly children?: string
}

/** Copies text and shows for two seconds whether the browser allowed it. */
export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof STATES>('ready')
  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    // Browsers provide the clipboard only to pages served over HTTPS or from localhost.
    const written =
      navigator.clipboard?.writeText(typeof text === 'string' ? text : text()) ??
      Promise.reject(new Error('no clipboard'))
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  const { Icon, word, message } = STATES[state]
  return (
    <Button data-copy onClick={copy} aria-label={children ? undefined : label} title={message || label}>
      <Icon aria-hidden size={14} />
      {children && <span>{word ?? children}</span>}
      <span role="status" className="sr-only">
        {message}
      </span>
    </Button>
  )
}
