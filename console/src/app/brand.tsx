// The mark of the product with the name of the account.
import { Link } from '@tanstack/react-router'
import { useSession } from '../data/use-session.ts'

export function Brand() {
  const session = useSession()
  return (
    <Link to="/" className="mb-2.5 flex items-center gap-2.5 rounded-md px-2 py-1">
      <svg aria-hidden viewBox="0 0 24 24" className="size-6 shrink-0">
        <rect width="24" height="24" rx="6" className="fill-accent" />
        <path
          d="M6 8l6 9 6-9"
          fill="none"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-accent-ink"
        />
        <circle cx="12" cy="8" r="1.8" className="fill-accent-ink" />
      </svg>
      <span className="min-w-0 leading-4 font-semibold tracking-tight">
        VIS
        <span
          title={session?.account.name}
          className="block min-h-4 truncate text-xs font-normal tracking-normal text-ink-3"
        >
          {session?.account.name}
        </span>
        <span className="sr-only">, start page</span>
      </span>
    </Link>
  )
}
