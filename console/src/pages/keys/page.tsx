// The account's API keys: create, rotate, revoke, and when each was last used.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey, CreatedKey } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { keysQuery } from '../../data/queries.ts'
import { Button } from '../../kit/controls/button.tsx'
import { SecretPanel } from '../../kit/controls/secret-panel.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { nameKey } from './key-texts.ts'
import { type KeyAction, KeysTable } from './keys-table.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'

/** The open dialog. */
type OpenDialog = { readonly action: 'create' } | { readonly action: KeyAction; readonly key: ApiKey }

export function KeysPage() {
  const query = useQuery(keysQuery)
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<OpenDialog>()
  // The secret is kept only in this state, until the person has stored it or leaves the page.
  const [created, setCreated] = useState<CreatedKey>()
  const close = () => setDialog(undefined)
  const finish = (result?: CreatedKey) => {
    close()
    if (result) setCreated(result)
    void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
  }
  return (
    <Page
      title="Keys"
      actions={
        <Button variant="primary" onClick={() => setDialog({ action: 'create' })}>
          <Plus aria-hidden size={14} /> New key
        </Button>
      }
    >
      {created && (
        <SecretPanel
          title={`The new key “${nameKey(created.key)}”`}
          secret={created.secret}
          copyLabel="Copy the key"
          onDone={() => setCreated(undefined)}
        >
          Copy the key now and store it where your programs keep their secrets. It is shown this one time: the service
          stores only a digest of it.
        </SecretPanel>
      )}
      <Panel isFlush>
        <QueryState query={query} label="Loading the keys" lines={6}>
          {(keys) => <KeyLists keys={keys} onAction={(action, key) => setDialog({ action, key })} />}
        </QueryState>
      </Panel>
      {dialog?.action === 'create' && <CreateKeyDialog onDone={finish} onClose={close} />}
      {dialog?.action === 'rotate' && <RotateKeyDialog keyToRotate={dialog.key} onDone={finish} onClose={close} />}
      {dialog?.action === 'revoke' && <RevokeKeyDialog keyToRevoke={dialog.key} onDone={finish} onClose={close} />}
    </Page>
  )
}

interface KeyListsProps {
  readonly keys: readonly ApiKey[]
  readonly onAction: (action: KeyAction, key: ApiKey) => void
}

function KeyLists({ keys, onAction }: KeyListsProps) {
  const credits = useCredits()
  const active = keys.filter(({ state }) => state === 'active')
  const ended = keys.filter(({ state }) => state !== 'active')
  return (
    <>
      {active.length > 0 ? (
        <KeysTable caption="Active keys" keys={active} credits={credits} onAction={onAction} />
      ) : (
        <Empty title="There is no active key">Create a key to call the API.</Empty>
      )}
      {ended.length > 0 && (
        <details className="border-t border-line">
          <summary className="w-fit rounded px-3 py-2 text-sm text-ink-2 hover:text-ink">
            {ended.length === 1 ? '1 key' : `${ended.length} keys`} expired or revoked
          </summary>
          <KeysTable caption="Expired and revoked keys" keys={ended} credits={credits} onAction={onAction} />
        </details>
      )}
    </>
  )
}

/** Returns each key's credits this month, or undefined while they are loading or if they could not be read. */
function useCredits(): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['usage-by-key'],
    queryFn: ({ signal }) => client.usageBreakdown({ by: ['key'], signal }),
  })
  return data && new Map(data.rows.map(({ key_id, credits }) => [String(key_id), credits]))
}
