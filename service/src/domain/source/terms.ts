// Terms and notices that several sources share.

/** The last sentence of all MITRE licenses. */
export const MITRE_CONDITION =
  "Any copy you make for such purposes is authorized provided that you reproduce MITRE's copyright designation and this license in any such copy."

export const formatMitreGrant = (work: string) =>
  `The MITRE Corporation (MITRE) hereby grants you a non-exclusive, royalty-free license to use ${work} for research, development, and commercial purposes. ${MITRE_CONDITION}`

export const CC_BY = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' } as const
export const CC0 = { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' } as const
export const APACHE = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' } as const
