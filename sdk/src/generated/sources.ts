// Written by tools/generate/write-sdk-sources.ts from openapi.json. Do not edit: run "npm run generate".

/** Name of a source of the data: its title, and the label of each provider that answers name, by their ids. */
export interface SourceNames {
  readonly title: string
  readonly providers: Readonly<Record<string, string>>
}

/** The sources by the names of their data sets in `/health`. */
export const SOURCES: Readonly<Record<string, SourceNames>> = {
  "nvd": {"title":"NVD","providers":{"nvd":"NVD"}},
  "cve": {"title":"CVE List","providers":{"cve":"CVE record","cisa-adp":"CISA Vulnrichment"}},
  "kev": {"title":"CISA KEV","providers":{"cisa-kev":"CISA KEV"}},
  "kev-history": {"title":"Earlier releases of KEV","providers":{}},
  "eukev": {"title":"EU KEV (ENISA)","providers":{"eu-kev":"EU KEV (ENISA)"}},
  "epss": {"title":"EPSS","providers":{"epss":"FIRST EPSS"}},
  "epss-history": {"title":"EPSS of earlier days","providers":{}},
  "acsc": {"title":"ACSC notices","providers":{"acsc":"ACSC"}},
  "cwe": {"title":"CWE weaknesses","providers":{}},
  "attack": {"title":"MITRE ATT&CK","providers":{}},
  "capec": {"title":"CAPEC patterns","providers":{}},
  "attack-mapping": {"title":"ATT&CK mappings","providers":{"attack-mapping":"Center for Threat-Informed Defense"}},
  "exploitdb": {"title":"Exploit-DB","providers":{}},
  "metasploit": {"title":"Metasploit","providers":{}},
  "nuclei": {"title":"Nuclei templates","providers":{"nuclei":"Nuclei"}},
  "poc": {"title":"PoC-in-GitHub","providers":{}},
  "overrides": {"title":"NVD overrides (Anchore)","providers":{"anchore":"Anchore"}},
  "ghsa": {"title":"GitHub advisories","providers":{"ghsa":"GitHub advisory"}},
  "osv-go": {"title":"OSV: Go","providers":{"osv:go":"the Go vulnerability database"}},
  "osv-rustsec": {"title":"OSV: RustSec","providers":{"osv:rustsec":"RustSec"}},
  "osv-bitnami": {"title":"OSV: Bitnami","providers":{"osv:bitnami":"Bitnami"}},
  "osv-almalinux": {"title":"OSV: AlmaLinux","providers":{"osv:almalinux":"AlmaLinux"}},
  "osv-pypa": {"title":"OSV: PyPA","providers":{"osv:pypa":"PyPA"}},
  "redhat": {"title":"Red Hat","providers":{"redhat":"Red Hat"}},
  "msrc": {"title":"Microsoft","providers":{"msrc":"Microsoft"}},
  "debian": {"title":"Debian tracker","providers":{}},
}

/** Form of the ids of advisories, in any letter case. */
export interface AdvisoryIdForm {
  readonly form: string
  readonly issuer: string
  readonly pattern: RegExp
  readonly example: string
  /** Address of an advisory's page, with {id}, {+id} (not encoded) or {digits} in place of the id. */
  readonly page?: string
  /** True if other words have the form too. */
  readonly ambiguous?: boolean
}

/** The forms of the ids that `/api/v1/alias` finds. */
export const ADVISORY_IDS: readonly AdvisoryIdForm[] = [
  { form: "GHSA", issuer: "GitHub", example: "GHSA-jfh8-c2jp-5v3q", page: "https://github.com/advisories/{id}", pattern: /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/i },
  { form: "GO", issuer: "Go", example: "GO-2022-0535", page: "https://pkg.go.dev/vuln/{id}", pattern: /^GO-\d{4}-\d{4,9}$/i },
  { form: "RUSTSEC", issuer: "RustSec", example: "RUSTSEC-2022-0064", page: "https://rustsec.org/advisories/{id}.html", pattern: /^RUSTSEC-\d{4}-\d{4,9}$/i },
  { form: "BIT", issuer: "Bitnami", example: "BIT-tomcat-2025-24813", page: "https://osv.dev/vulnerability/{id}", ambiguous: true, pattern: /^BIT-[\w.-]{1,100}$/i },
  { form: "ALSA", issuer: "AlmaLinux", example: "ALSA-2024:4312", page: "https://osv.dev/vulnerability/{id}", pattern: /^AL[SBE]A-\d{4}:[A-Z0-9-]{1,90}$/i },
  { form: "PYSEC", issuer: "PyPA", example: "PYSEC-2021-335", page: "https://osv.dev/vulnerability/{id}", pattern: /^PYSEC-\d{4}-\d{1,9}$/i },
  { form: "RHSA", issuer: "Red Hat", example: "RHSA-2024:4312", page: "https://access.redhat.com/errata/{+id}", pattern: /^RH[SBE]A-\d{4}:\d{3,6}$/i },
  { form: "KB", issuer: "Microsoft", example: "KB5041580", page: "https://support.microsoft.com/help/{digits}", pattern: /^KB\d{6,8}$/i },
]
