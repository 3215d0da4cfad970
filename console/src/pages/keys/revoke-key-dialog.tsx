import { useMutation } from '@tanstack/react-query'
import type { ApiKey } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { ConfirmDialog } from '../../kit/controls/confirm-dialog.tsx'
import { nameKey } from './key-texts.ts'

interface RevokeKeyDialogProps {
  readonly keyToRevoke: ApiKey
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RevokeKeyDialog({ keyToRevoke, onDone, onClose }: RevokeKeyDialogProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.revokeKey(keyToRevoke.id),
    onSuccess: () => onDone(),
  })
  const { prefix, last_four, last_used_day } = keyToRevoke
  return (
    <ConfirmDialog
      title={`Revoke “${nameKey(keyToRevoke)}”?`}
      action="Revoke key"
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>
        Programs that use{' '}
        <code className="font-mono text-xs">
          {prefix}…{last_four}
        </code>{' '}
        are refused within 2 seconds. A revoked key cannot be made valid again.
      </p>
      <p>{last_used_day === null ? 'The key was never used.' : `The key was last used on ${last_used_day}.`}</p>
    </ConfirmDialog>
  )
}
