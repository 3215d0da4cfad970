// What a person changes about views, and the calls for it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { View, ViewUpdate } from 'vis-sdk'
import { client } from '../../../data/client.ts'
import { viewsQuery } from '../../../data/views.ts'
import { WATCHES_KEY } from '../../../data/watch/watches.ts'
import type { movePlaces, toViewContent } from './view-state.ts'

type ViewChange =
  | ({ readonly kind: 'create'; readonly name: string; readonly shared: boolean } & ReturnType<typeof toViewContent>)
  | ({ readonly kind: 'change'; readonly view: View } & ViewUpdate)
  | { readonly kind: 'move'; readonly moves: ReturnType<typeof movePlaces> }
  | { readonly kind: 'remove'; readonly view: View }

/** The body that leaves a view as it is. */
export function toUpdate({ name, query, columns, revision }: View): ViewUpdate {
  return { name, query, revision, ...(columns === null ? {} : { columns: [...columns] }) }
}

export type ViewChanges = ReturnType<typeof useViewChanges>

/** Saves a change and reads the views again. `onShown` gets the view to show, or undefined after a removal. */
export function useViewChanges(onShown: (view: View | undefined) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (change: ViewChange): Promise<View | undefined> => {
      switch (change.kind) {
        case 'create': {
          const { kind: _, ...view } = change
          return client.createView(view)
        }
        case 'change': {
          const { kind: _, view, ...update } = change
          if (view.on === null || update.query === view.query) return client.changeView(view.id, update)
          // The search of a watched view is that of its watch. What remains of the view has the watch's new revision.
          const { watch } = await client.changeWatch(view.id, { revision: update.revision, query: update.query })
          return client.changeView(view.id, { ...update, query: watch.query, revision: watch.revision })
        }
        case 'move':
          for (const { view, place } of change.moves) await client.changeView(view.id, { ...toUpdate(view), place })
          return undefined
        case 'remove':
          if (change.view.on === null) await client.removeView(change.view.id, { revision: change.view.revision })
          else await client.removeWatch(change.view.id, { revision: change.view.revision })
          return undefined
      }
    },
    // Also after a failure: a colleague may have changed the view.
    onSettled: () =>
      Promise.all([viewsQuery.queryKey, [WATCHES_KEY]].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    onSuccess: (view, { kind }) => {
      if (kind !== 'move') onShown(view)
    },
  })
}
