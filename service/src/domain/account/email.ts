// Only plain ASCII addresses in lower case are accepted: addresses that look alike are then the same text, and no
// address can add a header or a second recipient to a mail.

const MAX_LENGTH = 254
const ASCII = /^[\x20-\x7e]*$/
const EMAIL_PATTERN = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/

export const EMAIL_FORM = 'an e-mail address of plain letters, digits and signs, such as ada@example.org'

/** Returns the address in lower case, or undefined if the text is not an e-mail address. */
export function parseEmail(text: string): string | undefined {
  // Lowercasing turns some non-ASCII letters into ASCII: the Kelvin sign becomes k.
  if (!ASCII.test(text)) return undefined
  const email = text.trim().toLowerCase()
  return email.length <= MAX_LENGTH && EMAIL_PATTERN.test(email) ? email : undefined
}
