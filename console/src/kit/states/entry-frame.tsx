import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface EntryFrameProps {
  /** Title of the browser tab. */
  readonly title: string
  /** Sentence below the name of the service. */
  readonly lead: string
  readonly children: ReactNode
}

/** The frame of pages without navigation: the sign-in page, and the page that links in e-mails lead to. */
export function EntryFrame({ title, lead, children }: EntryFrameProps) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <title>{`${title} · Vulnerability Intelligence`}</title>
      <div className="w-full max-w-sm">
        <h1 className="mb-1 text-xl font-semibold tracking-tight">Vulnerability Intelligence</h1>
        <p className="mb-5 text-ink-2">{lead}</p>
        <div className="rounded-[10px] border border-line bg-panel p-5 shadow-panel">{children}</div>
        <p className="mt-4 flex flex-wrap gap-x-4 text-xs text-ink-3">
          Reading in the console costs no credits.
          <Link to="/status" className="text-accent underline">
            Status
          </Link>
          <a href="/docs/guide" className="text-accent underline">
            Guide
          </a>
        </p>
      </div>
    </main>
  )
}
