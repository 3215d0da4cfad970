// Who speaks. NVD names organisations by an e-mail address or a UUID, the CVE List by a short name (decision C23).
import type { Speaker } from '../model/claim.ts'
import { ORGANISATIONS } from './organisations.ts'

export const NVD: Speaker = 'nvd'
const CISA_ADP: Speaker = 'cisa-adp'

const CISA_ADP_ID = '134c704f-9b21-4f2e-91b3-4a467353bcc0'
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MAX_NAME_LENGTH = 64

/** Of a score, a weakness or a product in a record of NVD: who is neither NVD nor CISA is a CNA. */
export function speakerInNvd(identifier: string | null): Speaker {
  const name = organisationOf(identifier)
  return name === NVD || name === CISA_ADP ? name : `cna:${name}`
}

/** As the CVE List calls it where that is known; else the domain of its address, or the beginning of its UUID. */
export function organisationOf(identifier: string | null): string {
  if (identifier === null) return 'unknown'
  const key = identifier.toLowerCase()
  const known = ORGANISATIONS.get(key)
  if (known !== undefined) return known
  const neutral = UUID.exec(key)?.[1] ?? key.slice(key.lastIndexOf('@') + 1)
  return plainName(neutral)
}

/** Of a part of a record of the CVE List. */
export function speakerInCveList(part: 'cna' | 'adp', shortName: string | null, orgId: string | null): Speaker {
  if (part === 'adp' && orgId?.toLowerCase() === CISA_ADP_ID) return CISA_ADP
  const name = shortName === null ? organisationOf(orgId) : plainName(shortName)
  return part === 'adp' && name.toLowerCase() === CISA_ADP ? CISA_ADP : `${part}:${name}`
}

/** The name alone, for references. */
export function nameOf(speaker: Speaker): string {
  return speaker.replace(/^(?:cna|adp):/, '')
}

/** Upstream may put anything into a name; ours is short, and one line. */
function plainName(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}._&+-]+/gu, ' ').trim()
  return plain.slice(0, MAX_NAME_LENGTH) || 'unknown'
}
