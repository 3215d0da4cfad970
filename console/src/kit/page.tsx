import type { ReactNode } from 'react'

interface PageProps {
  /** Heading of the page and title of the browser tab. */
  readonly title: string
  /** A short remark next to the heading, and below it on a phone. It is empty until it is known, so that its place is kept. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page with its heading. */
export function Page({ title, note, actions, children }: PageProps) {
  return (
    <div className="space-y-4">
      <title>{`${title} · Vulnerability Intelligence`}</title>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="mr-auto text-[1.25rem] leading-7 font-[650] tracking-tight">
          {title}{' '}
          {note !== undefined && (
            <small className="ml-1.5 text-sm font-normal tracking-normal text-ink-3 max-sm:ml-0 max-sm:block max-sm:min-h-5">
              {note}
            </small>
          )}
        </h1>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
