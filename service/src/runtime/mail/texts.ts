// The mails that the service sends: plain text, without images or tracking.
import type { TakenMail } from '../../accounts/people/mail-queue.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
}

/** Characters that could change how a mail is displayed: control characters and writing direction marks. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const MAX_NAME_LENGTH = 100

/** The mail names this server by the host of the link. */
export function writeMail({ purpose, accountName }: TakenMail, link: string): MailText {
  const { host: server } = new URL(link)
  const account = (accountName ?? '').replaceAll(UNSAFE_CHARACTERS, ' ').slice(0, MAX_NAME_LENGTH)
  switch (purpose) {
    case 'invitation':
      return {
        subject: `Invitation to the console of ${server}`,
        text: join(
          `You are invited to the account "${account}" on ${server}, a service with information about vulnerabilities.`,
          'Open this link and press the button to join. The link works once, within 72 hours:',
          link,
          'If you did not expect this invitation, ignore this mail.',
        ),
      }
    case 'sign-in':
      return {
        subject: `Your sign-in link for ${server}`,
        text: join(
          `Open this link and press the button to sign in to ${server}. The link works once, within 15 minutes:`,
          link,
          'If you did not ask for this link, ignore this mail: nobody can sign in without the link.',
        ),
      }
    case 'sign-up':
      return {
        subject: `Create your account on ${server}`,
        text: join(
          `Open this link and press the button to create a free account on ${server}. The link works once, within 15 minutes:`,
          link,
          'If you did not ask for this link, ignore this mail: no account is created without the link.',
        ),
      }
  }
}

function join(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
