// The service's time, for texts such as "due in 3 days". The browser's clock may be wrong, and the demo's clock starts
// on the day of its sample.
import { createContext, useContext } from 'react'

/** Without a provider, this is the browser's clock. */
export const NowContext = createContext((): Date => new Date())

export function useNow(): Date {
  return useContext(NowContext)()
}
