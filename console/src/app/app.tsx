// The console as a whole: query cache, router, and the setting that keeps Base UI within the content security policy.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { captureEntryToken } from '../data/entry-token.ts'
import { createQueryClient, dropAccountData } from '../data/query-client.ts'
import { createConsoleRouter } from './router.tsx'

// This listener is added before the router's, so that the router never sees a token: it stores addresses in the tab's
// session storage. Opening a second link in the same tab changes only the fragment, which fires a popstate event.
captureEntryToken(window)
window.addEventListener('popstate', () => captureEntryToken(window), { capture: true })

const router = createConsoleRouter()

const queryClient = createQueryClient(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in' || pathname === '/enter') return
  const signedOut = router.navigate({ to: '/sign-in', search: { return: `/console${href}` } })
  void signedOut.then(() => dropAccountData(queryClient))
})

export function App() {
  return (
    // The service's content security policy forbids <style> elements that are added at run time.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  )
}
