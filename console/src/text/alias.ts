// Ids from advisories and other databases.
import { ADVISORY_IDS, type AdvisoryIdForm } from 'vis-sdk/sources'

/** Returns whether a typed text is an advisory id. */
export function isAlias(text: string): boolean {
  const form = findForm(text)
  return form !== undefined && form.ambiguous !== true
}

/** Returns who issues ids of this form, or undefined if the form is unknown. */
export function findIssuer(alias: string): string | undefined {
  return findForm(alias)?.issuer
}

/** Returns the URL of the advisory on its issuer's website, if known. */
export function findAdvisoryUrl(alias: string): string | undefined {
  return findForm(alias)
    ?.page?.replace('{id}', encodeURIComponent(alias))
    .replace('{+id}', alias)
    .replace('{digits}', alias.replaceAll(/\D/g, ''))
}

function findForm(text: string): AdvisoryIdForm | undefined {
  return ADVISORY_IDS.find(({ pattern }) => pattern.test(text))
}
