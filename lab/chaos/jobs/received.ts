// Compares the mails that arrived with those that were asked for.
import type { ReceivedMail } from '../../../service/test/support/network/mail-server.ts'
import type { AskedMail } from './record.ts'

export function readMessageId({ source }: ReceivedMail): string {
  const id = /^Message-ID: <([^@>]+)@example\.org>\r?$/im.exec(source)?.[1]
  if (id === undefined) throw new Error(`the mail has no Message-ID: ${source}`)
  return id
}

export interface Copies {
  readonly mail: AskedMail
  /** The Message-ID of each mail that arrived at the address. */
  readonly messageIds: readonly string[]
}

/** Every asked mail has its own address. */
export function groupByMail(asked: readonly AskedMail[], received: readonly ReceivedMail[]): readonly Copies[] {
  const byAddress = Map.groupBy(received, ({ to }) => to)
  return asked.map((mail) => ({ mail, messageIds: (byAddress.get(mail.email) ?? []).map(readMessageId) }))
}

export const countRepetitions = (copies: readonly Copies[]) =>
  copies.reduce((sum, { messageIds }) => sum + Math.max(0, messageIds.length - 1), 0)
