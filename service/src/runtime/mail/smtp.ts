// The connection to the mail server, through the package nodemailer.
import { createTransport } from 'nodemailer'
import type { MailText } from './texts.ts'

/** Time limits for one mail, so that a mail server that does not answer delays nothing else. */
const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000, dnsTimeout: 5000 }
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** Result of an attempt: `refused` means that the mail server will never accept this mail. */
type SendResult = 'sent' | 'refused'

export interface MailServer {
  /** Connects and signs in. Throws if the mail server does not respond or refuses the login. */
  check(): Promise<void>
  /** Throws if a later attempt may succeed. All attempts to send a mail have the same `id`, which becomes its Message-ID. */
  send(to: string, mail: MailText, id: string): Promise<SendResult>
}

/**
 * `url` begins with smtps:// for TLS from the first byte, or with smtp:// for STARTTLS. A mail is never sent without TLS,
 * except to a mail server on the same computer.
 */
export function createMailServer(url: string, from: string): MailServer {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const { protocol, hostname, port, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && !LOOPBACK_HOSTS.includes(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...TIMEOUTS,
    // The text of a mail never refers to files or addresses whose content should be sent.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    check: async () => {
      await transport.verify()
    },
    send: async (to, { subject, text }, id) => {
      try {
        await transport.sendMail({
          from,
          // As an object, the address is never parsed as a list of recipients.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return 'sent'
      } catch (error) {
        if (isPermanent(error)) return 'refused'
        throw error
      }
    },
  }
}

/** The codes 550 to 554 refuse this recipient or this mail. Other codes, such as a refused login, affect all mails. */
function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return code >= 550 && code <= 554
}
