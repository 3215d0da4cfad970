import type { ReactNode } from 'react'
import type { ApiKey } from 'vis-sdk'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/controls/button.tsx'
import { Chip } from '../../kit/controls/chip.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatDay, formatNumber } from '../../text/format.ts'
import { describeKeyState, nameKey } from './key-texts.ts'

export type KeyAction = 'rotate' | 'revoke'

interface KeysTableProps {
  readonly caption: string
  readonly keys: readonly ApiKey[]
  /** Each key's credits this month. */
  readonly credits: ReadonlyMap<string, number> | undefined
  readonly onAction: (action: KeyAction, key: ApiKey) => void
}

export function KeysTable({ caption, keys, credits, onAction }: KeysTableProps) {
  const getCredits = ({ id }: ApiKey) => credits?.get(id) ?? 0
  const creditsColumn: Column<ApiKey> = {
    id: 'credits',
    header: 'Credits this month',
    cell: (key) => formatNumber(getCredits(key)),
    sortValue: getCredits,
    isNumeric: true,
    className: 'whitespace-nowrap max-[1400px]:hidden',
  }
  const actions: Column<ApiKey> = {
    id: 'actions',
    header: 'Actions',
    cell: (key) => <Actions apiKey={key} onAction={onAction} />,
    className: 'w-px text-right',
  }
  const columns = credits ? [...COLUMNS, creditsColumn, actions] : [...COLUMNS, actions]
  return <Table caption={caption} columns={columns} rows={keys} getKey={({ id }) => id} />
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { id: 'name', header: 'Name', cell: (key) => <Name apiKey={key} />, sortValue: nameKey, className: 'min-w-32' },
  {
    id: 'key',
    header: 'Key',
    cell: (key) => <KeyText apiKey={key} />,
    className: 'max-md:hidden whitespace-nowrap',
  },
  { id: 'scopes', header: 'Scopes', cell: ({ scopes }) => <Chips values={scopes} />, className: 'max-md:hidden' },
  {
    id: 'addresses',
    header: 'Addresses',
    cell: ({ allowed_ips }) => (allowed_ips.length === 0 ? <Absent text="any" /> : <Chips values={allowed_ips} />),
    className: 'max-xl:hidden',
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at }) => formatDay(created_at),
    sortValue: ({ created_at }) => created_at,
    firstDirection: 'desc',
    className: 'whitespace-nowrap max-xl:hidden',
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expires_at }) => (expires_at ? formatDay(expires_at) : <Absent text="never" />),
    sortValue: ({ expires_at }) => expires_at,
    className: 'whitespace-nowrap max-lg:hidden',
  },
  {
    id: 'used',
    header: 'Last used',
    cell: (key) => <LastUsed apiKey={key} />,
    sortValue: ({ last_used_day }) => last_used_day,
    firstDirection: 'desc',
    className: 'whitespace-nowrap max-sm:hidden',
  },
]

interface KeyProps {
  readonly apiKey: ApiKey
}

function Name({ apiKey }: KeyProps) {
  const note = describeKeyState(apiKey, new Date())
  return (
    <>
      <span className="font-medium break-words">{nameKey(apiKey)}</span>
      {note && (
        <span className="mt-0.5 block">
          <Badge tone={note.tone}>{note.text}</Badge>
          {note.detail && <span className="block text-xs whitespace-nowrap text-ink-3">{note.detail}</span>}
        </span>
      )}
      <span className="block text-xs text-ink-3 md:hidden">
        <KeyText apiKey={apiKey} />
        <span className="block">{apiKey.scopes.join(', ')}</span>
      </span>
      <span className="block text-xs text-ink-3 sm:hidden">
        last used: <LastUsed apiKey={apiKey} />
      </span>
    </>
  )
}

function KeyText({ apiKey: { prefix, last_four } }: KeyProps) {
  return (
    <code className="font-mono text-xs">
      {prefix}…{last_four}
    </code>
  )
}

function LastUsed({ apiKey: { last_used_day } }: KeyProps): ReactNode {
  return last_used_day ?? <Absent text="never" />
}

function Chips({ values }: { readonly values: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {values.map((value) => (
        <Chip key={value}>{value}</Chip>
      ))}
    </span>
  )
}

interface ActionsProps extends KeyProps {
  readonly onAction: (action: KeyAction, key: ApiKey) => void
}

function Actions({ apiKey, onAction }: ActionsProps) {
  if (apiKey.state === 'revoked') return null
  const isCurrent = apiKey.state === 'active' && apiKey.replaced_by === null
  const name = nameKey(apiKey)
  return (
    <span className="-my-1.5 flex justify-end gap-1 max-sm:flex-col">
      {isCurrent && (
        <Button variant="quiet" aria-label={`Rotate ${name}`} onClick={() => onAction('rotate', apiKey)}>
          Rotate
        </Button>
      )}
      {apiKey.state === 'active' && (
        <Button variant="quiet" aria-label={`Revoke ${name}`} onClick={() => onAction('revoke', apiKey)}>
          Revoke
        </Button>
      )}
    </span>
  )
}
