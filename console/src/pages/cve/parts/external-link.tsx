import { ExternalLink as Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { toSafeUrl } from '../model/link.ts'

interface ExternalLinkProps {
  /** Address from an upstream source. Text that is not an http or https address is shown as text. */
  readonly url: string
  readonly children?: ReactNode
}

/** A link to another site. The site neither learns the console's address nor gets access to its window. */
export function ExternalLink({ url, children }: ExternalLinkProps) {
  const target = toSafeUrl(url)
  if (target === undefined) return <span className="break-all">{children || url}</span>
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline-offset-2 [overflow-wrap:anywhere] hover:underline"
    >
      {children || url}
      <Icon aria-hidden size={11} className="ml-1 inline align-baseline opacity-70" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
