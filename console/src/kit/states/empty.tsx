import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** Explains what the person can do about it. */
  readonly children?: ReactNode
}

/** Shown where a list or a part of a page is empty. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-prose text-sm text-ink-2">{children}</div>}
    </div>
  )
}
