// The views: choosing one, saving the list as one, and changing those that the person may change.
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, Check } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { View, ViewList } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/controls/button.tsx'
import { FormError } from '../../../kit/controls/form-error.tsx'
import { Menu, MenuItem } from '../../../kit/controls/menu.tsx'
import { sortViews } from '../../../text/views.ts'
import { isBell } from '../../../text/watch/bell.ts'
import type { ExplorerState } from '../state.ts'
import { toUpdate, useViewChanges, type ViewChanges } from './view-changes.ts'
import type { OpenDialog } from './view-dialogs.tsx'
import { differsFromView, movePlaces, toLink, toViewContent } from './view-state.ts'

/** Loaded when a dialog is opened for the first time. */
const ViewDialogs = lazy(async () => ({ default: (await import('./view-dialogs.tsx')).ViewDialogs }))

interface ViewMenuProps {
  readonly state: ExplorerState
  /** The view in the address; undefined if there is none. */
  readonly view: View | undefined
  /** Undefined until the views are loaded. */
  readonly list: ViewList | undefined
  /** For a list that is not a view. */
  readonly suggestedName: string
}

/** Buttons in the header of the list. */
export function ViewMenu({ state, view, list, suggestedName }: ViewMenuProps) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const navigate = useNavigate()
  const views = list?.views ?? []
  const open = (id: string | undefined) => void navigate({ to: '/cves', search: id === undefined ? {} : { view: id } })
  const change = useViewChanges((changed) => open(changed?.id))
  const rights = list?.rights
  const mayChange = view !== undefined && !view.built_in && (view.own || rights?.saves_shared === true)
  const isChanged = view !== undefined && differsFromView(state, view)
  const close = () => {
    setDialog(undefined)
    change.reset()
  }
  return (
    <>
      {isChanged && <Badge tone="unrated">changed</Badge>}
      {isChanged && mayChange && (
        <Button
          onClick={() => view && change.mutate({ kind: 'change', view, ...toUpdate(view), ...toViewContent(state) })}
          disabled={change.isPending}
        >
          Save changes
        </Button>
      )}
      <Button onClick={() => setDialog('save')} disabled={!rights}>
        {view === undefined ? 'Save view' : 'Save as'}
      </Button>
      <ViewPicker views={views} view={view} onOpen={open} />
      {view && (
        <ViewActions
          view={view}
          views={views}
          rights={rights}
          change={change}
          mayChange={mayChange}
          link={toLink(state, view)}
          onDialog={setDialog}
        />
      )}
      {dialog === undefined && change.error && (
        <div className="w-full">
          <FormError error={change.error} />
        </div>
      )}
      {dialog !== undefined && (
        <Suspense>
          <ViewDialogs
            suggestedName={suggestedName}
            dialog={dialog}
            state={state}
            view={view}
            rights={rights}
            change={change}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

interface ViewPickerProps {
  readonly views: ViewList['views']
  readonly view: View | undefined
  readonly onOpen: (id: string | undefined) => void
}

function ViewPicker({ views, view, onOpen }: ViewPickerProps) {
  return (
    <Menu
      label="Views"
      trigger={
        <>
          <Bookmark aria-hidden size={14} /> Views
        </>
      }
    >
      {sortViews(views)
        .filter((each) => !isBell(each))
        .map(({ id, name, shared, built_in }) => (
          <MenuItem key={id} onSelect={() => onOpen(id)}>
            <span className="grid size-4 shrink-0 place-items-center">
              {id === view?.id && <Check aria-hidden size={14} />}
            </span>
            <span title={name} className="min-w-0 flex-1 truncate">
              {name}
            </span>
            <span className="text-xs text-ink-3">{built_in ? 'built in' : shared ? 'shared' : 'yours'}</span>
          </MenuItem>
        ))}
      {view && <MenuItem onSelect={() => onOpen(undefined)}>All CVEs</MenuItem>}
    </Menu>
  )
}

interface ViewActionsProps {
  readonly view: View
  readonly views: ViewList['views']
  readonly rights: ViewList['rights'] | undefined
  readonly change: ViewChanges
  readonly mayChange: boolean
  /** The path that opens the list for others. */
  readonly link: string
  readonly onDialog: (dialog: OpenDialog) => void
}

function ViewActions({ view, views, rights, change, mayChange, link, onDialog }: ViewActionsProps) {
  /** Whether the browser allowed the last copy; undefined if there was none yet. */
  const [isCopied, setIsCopied] = useState<boolean>()
  const copy = () =>
    void navigator.clipboard.writeText(`${location.origin}/console${link}`).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  return (
    <Menu
      label={`${mayChange ? 'Change the view' : 'The view'} ${view.name}`}
      trigger={<span aria-hidden>{isCopied === undefined ? '…' : isCopied ? 'Link copied' : 'Not copied'}</span>}
    >
      <MenuItem onSelect={copy}>Copy link</MenuItem>
      {mayChange && <ChangeItems view={view} views={views} rights={rights} change={change} onDialog={onDialog} />}
    </Menu>
  )
}

function ChangeItems({ view, views, rights, change, onDialog }: Omit<ViewActionsProps, 'mayChange' | 'link'>) {
  const move = (by: -1 | 1) => change.mutate({ kind: 'move', moves: movePlaces(views, view.id, by) })
  return (
    <>
      <MenuItem onSelect={() => onDialog('rename')}>Rename</MenuItem>
      {/* The events of a watched view are for the whole account. */}
      {(rights?.saves_shared || view.shared) && view.on === null && (
        <MenuItem onSelect={() => change.mutate({ kind: 'change', view, ...toUpdate(view), shared: !view.shared })}>
          {view.shared ? 'Stop sharing' : 'Share with the account'}
        </MenuItem>
      )}
      <MenuItem onSelect={() => move(-1)}>Move up</MenuItem>
      <MenuItem onSelect={() => move(1)}>Move down</MenuItem>
      <MenuItem onSelect={() => onDialog('remove')}>Remove</MenuItem>
    </>
  )
}
