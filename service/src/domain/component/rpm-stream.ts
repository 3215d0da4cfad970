// Streams of RPM modules. Each stream of a module, such as nodejs:18 and nodejs:20, has packages with the same names and
// versions and fixes of its own.

/** `plain`: not built in a module. `module`: built in a module whose stream is not known. */
export type RpmStream =
  | { readonly kind: 'plain' | 'module'; readonly name?: undefined; readonly isDerived?: undefined }
  /** `isDerived`: the stream follows from the package's version (derive-stream.ts). */
  | { readonly kind: 'stream'; readonly name: string; readonly isDerived?: true }

/** Release of a package built in a module, such as `1.module_el8.9.0+3675+0258a6d9`. Red Hat writes `.module+el8.9.0`. */
const OF_MODULE = /\.module[_+]/
/** Release of a package of a distribution, such as `3.el9_4`, `12.fc38` or `1.amzn2`. */
const OF_DISTRIBUTION = /-[^-]*\.(?:el|fc|amzn|azl|cm|uel|al|oe)\d/
const LABEL = /^([\w.+-]{1,100}:[\w.+-]{1,100})(?::|$)/

/** A name with an upper-case prefix and digits only, such as `ALSA-2022:5468`, is an advisory. */
const IN_TITLE = /(?<![\w.+-])(?![A-Z]+-\d+:)[A-Za-z][\w.+-]{0,99}:[\w.+-]{1,100}/g

/** Returns both streams of the title `Important: virt:rhel and virt-devel:rhel security update`. */
export function findStreamNames(title: string): readonly string[] {
  return [...new Set(title.match(IN_TITLE) ?? [])]
}

export function isOfModule(version: string): boolean {
  return OF_MODULE.test(version)
}

/** Returns `nodejs:20` for the label `nodejs:20:8090020240228165436:a75119d5` of a module's build. */
export function readStreamName(label: string): string | undefined {
  return LABEL.exec(label)?.[1]
}

/** Returns undefined if the version does not show it, such as `18.20.8`. */
export function readStreamOfVersion(version: string): RpmStream | undefined {
  if (isOfModule(version)) return { kind: 'module' }
  return OF_DISTRIBUTION.test(version) ? { kind: 'plain' } : undefined
}
