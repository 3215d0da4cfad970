// The console as a whole: cache of reads, router, and the setting that keeps Base UI within the content security policy.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueryClient } from '../data/query-client.ts'
import { createConsoleRouter } from './router.tsx'

const router = createConsoleRouter()

const queryClient = createQueryClient(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  // No data of the ended session stays in the page.
  const clear = () => queryClient.clear()
  void router.navigate({ to: '/sign-in', search: { return: `/console${href}` } }).then(clear)
})

export function App() {
  return (
    // The policy of the service permits no <style> elements that are added at run time.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  )
}
