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
  "osv-pypa": {"title":"OSV: PyPA","providers":{"osv:pypa":"PyPA"}},
  "osv-eef": {"title":"OSV: Erlang Ecosystem Foundation","providers":{"osv:eef":"the Erlang Ecosystem Foundation"}},
  "osv-almalinux": {"title":"OSV: AlmaLinux","providers":{"osv:almalinux":"AlmaLinux"}},
  "osv-debian": {"title":"OSV: Debian","providers":{"osv:debian":"Debian"}},
  "osv-rocky": {"title":"OSV: Rocky Linux","providers":{"osv:rocky":"Rocky Linux"}},
  "osv-suse": {"title":"OSV: SUSE","providers":{"osv:suse":"SUSE"}},
  "osv-opensuse": {"title":"OSV: openSUSE","providers":{"osv:opensuse":"openSUSE"}},
  "osv-ubuntu": {"title":"OSV: Ubuntu","providers":{"osv:ubuntu":"Ubuntu"}},
  "rubysec": {"title":"RubySec","providers":{"rubysec":"RubySec"}},
  "friendsofphp": {"title":"FriendsOfPHP","providers":{"friendsofphp":"FriendsOfPHP"}},
  "malicious": {"title":"OpenSSF Malicious Packages","providers":{"malicious":"OpenSSF Malicious Packages"}},
  "redhat": {"title":"Red Hat","providers":{"redhat":"Red Hat"}},
  "msrc": {"title":"Microsoft","providers":{"msrc":"Microsoft"}},
  "debian": {"title":"Debian tracker","providers":{}},
  "alpine": {"title":"Alpine Linux","providers":{"alpine":"Alpine Linux"}},
  "wolfi": {"title":"Wolfi","providers":{"wolfi":"Wolfi"}},
  "chainguard": {"title":"Chainguard","providers":{"chainguard":"Chainguard"}},
  "endoflife": {"title":"endoflife.date","providers":{"endoflife":"endoflife.date"}},
  "csaf-cisco": {"title":"Cisco","providers":{"csaf-cisco":"Cisco"}},
  "csaf-paloalto": {"title":"Palo Alto Networks","providers":{"csaf-paloalto":"Palo Alto Networks"}},
  "csaf-cisa": {"title":"CISA advisory","providers":{"csaf-cisa":"CISA advisory"}},
  "csaf-suse": {"title":"SUSE","providers":{"csaf-suse":"SUSE"}},
  "csaf-siemens": {"title":"Siemens","providers":{"csaf-siemens":"Siemens"}},
  "csaf-schneider": {"title":"Schneider Electric","providers":{"csaf-schneider":"Schneider Electric"}},
  "csaf-certvde": {"title":"CERT@VDE","providers":{"csaf-certvde":"CERT@VDE"}},
  "csaf-fortinet": {"title":"Fortinet","providers":{"csaf-fortinet":"Fortinet"}},
  "csaf-microsoft": {"title":"Microsoft CSAF","providers":{"csaf-microsoft":"Microsoft CSAF"}},
  "csaf-oracle": {"title":"Oracle","providers":{"csaf-oracle":"Oracle"}},
  "csaf-bsi": {"title":"BSI","providers":{"csaf-bsi":"BSI"}},
  "csaf-intel": {"title":"Intel","providers":{"csaf-intel":"Intel"}},
  "csaf-abb": {"title":"ABB","providers":{"csaf-abb":"ABB"}},
  "csaf-bosch": {"title":"Bosch","providers":{"csaf-bosch":"Bosch"}},
  "csaf-sick": {"title":"SICK","providers":{"csaf-sick":"SICK"}},
  "csaf-nozomi": {"title":"Nozomi Networks","providers":{"csaf-nozomi":"Nozomi Networks"}},
  "csaf-ncscnl": {"title":"NCSC-NL","providers":{"csaf-ncscnl":"NCSC-NL"}},
  "nvd-history": {"title":"Changes of NVD's records","providers":{}},
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
  { form: "PYSEC", issuer: "PyPA", example: "PYSEC-2021-335", page: "https://osv.dev/vulnerability/{id}", pattern: /^PYSEC-\d{4}-\d{1,9}$/i },
  { form: "EEF-CVE", issuer: "Erlang Ecosystem Foundation", example: "EEF-CVE-2026-56811", page: "https://osv.dev/vulnerability/{id}", pattern: /^EEF-CVE-\d{4}-\d{4,9}$/i },
  { form: "ALSA", issuer: "AlmaLinux", example: "ALSA-2024:4312", page: "https://osv.dev/vulnerability/{id}", pattern: /^AL[SBE]A-\d{4}:[A-Z0-9-]{1,90}$/i },
  { form: "DSA", issuer: "Debian", example: "DSA-5724-1", page: "https://security-tracker.debian.org/tracker/{id}", pattern: /^D[SL]A-\d{1,5}-\d{1,3}$/i },
  { form: "RLSA", issuer: "Rocky Linux", example: "RLSA-2024:4312", page: "https://osv.dev/vulnerability/{id}", pattern: /^R[LX][SBE]A-\d{4}:\d{3,6}$/i },
  { form: "SUSE", issuer: "SUSE", example: "SUSE-SU-2024:2275-1", page: "https://osv.dev/vulnerability/{id}", pattern: /^SUSE-[A-Z]{2}-\d{4}:\d{1,6}-\d{1,3}$/i },
  { form: "openSUSE", issuer: "openSUSE", example: "openSUSE-SU-2021:1577-1", page: "https://osv.dev/vulnerability/{id}", pattern: /^(?:open)?SUSE-[A-Z]{2}-\d{4}:\d{1,6}-\d{1,3}$/i },
  { form: "USN", issuer: "Ubuntu", example: "USN-6859-1", page: "https://osv.dev/vulnerability/{id}", pattern: /^(?:UBUNTU-CVE-\d{4}-\d{4,9}|[LU]SN-\d{1,5}-\d{1,3})$/i },
  { form: "MAL", issuer: "OpenSSF", example: "MAL-2024-1296", page: "https://osv.dev/vulnerability/{id}", pattern: /^MAL-[1-9]\d{3}-\d{1,7}$/i },
  { form: "RHSA", issuer: "Red Hat", example: "RHSA-2024:4312", page: "https://access.redhat.com/errata/{+id}", pattern: /^RH[SBE]A-\d{4}:\d{3,6}$/i },
  { form: "KB", issuer: "Microsoft", example: "KB5041580", page: "https://support.microsoft.com/help/{digits}", pattern: /^KB\d{6,8}$/i },
  { form: "cisco-sa", issuer: "Cisco", example: "cisco-sa-asaftd-persist-rce-flsnxf4h", pattern: /^cisco-sa-[a-z\d][a-z\d_-]{3,90}$/i },
  { form: "PAN-SA", issuer: "Palo Alto Networks", example: "PAN-SA-2020-0011", page: "https://security.paloaltonetworks.com/{id}", pattern: /^PAN-SA-\d{4}-\d{4}$/i },
  { form: "ICSA", issuer: "CISA", example: "ICSA-22-349-21", pattern: /^ICSM?A-\d{2}-\d{3}-\d{2}[A-Z]?$/i },
  { form: "SSA", issuer: "Siemens", example: "SSA-712929", page: "https://cert-portal.siemens.com/productcert/html/ssa-{digits}.html", pattern: /^SSA-\d{6}$/i },
  { form: "SEVD", issuer: "Schneider Electric", example: "SEVD-2024-100-01", pattern: /^SEVD-\d{4}-\d{3}-\d{2}$/i },
  { form: "VDE", issuer: "CERT@VDE", example: "VDE-2024-022", page: "https://certvde.com/en/advisories/{id}/", pattern: /^VDE-\d{4}-\d{3}$/i },
  { form: "FG-IR", issuer: "Fortinet", example: "FG-IR-24-015", page: "https://fortiguard.fortinet.com/psirt/{id}", pattern: /^FG-IR-\d{2}-\d{3,4}$/i },
  { form: "WID-SEC", issuer: "BSI", example: "WID-SEC-2024-0769", page: "https://wid.cert-bund.de/portal/wid/securityadvisory?name={id}", pattern: /^WID-SEC-(?:W-)?\d{4}-\d{4}$/i },
  { form: "INTEL-SA", issuer: "Intel", example: "INTEL-SA-00657", pattern: /^INTEL-SA-\d{5}$/i },
  { form: "BOSCH-SA", issuer: "Bosch", example: "BOSCH-SA-247053-BT", page: "https://psirt.bosch.com/security-advisories/{id}.html", pattern: /^BOSCH-SA-\d{6}(?:-[A-Z]{2,4})?$/i },
  { form: "SCA", issuer: "SICK", example: "SCA-2023-0008", pattern: /^SCA-\d{4}-\d{4}$/i },
  { form: "NN", issuer: "Nozomi Networks", example: "NN-2023:12-01", page: "https://security.nozominetworks.com/{+id}", pattern: /^NN-\d{4}:\d{1,3}-\d{2}$/i },
  { form: "NCSC", issuer: "NCSC-NL", example: "NCSC-2024-0269", page: "https://advisories.ncsc.nl/advisory?id={id}", pattern: /^NCSC-\d{4}-\d{4}$/i },
]
