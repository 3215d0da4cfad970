// The dialog for the feed of a watch: a secret address, shown once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeedAddresses, Watch } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { WATCHES_KEY } from '../../data/watch/watches.ts'
import { Button } from '../../kit/controls/button.tsx'
import { CopyButton } from '../../kit/controls/copy-button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'

interface FeedDialogProps {
  readonly watch: Watch
  /** Called with a sentence about what was done. */
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

type FeedAction = 'create' | 'rotate' | 'remove'

export function FeedDialog({ watch, onDone, onClose }: FeedDialogProps) {
  const queryClient = useQueryClient()
  // The addresses are kept only in this state, until the dialog is closed.
  const change = useMutation({
    gcTime: 0,
    mutationFn: async (action: FeedAction): Promise<FeedAddresses | undefined> => {
      if (action === 'create') return client.createFeed(watch.id)
      if (action === 'rotate') return client.rotateFeed(watch.id)
      await client.removeFeed(watch.id)
      return undefined
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [WATCHES_KEY] }),
    onSuccess: (addresses) => {
      if (!addresses) onDone(`“${watch.name}” has no feed any more.`)
    },
  })
  return (
    <Dialog title={`Feed of “${watch.name}”`} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      {change.data ? (
        <Addresses addresses={change.data} onClose={onClose} />
      ) : (
        <Choice hasFeed={watch.feed} isPending={change.isPending} onAction={change.mutate} />
      )}
      <FormError error={change.error} />
    </Dialog>
  )
}

interface ChoiceProps {
  readonly hasFeed: boolean
  readonly isPending: boolean
  readonly onAction: (action: FeedAction) => void
}

function Choice({ hasFeed, isPending, onAction }: ChoiceProps) {
  return (
    <div className="space-y-3.5">
      <p className="text-sm text-ink-2">
        {hasFeed
          ? 'The watch has a feed. Its address was shown once. If it is lost, or known to somebody who should not have it, make a new one: the address before stops working.'
          : 'A feed shows the newest 100 events of the watch in a feed reader, as Atom or JSON. Whoever knows its address can read it, so treat it like a password.'}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {hasFeed && (
          <Button variant="quiet" className="mr-auto" disabled={isPending} onClick={() => onAction('remove')}>
            Remove the feed
          </Button>
        )}
        <Button variant="primary" disabled={isPending} onClick={() => onAction(hasFeed ? 'rotate' : 'create')}>
          {hasFeed ? 'Make a new address' : 'Make the feed'}
        </Button>
      </div>
    </div>
  )
}

function Addresses({ addresses, onClose }: { readonly addresses: FeedAddresses; readonly onClose: () => void }) {
  return (
    <div className="space-y-3.5">
      <p className="text-sm text-ink-2">
        Copy an address now. It is shown this one time: the service stores only a digest of it.
      </p>
      {(['atom', 'json'] as const).map((form) => (
        <div key={form}>
          <p className="mb-1 text-sm font-medium">{form === 'atom' ? 'Atom' : 'JSON'}</p>
          <div className="flex items-start gap-2">
            <code className="min-w-0 flex-1 rounded-lg bg-soft px-3 py-2 font-mono text-xs break-all select-all">
              {toAddress(addresses[form])}
            </code>
            <CopyButton text={toAddress(addresses[form])} label={`Copy the ${form} address`}>
              Copy
            </CopyButton>
          </div>
        </div>
      ))}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </div>
  )
}

/** A service that does not know its own address leaves out the host, which is the one of this page. */
const toAddress = (address: string): string => new URL(address, location.origin).href
