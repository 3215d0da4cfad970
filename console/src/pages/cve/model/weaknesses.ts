// Weaknesses with names. The names of the detail record come first; common names stand in for CVEs without one.
import type { DetailRecord } from 'vis-sdk'

export interface Weakness {
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly url: string
}

type DetailWeakness = DetailRecord['technical_details']['cwe'][number]

/** Common names of the weaknesses that nine in ten CVEs have. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  'CWE-20': 'Improper input validation',
  'CWE-22': 'Path traversal',
  'CWE-23': 'Relative path traversal',
  'CWE-59': 'Link following',
  'CWE-74': 'Injection',
  'CWE-77': 'Command injection',
  'CWE-78': 'OS command injection',
  'CWE-79': 'Cross-site scripting',
  'CWE-80': 'Basic cross-site scripting',
  'CWE-89': 'SQL injection',
  'CWE-94': 'Code injection',
  'CWE-98': 'PHP file inclusion',
  'CWE-116': 'Improper encoding or escaping of output',
  'CWE-119': 'Memory buffer errors',
  'CWE-120': 'Classic buffer overflow',
  'CWE-121': 'Stack-based buffer overflow',
  'CWE-122': 'Heap-based buffer overflow',
  'CWE-125': 'Out-of-bounds read',
  'CWE-126': 'Buffer over-read',
  'CWE-190': 'Integer overflow',
  'CWE-191': 'Integer underflow',
  'CWE-200': 'Exposure of sensitive information',
  'CWE-203': 'Observable discrepancy',
  'CWE-209': 'Error message with sensitive information',
  'CWE-264': 'Permissions, privileges and access controls',
  'CWE-266': 'Incorrect privilege assignment',
  'CWE-269': 'Improper privilege management',
  'CWE-276': 'Incorrect default permissions',
  'CWE-284': 'Improper access control',
  'CWE-285': 'Improper authorization',
  'CWE-287': 'Improper authentication',
  'CWE-288': 'Authentication bypass by an alternate path',
  'CWE-290': 'Authentication bypass by spoofing',
  'CWE-295': 'Improper certificate validation',
  'CWE-306': 'Missing authentication for a critical function',
  'CWE-307': 'No limit on authentication attempts',
  'CWE-311': 'Missing encryption of sensitive data',
  'CWE-312': 'Cleartext storage of sensitive information',
  'CWE-319': 'Cleartext transmission of sensitive information',
  'CWE-326': 'Inadequate encryption strength',
  'CWE-327': 'Broken or risky cryptographic algorithm',
  'CWE-345': 'Insufficient verification of data authenticity',
  'CWE-346': 'Origin validation error',
  'CWE-347': 'Improper verification of a cryptographic signature',
  'CWE-352': 'Cross-site request forgery',
  'CWE-362': 'Race condition',
  'CWE-367': 'Time-of-check to time-of-use race condition',
  'CWE-399': 'Resource management errors',
  'CWE-400': 'Uncontrolled resource consumption',
  'CWE-401': 'Memory leak',
  'CWE-404': 'Improper resource shutdown or release',
  'CWE-415': 'Double free',
  'CWE-416': 'Use after free',
  'CWE-426': 'Untrusted search path',
  'CWE-427': 'Uncontrolled search path element',
  'CWE-434': 'Unrestricted upload of dangerous files',
  'CWE-444': 'HTTP request smuggling',
  'CWE-476': 'NULL pointer dereference',
  'CWE-502': 'Deserialization of untrusted data',
  'CWE-522': 'Insufficiently protected credentials',
  'CWE-532': 'Sensitive information in a log file',
  'CWE-601': 'Open redirect',
  'CWE-611': 'XML external entity reference',
  'CWE-613': 'Insufficient session expiration',
  'CWE-617': 'Reachable assertion',
  'CWE-639': 'Authorization bypass through a user-controlled key',
  'CWE-665': 'Improper initialization',
  'CWE-693': 'Protection mechanism failure',
  'CWE-732': 'Incorrect permissions for a critical resource',
  'CWE-770': 'Allocation of resources without limits',
  'CWE-772': 'Missing release of a resource',
  'CWE-787': 'Out-of-bounds write',
  'CWE-798': 'Hard-coded credentials',
  'CWE-835': 'Infinite loop',
  'CWE-843': 'Type confusion',
  'CWE-862': 'Missing authorization',
  'CWE-863': 'Incorrect authorization',
  'CWE-908': 'Use of an uninitialized resource',
  'CWE-917': 'Expression language injection',
  'CWE-918': 'Server-side request forgery',
  'CWE-922': 'Insecure storage of sensitive information',
  'CWE-1321': 'Prototype pollution',
  'CWE-1333': 'Inefficient regular expression',
}

export function listWeaknesses(ids: readonly string[], named: readonly DetailWeakness[]): readonly Weakness[] {
  const byId = new Map(named.map((each) => [each.id, each]))
  return [...new Set([...ids, ...byId.keys()])].map((id) => ({
    id,
    name: byId.get(id)?.name ?? COMMON_NAMES[id],
    description: byId.get(id)?.description ?? undefined,
    url: `https://cwe.mitre.org/data/definitions/${id.slice('CWE-'.length)}.html`,
  }))
}
