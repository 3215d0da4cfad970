import type { ReactNode } from 'react'

/** A sentence saying that something is not known. */
export function Missing({ children }: { readonly children: ReactNode }) {
  return <p className="text-sm text-ink-2">{children}</p>
}
