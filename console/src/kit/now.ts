// The time of the service, for texts such as "due in 3 days". The clock of the browser may be wrong, and the clock of the
// demo stands at the day of its sample.
import { createContext, useContext } from 'react'

/** Without a provider, the clock of the browser. */
export const NowContext = createContext((): Date => new Date())

export function useNow(): Date {
  return useContext(NowContext)()
}
