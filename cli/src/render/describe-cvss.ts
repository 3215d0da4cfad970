// Describes a CVSS vector in a sentence: what an attacker needs, and what impact the attack has.
import type { Cve } from 'vis-sdk'

type Cvss = Cve['cvss']
type Version3 = NonNullable<Cvss['v3_1']>
type Version4 = NonNullable<Cvss['v4_0']>
type Version2 = NonNullable<Cvss['v2_0']>

const VECTOR = {
  NETWORK: 'over the network',
  ADJACENT_NETWORK: 'from a neighbouring network',
  ADJACENT: 'from a neighbouring network',
  LOCAL: 'with local access',
  PHYSICAL: 'with the device at hand',
} satisfies Record<Version3['attackVector'] | Version4['attackVector'], string>

const COMPLEXITY = { LOW: 'easily', HIGH: 'under special conditions' } satisfies Record<
  Version3['attackComplexity'],
  string
>

const PRIVILEGES = {
  NONE: 'without an account',
  LOW: 'with an ordinary account',
  HIGH: 'as an administrator',
} satisfies Record<Version3['privilegesRequired'], string>

const INTERACTION = {
  NONE: 'without user interaction',
  REQUIRED: 'with user interaction',
  PASSIVE: 'with passive user interaction',
  ACTIVE: 'with active user interaction',
} satisfies Record<Version3['userInteraction'] | Version4['userInteraction'], string>

const COMPLEXITY_OF_VERSION_2 = {
  LOW: 'easily',
  MEDIUM: 'under some conditions',
  HIGH: 'under special conditions',
} satisfies Record<Version2['accessComplexity'], string>

const AUTHENTICATION = {
  NONE: 'without an account',
  SINGLE: 'after one login',
  MULTIPLE: 'after several logins',
} satisfies Record<Version2['authentication'], string>

const IMPACT_OF_VERSION_2 = { NONE: 'NONE', PARTIAL: 'LOW', COMPLETE: 'HIGH' } as const satisfies Record<
  Version2['confidentialityImpact'],
  Impact
>

type Impact = Version3['confidentialityImpact']

export function describeCvss2(cvss: Version2): string {
  const conditions = [
    COMPLEXITY_OF_VERSION_2[cvss.accessComplexity],
    VECTOR[cvss.accessVector],
    AUTHENTICATION[cvss.authentication],
  ]
  const impact = describeImpact({
    confidentiality: IMPACT_OF_VERSION_2[cvss.confidentialityImpact],
    integrity: IMPACT_OF_VERSION_2[cvss.integrityImpact],
    availability: IMPACT_OF_VERSION_2[cvss.availabilityImpact],
  })
  return `Exploited ${conditions.join(', ')}. ${impact}.`
}

export function describeCvss3(cvss: Version3): string {
  const { confidentialityImpact, integrityImpact, availabilityImpact, scope } = cvss
  const impact = describeImpact({
    confidentiality: confidentialityImpact,
    integrity: integrityImpact,
    availability: availabilityImpact,
  })
  return `${describeAttack(cvss)}. ${impact}${scope === 'CHANGED' ? ', beyond the component itself' : ''}.`
}

export function describeCvss4(cvss: Version4): string {
  const impact = describeImpact({
    confidentiality: cvss.vulnConfidentialityImpact,
    integrity: cvss.vulnIntegrityImpact,
    availability: cvss.vulnAvailabilityImpact,
  })
  const subsequentImpacts = [cvss.subConfidentialityImpact, cvss.subIntegrityImpact, cvss.subAvailabilityImpact]
  const requirement = cvss.attackRequirements === 'PRESENT' ? ', in certain deployments only' : ''
  return `${describeAttack(cvss)}${requirement}. ${impact}${subsequentImpacts.some((each) => each !== 'NONE') ? ', and systems behind it suffer too' : ''}.`
}

function describeAttack(cvss: Version3 | Version4): string {
  const conditions = [COMPLEXITY[cvss.attackComplexity], VECTOR[cvss.attackVector], PRIVILEGES[cvss.privilegesRequired]]
  return `Exploited ${conditions.join(', ')}, ${INTERACTION[cvss.userInteraction]}`
}

function describeImpact(impacts: Readonly<Record<string, Impact>>): string {
  const namesWith = (level: Impact) =>
    Object.entries(impacts).flatMap(([name, impact]) => (impact === level ? [name] : []))
  const [all, some] = [namesWith('HIGH'), namesWith('LOW')]
  const parts = [
    ...(all.length > 0 ? [`all ${joinNames(all)}`] : []),
    ...(some.length > 0 ? [`some ${joinNames(some)}`] : []),
  ]
  return parts.length === 0 ? 'Nothing is lost' : `Lost: ${parts.join('; ')}`
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
