import { listKeyCaps } from './keys.ts'

/** The keys of a shortcut, such as `g t` or `Ctrl+k`, as key caps. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {listKeyCaps(keys).map((cap) => (
        <kbd
          key={cap}
          className="rounded border border-b-2 border-line bg-panel px-1.5 font-mono text-2xs whitespace-nowrap text-ink-2"
        >
          {cap}
        </kbd>
      ))}
    </span>
  )
}
