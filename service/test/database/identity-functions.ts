// Actions in roles.test.ts that decide on sign-ins.

/** Functions that decide on sign-ins. Only vis_identity and the owner may call them. */
export const IDENTITY_FUNCTIONS = [
  'ask for a link',
  'take a mail',
  'finish a mail',
  'describe a link',
  'use a link',
  'sign in with an identity',
  'take requests for sign-ins',
  'answer a request for a sign-in',
  'report that sign-ins are decided',
  'read the rules of sign-ins',
  'count new owners',
  'list new owners',
] as const
