// Names of vendors and products for people. CPE writes them in lower case, with underscores instead of blanks.
import { capitalise } from './format.ts'

/** Names that rules would spell wrongly, by their CPE spelling. */
const NAMES: Readonly<Record<string, string>> = {
  adobe: 'Adobe',
  amd: 'AMD',
  asus: 'ASUS',
  bmc: 'BMC',
  broadcom: 'Broadcom',
  checkpoint: 'Check Point',
  connectwise: 'ConnectWise',
  crushftp: 'CrushFTP',
  'd-link': 'D-Link',
  dlink: 'D-Link',
  f5: 'F5',
  fortios: 'FortiOS',
  fortiproxy: 'FortiProxy',
  fortimanager: 'FortiManager',
  fortiweb: 'FortiWeb',
  gitlab: 'GitLab',
  github: 'GitHub',
  goanywhere_managed_file_transfer: 'GoAnywhere Managed File Transfer',
  hpe: 'HPE',
  ibm: 'IBM',
  ios: 'iOS',
  ios_xe: 'IOS XE',
  ios_xr: 'IOS XR',
  ipados: 'iPadOS',
  iphone_os: 'iPhone OS',
  jetbrains: 'JetBrains',
  libreoffice: 'LibreOffice',
  linux_kernel: 'Linux kernel',
  mac_os_x: 'Mac OS X',
  macos: 'macOS',
  mariadb: 'MariaDB',
  mediatek: 'MediaTek',
  mongodb: 'MongoDB',
  moveit_transfer: 'MOVEit Transfer',
  'n-able': 'N-able',
  netapp: 'NetApp',
  netscaler_application_delivery_controller: 'NetScaler ADC',
  netscaler_gateway: 'NetScaler Gateway',
  nodejs: 'Node.js',
  'node.js': 'Node.js',
  nvidia: 'NVIDIA',
  openbsd: 'OpenBSD',
  openssh: 'OpenSSH',
  openssl: 'OpenSSL',
  opensuse: 'openSUSE',
  'pan-os': 'PAN-OS',
  paloaltonetworks: 'Palo Alto Networks',
  papercut_mf: 'PaperCut MF',
  papercut_ng: 'PaperCut NG',
  phpmyadmin: 'phpMyAdmin',
  postgresql: 'PostgreSQL',
  qnap: 'QNAP',
  redhat: 'Red Hat',
  sap: 'SAP',
  sharepoint_server: 'SharePoint Server',
  sma1000: 'SMA1000',
  solarwinds: 'SolarWinds',
  sonicwall: 'SonicWall',
  sophos: 'Sophos',
  suse: 'SUSE',
  teamviewer: 'TeamViewer',
  totolink: 'TOTOLINK',
  'tp-link': 'TP-Link',
  tvos: 'tvOS',
  vbulletin: 'vBulletin',
  vcenter_server: 'vCenter Server',
  vmware: 'VMware',
  visionos: 'visionOS',
  watchguard: 'WatchGuard',
  watchos: 'watchOS',
  webkitgtk: 'WebKitGTK',
  woocommerce: 'WooCommerce',
  wordpress: 'WordPress',
  youtube: 'YouTube',
  zte: 'ZTE',
}

/** Words inside of names. Words of up to four letters without a vowel, such as `http`, need no entry. */
const WORDS: Readonly<Record<string, string>> = {
  acs: 'ACS',
  adc: 'ADC',
  ai: 'AI',
  and: 'and',
  api: 'API',
  app: 'App',
  asa: 'ASA',
  cpu: 'CPU',
  elearning: 'eLearning',
  erp: 'ERP',
  esxi: 'ESXi',
  fmc: 'FMC',
  for: 'for',
  gpu: 'GPU',
  id: 'ID',
  iot: 'IoT',
  ip: 'IP',
  java: 'Java',
  jdk: 'JDK',
  jre: 'JRE',
  linux: 'Linux',
  lte: 'LTE',
  my: 'My',
  of: 'of',
  os: 'OS',
  pos: 'POS',
  qemu: 'QEMU',
  sd: 'SD',
  seo: 'SEO',
  sso: 'SSO',
  the: 'the',
  ui: 'UI',
  url: 'URL',
  usb: 'USB',
  xwiki: 'XWiki',
}

/** Formats a name in CPE spelling: `http_server` becomes "HTTP Server". A name with capital letters stays as it is. */
export function toDisplayName(name: string): string {
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  if (known !== undefined) return known
  if (/\p{Lu}/u.test(name)) return name.replaceAll('_', ' ')
  return capitalise(
    name
      .split(/[_\s]+/)
      .map(toDisplayWord)
      .join(' '),
  )
}

function toDisplayWord(word: string): string {
  if (Object.hasOwn(NAMES, word)) return NAMES[word] ?? word
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? word
  return word.length <= 4 && /^[b-df-hj-np-tv-xz]+$/.test(word) ? word.toUpperCase() : capitalise(word)
}
