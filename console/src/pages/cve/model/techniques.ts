// Techniques with their names and addresses. The record contains only ids.
import { nameTechnique } from '../../../text/technique-names.ts'

export interface Technique {
  readonly id: string
  readonly name?: string | undefined
  readonly url: string
}

export function toTechnique(id: string): Technique {
  return { id, name: nameTechnique(id), url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}/` }
}
