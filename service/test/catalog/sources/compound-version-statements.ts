// Version statements from CVE List records with several ranges, with fixed versions or with commits, in the column
// format of version-statements.ts.
export const COMPOUND_STATEMENTS = String.raw`hpe ¦ Hewlett Packard Enterprise (HPE) Aruba Mobility Conductor ¦ ArubaOS 10.5.x.x: 10.5.1.0 and below ¦ ¦ ¦ [10.5, 10.5.1.0]
hackerone ¦ Ivanti MobileIron Sentry ¦ 9.18.0 and below ¦ 9.18.0 and below ¦ ¦ [, 9.18.0]
hackerone ¦ Versa Director ¦ 21.2.3 before 2024-06-21 ¦ 21.2.3 before 2024-06-21 ¦ ¦ 21.2.3
hackerone ¦ Versa Director ¦ 22.1.2 before 2024-06-21 ¦ ¦ 22.1.2 before 2024-06-21 ¦ 22.1.2
GitHub_M ¦ minio ¦ < RELEASE.2024-01-31T20-20-33Z ¦ ¦ ¦ [, RELEASE.2024-01-31T20-20-33Z)
vmware ¦ Spring Spring Framework ¦ 5.3.0 ¦ 5.3.39, 6.0+ ¦ ¦ [5.3.0, 5.3.39)
certcc ¦ CodeAsk loader ¦ d61d0e09d008bfb29bc32532b1b94fcc4ee2af5e8372c6d38722a4e73ecc71d6 ¦ ¦ ¦ commit
Hitachi Energy ¦ Hitachi Energy UNEM ¦ UNEM R16B PC2 ¦ ¦ ¦ R16B_PC2
facebook ¦ Meta Llama Stack ¦ 0 ¦ 7a8aa775e5a267cf8660d83140011a0b7f91e005 ¦ ¦ commit
hackerone ¦ https://github.com/curl/curl ¦ Fixed in 7.83.1 ¦ ¦ ¦ [, 7.83.1)
hackerone ¦ https://github.com/curl/curl ¦ fixed in curl 7.83.0 ¦ ¦ ¦ [, 7.83.0)
hackerone ¦ https://github.com/nodejs/node ¦ Fixed version 16.6.2, 14.17.5, and 12.22.5 ¦ ¦ ¦ [, 16.6.2); [, 14.17.5); [, 12.22.5)
hackerone ¦ Pulse Connect Secure ¦ Fixed in 9.1R8.2 ¦ ¦ ¦ [, 9.1R8.2)
openssl ¦ OpenSSL ¦ Fixed in OpenSSL 1.1.1d (Affected 1.1.1-1.1.1c) ¦ ¦ ¦ [1.1.1, 1.1.1d)
openssl ¦ OpenSSL ¦ Fixed in OpenSSL 3.0.1 (Affected 3.0.0) ¦ ¦ ¦ [3.0.0, 3.0.1)
openssl ¦ OpenSSL ¦ Fixed in OpenSSL 1.0.2y (Affected 1.0.2s-1.0.2x) ¦ ¦ ¦ [1.0.2s, 1.0.2y)
redhat ¦ samba ¦ Fixed in samba 4.15.11, samba 4.16.6, samba 4.17.2. ¦ ¦ ¦ [, 4.15.11); [, 4.16.6); [, 4.17.2)
redhat ¦ samba ¦ Versions prior to samba 4.16.4, samba 4.15.9, samba 4.14.14 ¦ ¦ ¦ [, 4.16.4); [, 4.15.9); [, 4.14.14)
redhat ¦ libvirt ¦ Fixed-In - libvirt v7.5.0 ¦ ¦ ¦ [, 7.5.0)
redhat ¦ pcs ¦ Affects pcs v0.11.4-6.el9, Fixed in pcs v0.11.4-7.el9_2 ¦ ¦ ¦ 0.11.4-6.el9; [, 0.11.4-7.el9_2)
redhat ¦ libreswan ¦ Affects libreswan v4.9-1.el8, Fixed in libreswan v4.9-3.el8_8 and libreswan v4.9-4.el9_2 ¦ ¦ ¦ 4.9-1.el8; [, 4.9-3.el8_8); [, 4.9-4.el9_2)
redhat ¦ ansible ¦ Fixed in Ansible Engine v2.9.27 ¦ ¦ ¦ any
CISA-ADP ¦ oisf suricata ¦ >= 6.0.0, <= 6.0.18, >= 7.0.0, <= 7.0.4 ¦ ¦ ¦ [6.0.0, 6.0.18]; [7.0.0, 7.0.4]
CISA-ADP ¦ pdf.js_viewer_project pdf.js_viewer ¦ < 7.7.3, >= 8.0.0, < 8.0.2 ¦ ¦ ¦ [, 7.7.3); [8.0.0, 8.0.2)
HCL ¦ HCL Software HCL Unica Platform ¦ < 11.1.0.6, <12.1.1 ¦ ¦ ¦ [, 11.1.0.6); [, 12.1.1)
SEC-VLab ¦ metaVentis GmbH edu-sharing ¦ <8.0.8-RC2, <8.1.4-RC0, <9.0.0-RC19 ¦ ¦ ¦ [, 8.0.8-RC2); [, 8.1.4-RC0); [, 9.0.0-RC19)
GitHub_M ¦ FreeRDP ¦ >= 3.0.0, 3.5.0 ¦ ¦ ¦ [3.0.0, ); 3.5.0
GitHub_M ¦ discourse discourse-calendar ¦ < 66259cd21dc6a1b2139d9833f3f847d8013e6759 ¦ ¦ ¦ commit
GitHub_M ¦ openwrt asu ¦ < 920c8a1 ¦ ¦ ¦ commit
GitHub_M ¦ moonlight-stream moonlight-common-c ¦ >= 50c0a51b10ecc5b3415ea78c21d96d679e2288f9, < 24750d4b748fefa03d09fcfd6d45056faca354e0 ¦ ¦ ¦ commit
google_android ¦ Android ¦ Android-11 Android-12 Android-12L Android-13 ¦ ¦ ¦ Android-11; Android-12; Android-12L; Android-13
google_android ¦ Android ¦ Android-8.0 Android-8.1 Android-9 Android-10 ¦ ¦ ¦ Android-8.0; Android-8.1; Android-9; Android-10
Rockwell ¦ Rockwell Automation ThinManager ThinServer ¦ 11.1.0-11.1.7 11.2.0-11.2.8 12.0.0-12.0.6 ¦ ¦ ¦ [11.1.0, 11.1.7]; [11.2.0, 11.2.8]; [12.0.0, 12.0.6]
oracle ¦ Oracle Corporation Application Express ¦ 5.1-19.2 ¦ ¦ ¦ [5.1, 19.2]
redhat ¦ ClusterLabs booth ¦ 1.0-283.1 ¦ ¦ ¦ 1.0-283.1
oracle ¦ Oracle Corporation MySQL Server ¦ 5.5.57 and earlier 5.6.37 and earlier 5.7.19 and earlier ¦ ¦ ¦ [, 5.5.57]; [, 5.6.37]; [, 5.7.19]
fortinet ¦ Fortinet FortiWeb ¦ FortiWeb 6.3.0 through 6.3.7 and version before 6.2.4 ¦ ¦ ¦ [6.3.0, 6.3.7]; [, 6.2.4)
jpcert ¦ Ricoh Company, Ltd. IM C8500 ¦ prior to System 1.04-00 ¦ ¦ ¦ any
redhat ¦ LibreOffice ¦ through at least 2012-12-15 ¦ ¦ ¦ any
redhat ¦ binutils ¦ affected at least binutils 2.40 ¦ ¦ ¦ any
intel ¦ Intel(R) VCUST Tool software ¦ downloaded before February 3nd 2023 ¦ ¦ ¦ any
Perforce ¦ Akana Akana API Platform ¦ 2022.1.3 ¦ 2022.1.3 (CVE-2024-3826 Patch) ¦ ¦ 2022.1.3
palo_alto ¦ Palo Alto Networks Cortex XSOAR ¦ 6.12.0 ¦ 6.12.0 (Build 1271551) ¦ ¦ 6.12.0
Hitachi ¦ Hitachi Unified Storage VM ¦ 0 ¦ DKCMAIN Ver. 73-03-75-X0/00, SVP Ver. 73-03-74/00 ¦ ¦ any
INCD ¦ Loway QueueMetrics ¦ 22.11.6 ¦ ¦ Upgrade to version 24.05.5 ¦ [22.11.6, 24.05.5)
INCD ¦ Loway QueueMetrics ¦ 22.11.6 ¦ ¦ Upgrade to version 24.05.5 or enable "Secure Configuration" ¦ [22.11.6, 24.05.5)
INCD ¦ One ¦ version 5.9.7.1 ¦ ¦ upgrade to versions 5.12.2, 5.11.2 or 5.13 ¦ [5.9.7.1, 5.13); [5.9.7.1, 5.12.2); [5.9.7.1, 5.11.2)
INCD ¦ SysAid ¦ version 23.2.14 b18 ¦ ¦ Upgrade to version 23.3.38 or later ¦ [23.2.14_b18, 23.3.38)
INCD ¦ Verint WFO ¦ All versions ¦ Upgrade to version 15.2.1030 or greater. ¦ ¦ [, 15.2.1030)
INCD ¦ AccuPOS ¦ version 2023.25 ¦ ¦ Upgrade to the latest version. ¦ [2023.25, )
CISA-ADP ¦ perforce helix_core ¦ 0 ¦ 2023.1\/patch_2\/ ¦ ¦ [, 2023.1_patch_2)
CISA-ADP ¦ tenda fh1202 ¦ 1.2.0.14\/408\/ ¦ ¦ ¦ 1.2.0.14(408)
CISA-ADP ¦ tenda fh1201_firmware ¦ v1.2.0.14\/408\/ ¦ ¦ ¦ 1.2.0.14(408)
CISA-ADP ¦ tvt avision_dvr_av108t ¦ 1.3.4.22966B181219.D00.U\/(4A21S\/ ¦ ¦ ¦ 1.3.4.22966B181219.D00.U(4A21S)
CISA-ADP ¦ kofax power_pdf ¦ 5.0.0.57\/5.0.0.10.0.23307\/ ¦ ¦ ¦ 5.0.0.57
CISA-ADP ¦ hex_workshop ¦ 6.7\/6.8.0.5419\/Sep 1 2014\/ ¦ ¦ ¦ 6.7
CISA-ADP ¦ progress_software telerik_report_server ¦ 1.0.0.0 ¦ 2024 Q3\/10.2.24.806\/ ¦ ¦ [1.0.0.0, 10.2.24.806)
CISA-ADP ¦ mitel micollab ¦ 0 ¦ ¦ 9.8-SP1-\/9.8.1.5\/ ¦ [, 9.8.1.5]
CISA-ADP ¦ suse rke2 ¦ 1.24.0 ¦ 1.24.17\+/rke2r1 ¦ ¦ [1.24.0, 1.24.17+rke2r1)
CISA-ADP ¦ dlink dsl-2730u ¦ adsl2\/+\/ ¦ ¦ ¦ adsl2
CISA-ADP ¦ flipsnack ¦ 0 ¦ ¦ v.18\/03\/2024 ¦ any
INCIBE ¦ Astrotalks ¦ 03/10/2023 ¦ ¦ ¦ any
Baxter ¦ Connex Health Portal ¦ 0 ¦ 8/30/2024 ¦ ¦ any
twcert ¦ Interinfo DreamMaker ¦ 0 ¦ 2024/09/26 ¦ ¦ any
twcert ¦ Ragic Enterprise Cloud Database ¦ 0 ¦ 2024/08/08 09:45:25 ¦ ¦ any
rapid7 ¦ Insight Platform ¦ 11/2019 ¦ 08/14/2024 ¦ ¦ any
GitHub_M ¦ spaceness stardust ¦ < 12/20/24 ¦ ¦ ¦ any
talos ¦ Tp-Link ER7206 ¦ 1.3.0 build 20230322 Rel.70591 ¦ ¦ ¦ 1.3.0 + build_20230322_Rel.70591
zdi ¦ TP-Link Tapo C210 ¦ 1.3.0 Build 220830 Rel.69909n (release 2022-09-22) ¦ ¦ ¦ 1.3.0 + Build_220830_Rel.69909n
VulDB ¦ DouPHP ¦ 1.7 Release 20220822 ¦ ¦ ¦ 1.7 + Release_20220822
hpe ¦ HPE IceWall ¦ IceWall Gen11 ¦ Patch Release 14 ¦ ¦ [Gen11, Patch_Release_14)
Samsung Mobile ¦ Samsung Mobile Devices ¦ Android 11 ¦ SMR Jun-2023 Release 1 ¦ ¦ [Android_11, SMR_Jun-2023_Release_1)
jpcert ¦ Example Router ¦ Rel.2.4 and Release 2.5 ¦ ¦ ¦ 2.4; 2.5
CISA-ADP ¦ ezviz cs-cv246_firmware ¦ d15655150 ¦ ¦ ¦ d15655150
vmware ¦ VMware Aria Operations for Logs ¦ VMware Aria Operations for Logs 8.x, VMware Cloud Foundation (VMware Aria Operations for Logs) 5.x 4.x ¦ ¦ ¦ any
hikvision ¦ Hikvision HikCentral Professional ¦ Versions after V2.0.0 and before V2.5.1 ¦ ¦ ¦ [2.0.0, 2.5.1)
hikvision ¦ Hikvision DS-77xxNI-Mx ¦ Versions after V5.00.000 (including V5.00.000) and before V5.02.006（not including V5.02.006） ¦ ¦ ¦ [5.00.000, 5.02.006)
hp ¦ HP Integrated Lights-Out 4 (iLO 4) ¦ firmware version 2.11 and later, but prior to version 2.30 ¦ ¦ ¦ [2.11, 2.30)
example ¦ Router ¦ 2.0 and later, before 1.4 ¦ ¦ ¦ [2.0, ); [, 1.4)
example ¦ Router ¦ after 2.0 and before 2.4 final edition of it ¦ ¦ ¦ any
jpcert ¦ Yokogawa Unifier ¦ Version.5.0 or later ¦ ¦ ¦ [5.0, )
isc ¦ ISC BIND9 ¦ Open Source Branches 9.0 through 9.16 9.0.0 through versions before 9.16.33 ¦ ¦ ¦ [9.0.0, 9.16.33)
isc ¦ ISC BIND9 ¦ Development Branch 9.19 9.19.0 through versions before 9.19.5 ¦ ¦ ¦ [9.19.0, 9.19.5)
isc ¦ ISC BIND9 ¦ Supported Preview Branches 9.9-S through 9.11-S 9.9.3-S1 through versions up to and including 9.11.37-S1 ¦ ¦ ¦ [9.9.3-S1, 9.11.37-S1]
SamsungMobile ¦ Samsung Mobile Devices ¦ SMR Oct-2024 Release in Android 12, 13, 14 ¦ ¦ ¦ any
zdi ¦ libspf2 ¦ exim 4.96-RC0-14-24b8ed847-XX ¦ ¦ ¦ any
CISA-ADP ¦ rockwellautomation compactlogix_5480_firmware ¦ 32 .011 ¦ 33.017 ¦ ¦ [32_.011, 33.017)
`
