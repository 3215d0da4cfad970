// The filters of the audit log. Their state is in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditExportFilters } from 'vis-sdk'
import { listAuditParameters } from 'vis-sdk/vocabulary'
import { SelectField, TextField } from '../../kit/controls/field.tsx'
import { capitalise } from '../../text/format.ts'
import type { Names } from './describe-entry.ts'

const KINDS: Readonly<Record<string, string>> = listAuditParameters.kind.words
const ACTOR = /^(?:operator|(?:key|member):\d{1,18})$/
const DAY = /^\d{4}-\d\d-\d\d$/

const ALL = ['', 'All'] as const

interface Filters {
  readonly actor?: string
  readonly kind?: AuditExportFilters extends { readonly kind?: infer Kind } ? NonNullable<Kind> : never
  readonly from?: string
  readonly to?: string
}

/** Values that the service would refuse, for example in an old link, are left out. */
export function useAuditFilters(): readonly [Filters, (changed: Readonly<Record<string, string>>) => void] {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { actor = '', kind = '', from = '', to = '' } = search
  const filters = {
    ...(ACTOR.test(actor) && { actor }),
    ...(Object.hasOwn(KINDS, kind) && { kind: [kind] }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
    // The cast is safe: the words are those of the parameter.
  } as Filters
  return [
    filters,
    (changed) => {
      const next = Object.fromEntries(Object.entries({ ...search, ...changed }).filter(([, value]) => value))
      void navigate({ to: '/audit', search: next, replace: true })
    },
  ]
}

interface AuditFilterBarProps {
  readonly filters: Filters
  readonly names: Names
  readonly onChange: (changed: Readonly<Record<string, string>>) => void
}

export function AuditFilterBar({ filters, names, onChange }: AuditFilterBarProps) {
  const { actor = '', kind, from = '', to = '' } = filters
  const actors = [
    ...[...names.members].map(([id, email]) => [`member:${id}`, email] as const),
    ...[...names.keys].map(([id, name]) => [`key:${id}`, `key ${name}`] as const),
    ['operator', 'the operator'] as const,
  ]
  // A member who has left is not in the list, but can be in the address.
  const isKnown = actor === '' || actors.some(([value]) => value === actor)
  return (
    <fieldset className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <legend className="sr-only">Filters</legend>
      <SelectField
        label="Who"
        value={actor}
        onChange={({ target: { value } }) => onChange({ actor: value })}
        options={[ALL, ...actors, ...(isKnown ? [] : [[actor, actor.replace(':', ' ')] as const])]}
      />
      <SelectField
        label="What"
        value={kind?.[0] ?? ''}
        onChange={({ target: { value } }) => onChange({ kind: value })}
        options={[ALL, ...Object.entries(KINDS).map(([value, words]) => [value, capitalise(words)] as const)]}
      />
      <TextField
        label="From"
        type="date"
        value={from}
        onChange={({ target: { value } }) => onChange({ from: value })}
      />
      <TextField label="Until" type="date" value={to} onChange={({ target: { value } }) => onChange({ to: value })} />
    </fieldset>
  )
}
