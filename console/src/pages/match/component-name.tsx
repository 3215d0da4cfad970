import type { MatchedComponent } from 'vis-sdk'
import { Absent } from '../../kit/states/absent.tsx'

/** A component with its version, and below it the vendor or the package type. */
export function ComponentName({ component }: { readonly component: MatchedComponent }) {
  const { vendor, product, version } = component.interpreted_as
  return (
    <span title={component.ref} className="block min-w-0 break-words">
      <span className="font-medium">{product}</span>{' '}
      {version === null ? <Absent text="no version" /> : <span className="font-mono text-xs">{version}</span>}
      {vendor !== null && <span className="block text-xs text-ink-3">{vendor}</span>}
    </span>
  )
}
