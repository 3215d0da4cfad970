// The web pages that may call the API with the account's keys (CORS).
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import type { BrowserOrigin } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { Button } from '../../kit/controls/button.tsx'
import { TextField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { readFormText } from '../../kit/controls/form-text.ts'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatDay } from '../../text/format.ts'

const QUERY_KEY = ['origins'] as const

export function OriginsPage() {
  const query = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => client.origins({ signal }) })
  const remove = useOriginChange((origin) => client.removeOrigin(origin))
  const actions: Column<BrowserOrigin> = {
    id: 'actions',
    header: 'Actions',
    cell: ({ origin }) => (
      <Button
        variant="quiet"
        className="-my-1.5"
        aria-label={`Remove ${origin}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate(origin)}
      >
        Remove
      </Button>
    ),
    className: 'w-px text-right',
  }
  return (
    <Page title="Origins">
      <p className="max-w-prose text-sm text-ink-2">
        A browser lets a web page call the API only from the origins in this list. Programs outside of browsers need no
        entry. A key in a web page can be read by everyone who opens the page.
      </p>
      <Panel title="Add an origin">
        <AddForm />
      </Panel>
      <Panel title="Allowed origins" isFlush>
        <QueryState query={query} label="Loading the origins">
          {(origins) =>
            origins.length === 0 ? (
              <Empty title="No origin is allowed">Web pages cannot call the API with keys of this account.</Empty>
            ) : (
              <Table
                caption="Allowed origins"
                columns={[...COLUMNS, actions]}
                rows={origins}
                getKey={({ origin }) => origin}
              />
            )
          }
        </QueryState>
        <div className="px-3 pb-1">
          <FormError error={remove.error} />
        </div>
      </Panel>
    </Page>
  )
}

const COLUMNS: readonly Column<BrowserOrigin>[] = [
  {
    id: 'origin',
    header: 'Origin',
    cell: ({ origin }) => <code className="font-mono text-sm break-all">{origin}</code>,
    sortValue: ({ origin }) => origin,
    className: 'w-full',
  },
  {
    id: 'created',
    header: 'Added',
    cell: ({ created_at }) => (created_at ? formatDay(created_at) : <Absent text="unknown" />),
    sortValue: ({ created_at }) => created_at,
    className: 'whitespace-nowrap max-sm:hidden',
  },
]

function AddForm() {
  const formRef = useRef<HTMLFormElement>(null)
  const add = useOriginChange(
    (origin) => client.addOrigin(origin),
    () => formRef.current?.reset(),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const origin = readFormText(event.currentTarget, 'origin')
    if (origin !== '') add.mutate(origin)
  }
  return (
    <form ref={formRef} onSubmit={submit} className="max-w-xl">
      <TextField
        label="Origin"
        name="origin"
        required
        spellCheck={false}
        autoComplete="off"
        placeholder="https://app.example.com"
        help="Scheme, host and port if it is not the usual one, without a path."
      />
      <FormError error={add.error} />
      <Button type="submit" variant="primary" disabled={add.isPending} className="mt-3">
        Add origin
      </Button>
    </form>
  )
}

function useOriginChange(change: (origin: string) => Promise<unknown>, onDone?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onDone?.()
      await queryClient.invalidateQueries({ queryKey: QUERY_KEY })
    },
  })
}
