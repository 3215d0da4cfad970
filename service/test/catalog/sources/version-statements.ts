// Version statements from CVE List records, each with the expected reading. The statements are real; the readings were
// decided by hand.
//
// Columns: CNA ¦ vendor and product ¦ version ¦ lessThan ¦ lessThanOrEqual ¦ reading. In a reading, `[1.0, 2.0)` is a
// range whose end is excluded, an empty side has no limit, `3.2.0 + p2` is a version with its update, `any` is every
// version, and `commit` is a commit, which is not a version.
import { COMPOUND_STATEMENTS } from './compound-version-statements.ts'
import { WORDY_STATEMENTS } from './wordy-version-statements.ts'

export interface VersionStatement {
  readonly cna: string
  readonly product: string
  readonly version: string
  readonly lessThan: string
  readonly lessThanOrEqual: string
  readonly reading: string
}

const TABLE = String.raw`
mitre ¦ n/a ¦ n/a ¦ ¦ ¦ any
CISA-ADP ¦ qualcomm 315_5g_iot_modem_firmware ¦ 0 ¦ ¦ * ¦ any
CISA-ADP ¦ bitcoin bitcoin_core ¦ 0 ¦ 0.12 ¦ ¦ [, 0.12)
CISA-ADP ¦ yealink w60b ¦ 77.83.0.85 ¦ ¦ ¦ 77.83.0.85
CISA-ADP ¦ ashlar cobalt ¦ * ¦ ¦ ¦ any
CISA-ADP ¦ foxit pdf_editor ¦ - ¦ ¦ ¦ any
CISA-ADP ¦ sick lms5xx ¦ 0 ¦ * ¦ ¦ any
CISA-ADP ¦ mediatek mt6739 ¦ android_11.0 ¦ ¦ android_14.0 ¦ [android_11.0, android_14.0]
CISA-ADP ¦ juniper junos_os_evolved ¦ 21.2 ¦ 21.2r3-s4 ¦ ¦ [21.2, 21.2r3-s4)
CISA-ADP ¦ d-link d-view ¦ 0 ¦ v2.0.1.27 ¦ ¦ [, 2.0.1.27)
CISA-ADP ¦ rockwellautomation 5015_aenftxt ¦ v2.011 ¦ ¦ ¦ 2.011
CISA-ADP ¦ dlink dir-2150 ¦ 1.05b01 ¦ ¦ ¦ 1.05b01
CISA-ADP ¦ checkmk checkmk ¦ 2.0.0 ¦ ¦ 2.0.0p39 ¦ [2.0.0, 2.0.0p39]
CISA-ADP ¦ cisco ios ¦ 15.2\(1\)S1 ¦ ¦ ¦ 15.2(1)S1
CISA-ADP ¦ cisco nx-os ¦ 7.0\(3\)i5\(2\) ¦ ¦ ¦ 7.0(3)i5(2)
CISA-ADP ¦ cisco unified_communications_manager ¦ 10.5\(1\)su1 ¦ ¦ ¦ 10.5(1)su1
CISA-ADP ¦ totolink lr350 ¦ 1.2.0.14\(408\) ¦ ¦ ¦ 1.2.0.14(408)
CISA-ADP ¦ grafana grafana ¦ 11.0.0 ¦ 11.0.5\+security-01 ¦ ¦ [11.0.0, 11.0.5+security-01)
CISA-ADP ¦ servicenow servicenow ¦ 0 ¦ washington_dc_patch_2_hot_fix_2 ¦ ¦ [, washington_dc_patch_2_hot_fix_2)
CISA-ADP ¦ sap asset_accounting ¦ sap_appl600 ¦ ¦ ¦ sap_appl600
CISA-ADP ¦ qualcomm snapdragon ¦ fastconnect_6900 ¦ ¦ ¦ fastconnect_6900
CISA-ADP ¦ linux linux_kernel ¦ 1da177e4c3f4 ¦ 24256415d186 ¦ ¦ commit
CISA-ADP ¦ linux linux_kernel ¦ cea750c99d8f ¦ 8730d6335e5 ¦ ¦ commit
CISA-ADP ¦ linux linux_kernel ¦ 5.12.5 ¦ ¦ 5.12* ¦ [5.12.5, 5.13)
CISA-ADP ¦ stitionai devika ¦ ecee79f ¦ ¦ ¦ commit
CISA-ADP ¦ kalvingit kvf-admin ¦ 0 ¦ ¦ f12a94dc1ebb7d1c51ee978a85e4c7ed75c620ff ¦ commit
CISA-ADP ¦ tenda ac8 ¦ US_AC8V4.0si_V16.03.34.06_cn ¦ ¦ ¦ US_AC8V4.0si_V16.03.34.06_cn
vulncheck ¦ activePDF WebGrabber ¦ 0 ¦ ¦ 3.8.2.0 ¦ [, 3.8.2.0]
vulncheck ¦ ggml-org llama.cpp ¦ 0 ¦ b8585 ¦ ¦ [, b8585)
vulncheck ¦ eidetic-labs stigmem-node ¦ 0 ¦ 0.9.0a12 ¦ ¦ [, 0.9.0a12)
vulncheck ¦ skypilot-org skypilot ¦ 0 ¦ ¦ 0.13.1rc1 ¦ [, 0.13.1rc1]
vulncheck ¦ WWBN AVideo ¦ 0 ¦ ¦ 9c39d8c8b4c1f75540788d6b391740852ceb0732 ¦ commit
VulDB ¦ BestWebSoft Portfolio Plugin ¦ 2.04 ¦ ¦ ¦ 2.04
VulDB ¦ shannah Xataface ¦ 2.x ¦ ¦ ¦ [2, 3)
VulDB ¦ go4rayyan Scumblr ¦ 2.0.1a ¦ ¦ ¦ 2.0.1a
VulDB ¦ D-Link DIR-605L ¦ 2.13B01 BETA ¦ ¦ ¦ 2.13B01 + BETA
VulDB ¦ XINJE XD5E-30R-E ¦ 3.5.3b ¦ ¦ ¦ 3.5.3b
VulDB ¦ Tianjin PubliCMS ¦ 4.0.202302.e ¦ ¦ ¦ 4.0.202302.e
VulDB ¦ TOTOLINK LR1200 ¦ 9.3.1cu.2832 ¦ ¦ ¦ 9.3.1cu.2832
VulDB ¦ Tenda AC15 ¦ 15.03.20_multi ¦ ¦ ¦ 15.03.20_multi
VulDB ¦ TVT DVR TD-2104TS-CL ¦ 1.3.3.20657B180918.D06.U2(4A41T) ¦ ¦ ¦ 1.3.3.20657B180918.D06.U2(4A41T)
VulDB ¦ GL.iNet BE9300 ¦ 4.8.* ¦ ¦ ¦ [4.8, 4.9)
VulDB ¦ Eprints3 Eprints ¦ 665dbc2690ebeb5392d38f1fece0a654225a0b38 ¦ ¦ ¦ commit
VulDB ¦ D-Link DAP-1320 ¦ 20240428 ¦ ¦ ¦ 20240428
VulDB ¦ TOTOLINK A800R ¦ 4.1.2cu.5137_B20200730 ¦ ¦ ¦ 4.1.2cu.5137_B20200730
Patchstack ¦ ThemeHunk Advance WordPress Search Plugin ¦ n/a ¦ ¦ 1.1.4 ¦ [, 1.1.4]
Patchstack ¦ Themify Post Type Builder ¦ n/a ¦ 2.1.1 ¦ ¦ [, 2.1.1)
Patchstack ¦ Noel Jarencio Smoothness Slider Shortcode ¦ n/a ¦ ¦ v1.2.2 ¦ [, 1.2.2]
atlassian ¦ Atlassian Jira Server ¦ unspecified ¦ 8.13.15 ¦ ¦ [, 8.13.15)
atlassian ¦ Atlassian Jira Server ¦ 8.14.0 ¦ unspecified ¦ ¦ [8.14.0, )
atlassian ¦ Atlassian Confluence Data Center ¦ 8.8.0 to 8.8.1 ¦ ¦ ¦ [8.8.0, 8.8.1]
atlassian ¦ Atlassian Bitbucket Data Center ¦ before 7.17.12 ¦ ¦ ¦ [, 7.17.12)
atlassian ¦ Atlassian Confluence Data Center ¦ >= 8.2.0 ¦ ¦ ¦ [8.2.0, )
Wordfence ¦ TYCHE Abandoned Cart Pro for WooCommerce ¦ * ¦ ¦ 7.12.0 ¦ [, 7.12.0]
Wordfence ¦ tychesoftwares Abandoned Cart Lite ¦ * ¦ 5.2.0 ¦ ¦ [, 5.2.0)
Wordfence ¦ Fonts Manager ¦ 20190426 ¦ ¦ ¦ 20190426
microsoft ¦ Microsoft Windows 10 Version 2004 ¦ 10.0.0 ¦ publication ¦ ¦ [10.0.0, )
microsoft ¦ Microsoft Microsoft 365 Apps for Enterprise ¦ 16.0.1 ¦ https://aka.ms/OfficeSecurityReleases ¦ ¦ [16.0.1, )
microsoft ¦ Microsoft Windows Server 2022 ¦ 10.0.20348.0 ¦ 10.0.20348.2762 ¦ ¦ [10.0.20348.0, 10.0.20348.2762)
microsoft ¦ Microsoft Microsoft .NET Framework 2.0 ¦ 2.0.0 ¦ 3.0.6920.8954; 2.0.50727.8970 ¦ ¦ [2.0.0, 3.0.6920.8954); [2.0.0, 2.0.50727.8970)
microsoft ¦ Microsoft Azure Stack HCI ¦ 2310271149 ¦ ¦ ¦ 2310271149
GitHub_M ¦ gravitl netmaker ¦ < 0.17.1 ¦ ¦ ¦ [, 0.17.1)
GitHub_M ¦ gravitl netmaker ¦ >= 0.18.0, < 0.18.6 ¦ ¦ ¦ [0.18.0, 0.18.6)
GitHub_M ¦ notepad-plus-plus notepad-plus-plus ¦ <= 8.5.6 ¦ ¦ ¦ [, 8.5.6]
GitHub_M ¦ GeoNode geonode ¦ >= 3.2.0, <= 4.1.2 ¦ ¦ ¦ [3.2.0, 4.1.2]
GitHub_M ¦ argoproj argo-cd ¦ = 2.8.0 ¦ ¦ ¦ 2.8.0
GitHub_M ¦ xwiki xwiki-platform ¦ >= 15.0-rc-1, < 15.5.2 ¦ ¦ ¦ [15.0-rc-1, 15.5.2)
GitHub_M ¦ xwiki xwiki-platform ¦ >= 1.3 ¦ ¦ ¦ [1.3, )
GitHub_M ¦ craftcms cms ¦ >= 4.0.0-RC1, < 4.4.15 ¦ ¦ ¦ [4.0.0-RC1, 4.4.15)
GitHub_M ¦ traefik traefik ¦ >= 3.0.0-beta1, < 3.0.0-beta5 ¦ ¦ ¦ [3.0.0-beta1, 3.0.0-beta5)
GitHub_M ¦ discourse discourse ¦ stable <= 3.2.0 ¦ ¦ ¦ [, 3.2.0]
GitHub_M ¦ discourse discourse ¦ beta < 3.2.0.beta1 ¦ ¦ ¦ [, 3.2.0.beta1)
GitHub_M ¦ discourse discourse ¦ tests-passed < 3.2.0.beta1 ¦ ¦ ¦ [, 3.2.0.beta1)
GitHub_M ¦ discourse discourse ¦ beta: <= 3.4.0.beta3 ¦ ¦ ¦ [, 3.4.0.beta3]
GitHub_M ¦ eProsima Fast-DDS ¦ FastDDS = 2.10.2-2 ¦ ¦ ¦ 2.10.2-2
GitHub_M ¦ redis redis ¦ => 4.0.0-alpha, < 4.0.14 ¦ ¦ ¦ [4.0.0-alpha, 4.0.14)
GitHub_M ¦ opengeos streamlit-geospatial ¦ < c4f81d9616d40c60584e36abb15300853a66e489 ¦ ¦ ¦ commit
GitHub_M ¦ argoproj argo-cd ¦ > 0.11.0, < 2.9.17 ¦ ¦ ¦ [0.11.0, 2.9.17)
GitHub_M ¦ pixelfed pixelfed ¦ >= 2.0.0,< 2.9.4 ¦ ¦ ¦ [2.0.0, 2.9.4)
GitHub_M ¦ netty netty ¦ < 4.1.137.Final ¦ ¦ ¦ [, 4.1.137.Final)
GitHub_M ¦ OctoPrint OctoPrint ¦ >= 2.0.0rc1, < 2.0.0rc3 ¦ ¦ ¦ [2.0.0rc1, 2.0.0rc3)
GitHub_M ¦ drakkan sftpgo ¦ >= 2.2.0 < 2.7.2 ¦ ¦ ¦ [2.2.0, 2.7.2)
GitHub_M ¦ LemmyNet lemmy ¦ < 0.19.19-beta.1 ¦ ¦ ¦ [, 0.19.19-beta.1)
GitHub_M ¦ ggerganov llama.cpp ¦ < b3561 ¦ ¦ ¦ [, b3561)
siemens ¦ Siemens InterMesh 7177 Hybrid 2.0 Subscriber ¦ 0 ¦ V8.2.12 ¦ ¦ [, 8.2.12)
siemens ¦ Siemens RUGGEDCOM ROX MX5000 ¦ All versions < V2.16.0 ¦ ¦ ¦ [, 2.16.0)
siemens ¦ Siemens SIMATIC STEP 7 V18 ¦ 0 ¦ V18 Update 2 ¦ ¦ [, 18_Update_2)
siemens ¦ Siemens SINEMA Remote Connect Server ¦ 0 ¦ V3.2 SP1 ¦ ¦ [, 3.2_SP1)
siemens ¦ Siemens SIMOTION ¦ All versions < V4.5 HF1 ¦ ¦ ¦ [, 4.5_HF1)
siemens ¦ Siemens SINAMICS DCM w. PN ¦ All versions < V1.4 SP1 HF5 ¦ ¦ ¦ [, 1.4_SP1_HF5)
siemens ¦ Siemens SIMATIC S7-PCT ¦ 0 ¦ V3.5 SP3 Update 6 ¦ ¦ [, 3.5_SP3_Update_6)
siemens ¦ Siemens SIMATIC WinAC RTX 2010 ¦ All versions < V2010 SP3 ¦ ¦ ¦ [, 2010_SP3)
siemens ¦ Siemens Desigo PXC00-E.D ¦ V2.3 ¦ * ¦ ¦ [2.3, )
siemens ¦ Siemens SIMATIC PCS 7 V9.1 ¦ 0 ¦ V9.1 SP2 UC05 ¦ ¦ [, 9.1_SP2_UC05)
siemens ¦ Siemens Desigo CC ¦ All versions ¦ ¦ ¦ any
siemens ¦ Siemens SIPROTEC 5 ¦ V7.80 ¦ V9.80 ¦ ¦ [7.80, 9.80)
siemens ¦ Siemens Cerberus PRO EN Engineering Tool ¦ 0 ¦ IP8 SR4 ¦ ¦ [, IP8_SR4)
Mitsubishi ¦ Mitsubishi Electric Corporation GENESIS64 ¦ all versions ¦ ¦ ¦ any
Mitsubishi ¦ ICONICS GENESIS64 ¦ versions 10.97 to 10.97.2 ¦ ¦ ¦ [10.97, 10.97.2]
Mitsubishi ¦ Mitsubishi Electric Corporation MELSEC iQ-F FX5U ¦ versions 1.280 and prior ¦ ¦ ¦ [, 1.280]
Mitsubishi ¦ Mitsubishi Electric Corporation M800VW ¦ System Number BND-2051W000 all versions ¦ ¦ ¦ any
Mitsubishi ¦ Mitsubishi Electric Corporation MELSEC iQ-R ¦ Firmware versions "26" and prior ¦ ¦ ¦ [, 26]
Mitsubishi ¦ ICONICS GENESIS64 ¦ version 10.97.3 and prior ¦ ¦ ¦ [, 10.97.3]
oracle ¦ Oracle Corporation Siebel UI Framework ¦ 20.6 and prior ¦ ¦ ¦ [, 20.6]
oracle ¦ Oracle Corporation MySQL Server ¦ 8.0.20 and prior ¦ ¦ ¦ [, 8.0.20]
oracle ¦ Oracle Corporation Oracle Cloud ¦ * ¦ ¦ ¦ any
oracle ¦ Oracle Corporation Java SE JDK and JRE ¦ 8u261 ¦ ¦ ¦ 8u261
oracle ¦ Oracle Corporation Java SE JDK and JRE ¦ Oracle Java SE:11.0.23 ¦ ¦ ¦ 11.0.23
oracle ¦ Oracle Corporation Java SE JDK and JRE ¦ Oracle Java SE:8u411 ¦ ¦ ¦ 8u411
oracle ¦ Oracle Corporation Java ¦ Java SE: 8u251 ¦ ¦ ¦ 8u251
oracle ¦ Oracle Corporation Java ¦ Java SE: 7u261, 8u251, 11.0.7, 14.0.1 ¦ ¦ ¦ 7u261; 8u251; 11.0.7; 14.0.1
oracle ¦ Oracle Corporation Oracle Linux ¦ Oracle Linux: 8 ¦ ¦ ¦ 8
oracle ¦ Oracle Corporation Social Network ¦ unspecified ¦ 11.1.12.0.0 (17019101) ¦ ¦ [, 11.1.12.0.0)
oracle ¦ Oracle Corporation CRM Technical Foundation ¦ 12.2.3-12.2.9 ¦ ¦ ¦ [12.2.3, 12.2.9]
oracle ¦ Oracle Corporation Applications Manager ¦ 12.2.3 - 12.2.10 ¦ ¦ ¦ [12.2.3, 12.2.10]
oracle ¦ Oracle Corporation PeopleTools ¦ 8.56 ¦ ¦ ¦ 8.56
Hitachi ¦ Hitachi EH-VIEW ¦ 0 ¦ * ¦ ¦ any
Hitachi ¦ Hitachi HiRDB Server ¦ 10-00 ¦ ¦ 10-00-* ¦ [10-00, 10-01)
Hitachi ¦ Hitachi HiRDB Server ¦ 09-65 ¦ 09-65-23 ¦ ¦ [09-65, 09-65-23)
Hitachi ¦ Hitachi Cosminexus ¦ 08-00 ¦ ¦ 09-* ¦ [08-00, 10)
qualcomm ¦ Qualcomm, Inc. Snapdragon ¦ FastConnect 6900 ¦ ¦ ¦ FastConnect_6900
qualcomm ¦ Qualcomm, Inc. Snapdragon ¦ AR8031 ¦ ¦ ¦ AR8031
qualcomm ¦ Qualcomm, Inc. Snapdragon ¦ SD 675 ¦ ¦ ¦ SD_675
qualcomm ¦ Qualcomm, Inc. Snapdragon ¦ Snapdragon 8 Gen 1 Mobile Platform ¦ ¦ ¦ any
juniper ¦ Juniper Networks Junos OS ¦ 0 ¦ 20.4R3-S10 ¦ ¦ [, 20.4R3-S10)
juniper ¦ Juniper Networks Junos OS ¦ 21.1 ¦ 21.1* ¦ ¦ [21.1, 21.2)
juniper ¦ Juniper Networks Junos OS Evolved ¦ 21.1R1-EVO ¦ 21.1*-EVO ¦ ¦ [21.1R1-EVO, 21.2-EVO)
juniper ¦ Juniper Networks Junos OS ¦ 22.2 ¦ 22.2R2-S1, 22.2R3 ¦ ¦ [22.2, 22.2R2-S1)
juniper ¦ Juniper Networks Junos OS ¦ 21.4 ¦ 21.4R2-S1, 21.4R3-S5 ¦ ¦ [21.4, 21.4R2-S1); [21.4R3, 21.4R3-S5)
juniper ¦ Juniper Networks Junos OS Evolved ¦ 22.4-EVO ¦ 22.4R2-S2-EVO, 22.4R3-EVO ¦ ¦ [22.4-EVO, 22.4R2-S2-EVO)
juniper ¦ Juniper Networks Junos OS Evolved ¦ 21.2-EVO ¦ 21.2R3-S7-EVO ¦ ¦ [21.2-EVO, 21.2R3-S7-EVO)
juniper ¦ Juniper Networks Junos OS ¦ 22.2R3 ¦ 22.2R3-S4 ¦ ¦ [22.2R3, 22.2R3-S4)
juniper ¦ Juniper Networks Junos OS ¦ 18.4R2 ¦ 18.4* ¦ ¦ [18.4R2, 18.5)
Zoom ¦ Zoom Communications, Inc Zoom Workplace ¦ before version 6.0.0 ¦ ¦ ¦ [, 6.0.0)
Zoom ¦ Zoom Communications, Inc Zoom Workplace ¦ see references ¦ ¦ ¦ any
jpcert ¦ WESEEK, Inc. GROWI ¦ v6.1.11 ¦ ¦ ¦ 6.1.11
jpcert ¦ SKYLARK HOLDINGS CO., LTD. Skylark App ¦ 6.2.13 and earlier ¦ ¦ ¦ [, 6.2.13]
jpcert ¦ FURUNO SYSTEMS Co.,Ltd. ACERA 1320 ¦ firmware ver.01.26 and earlier ¦ ¦ ¦ [, 01.26]
jpcert ¦ FUJI ELECTRIC V-Server ¦ V4.0.17.0 and earlier ¦ ¦ ¦ [, 4.0.17.0]
jpcert ¦ FUJIFILM Business Innovation Apeos ¦ 1.21.0 to 1.26.11 ¦ ¦ ¦ [1.21.0, 1.26.11]
jpcert ¦ Heateor Heateor Social Login WordPress ¦ prior to 1.1.32 ¦ ¦ ¦ [, 1.1.32)
jpcert ¦ NTT Home GateWay ¦ Ver.09.00.0015 and earlier ¦ ¦ ¦ [, 09.00.0015]
jpcert ¦ Century Systems Co., Ltd. FutureNet ¦ firmware version 7.4.9 and earlier ¦ ¦ ¦ [, 7.4.9]
jpcert ¦ Webmin Webmin ¦ versions prior to 1.910 ¦ ¦ ¦ [, 1.910)
jpcert ¦ Yokogawa CENTUM CS 1000 ¦ R3.08.70 and earlier ¦ ¦ ¦ [, R3.08.70]
jpcert ¦ Sharp SH-52B ¦ S5.82.00 and earlier ¦ ¦ ¦ [, S5.82.00]
jpcert ¦ Alfasado PowerCMS ¦ 4.5.0 to 4.5.3 (4.5 series) ¦ ¦ ¦ [4.5.0, 4.5.3]
jpcert ¦ baserCMS baserCMS ¦ All versions of 3.2 series ¦ ¦ ¦ [3.2, 3.3)
jpcert ¦ ELECOM WRC-X3000GS2-B ¦ firmware Ver.7.10 and earlier ¦ ¦ ¦ [, 7.10]
jpcert ¦ TP-Link Archer C50 ¦ firmware versions prior to 'Archer C50(JP)_V3_230505' ¦ ¦ ¦ [, C50(JP)_V3_230505)
jpcert ¦ Sharp Display ¦ prior to build number V51R057C ¦ ¦ ¦ [, 51R057C)
jpcert ¦ LINE Corporation LINE for Android ¦ version 5.0.2 and earlier ¦ ¦ ¦ [, 5.0.2]
jpcert ¦ Thinkingreed Inc. F-RevoCRM ¦ 7.3.0 through 8.0.3 ¦ ¦ ¦ [7.3.0, 8.0.3]
jpcert ¦ Hitachi SiteMinder ¦ 9.1 Service Pack 1 ¦ ¦ ¦ 9.1 + Service_Pack_1
jpcert ¦ WordPress Plugin ¦ ver.3.6.x and earlier ¦ ¦ ¦ [, 3.7)
jpcert ¦ Trend Micro Cloud Edge ¦ prior to v6.8.31 ¦ ¦ ¦ [, 6.8.31)
jpcert ¦ Sharp JH-RVB1 ¦ see the information provided by the vendor ¦ ¦ ¦ any
cisco ¦ Cisco Cisco NX-OS Software ¦ 9.2(1) ¦ ¦ ¦ 9.2(1)
cisco ¦ Cisco Nexus 3000 Series Switches ¦ unspecified ¦ 7.0(3)I7(4) ¦ ¦ [, 7.0(3)I7(4))
cisco ¦ Cisco Cisco IOS XE Software ¦ 3.7.0S ¦ ¦ ¦ 3.7.0S
cisco ¦ Cisco Cisco TelePresence Video Communication Server ¦ X8.5.1 ¦ ¦ ¦ X8.5.1
cisco ¦ Cisco Cisco Unified Contact Center Express ¦ 12.6(1)_ES1 ¦ ¦ ¦ 12.6(1)_ES1
cisco ¦ Cisco Cisco Prime Collaboration ¦ 11.5(1)SU1 ¦ ¦ ¦ 11.5(1)SU1
cisco ¦ Cisco Cisco BroadWorks ¦ 22.0 ap373954 ¦ ¦ ¦ 22.0 + ap373954
cisco ¦ Cisco Cisco BroadWorks ¦ 21.sp1 ap359644 ¦ ¦ ¦ 21.sp1 + ap359644
cisco ¦ Cisco Cisco Identity Services Engine Software ¦ 3.2.0 p2 ¦ ¦ ¦ 3.2.0 + p2
cisco ¦ Cisco Cisco Prime Infrastructure ¦ 3.7.1 Update 05 ¦ ¦ ¦ 3.7.1 + Update_05
cisco ¦ Cisco Cisco Identity Services Engine ¦ 3.3 Patch 2 ¦ ¦ ¦ 3.3 + Patch_2
cisco ¦ Cisco Cisco IP Phones ¦ 11.2.3 MSR1-1 ¦ ¦ ¦ 11.2.3 + MSR1-1
cisco ¦ Cisco Cisco RoomOS Software ¦ RoomOS 10.11.2.2 ¦ ¦ ¦ 10.11.2.2
cisco ¦ Cisco Cisco IOS XE Software ¦ Fuji-16.9.5 ¦ ¦ ¦ Fuji-16.9.5
cisco ¦ Cisco Cisco IOS XE Software ¦ N/A ¦ ¦ ¦ any
@huntr_ai ¦ gradio-app gradio-app/gradio ¦ unspecified ¦ N/A ¦ ¦ any
@huntr_ai ¦ mintplex-labs mintplex-labs/anything-llm ¦ unspecified ¦ ¦ latest ¦ any
@huntr_ai ¦ sylius sylius/sylius ¦ unspecified ¦ 1.9.10, 1.10.11, 1.11.2 ¦ ¦ [, 1.11.2); [, 1.9.10); [, 1.10.11)
@huntrdev ¦ namelessmc namelessmc/nameless ¦ unspecified ¦ v2.0.2 ¦ ¦ [, 2.0.2)
@huntrdev ¦ gpac gpac/gpac ¦ unspecified ¦ 2.3-DEV ¦ ¦ [, 2.3-DEV)
@huntrdev ¦ hestiacp hestiacp/hestiacp ¦ unspecified ¦ build92 ¦ ¦ [, build92)
lenovo ¦ Lenovo Notebook ¦ various ¦ ¦ ¦ any
lenovo ¦ Lenovo HX1320 Appliance ¦ 0 ¦ 9.97 CDI3B4B ¦ ¦ [, 9.97_CDI3B4B)
lenovo ¦ Lenovo HX5530 Appliance ¦ 0 ¦ 4.71 AFBT48C ¦ ¦ [, 4.71_AFBT48C)
lenovo ¦ Lenovo ThinkPad ¦ ¦ 1.35 (N3CET54W) ¦ ¦ [, 1.35)
lenovo ¦ Lenovo Elliptic Labs Virtual Lock Sensor ¦ All versions prior to 3.1.50719.1 ¦ ¦ ¦ [, 3.1.50719.1)
lenovo ¦ Motorola Phones ¦ ¦ 2023-12-01 ¦ ¦ [, 2023-12-01)
google_android ¦ Google Android ¦ 12L ¦ ¦ ¦ 12L
google_android ¦ Google Android ¦ Android Kernel ¦ ¦ ¦ any
google_android ¦ n/a Android ¦ Android-13 ¦ ¦ ¦ Android-13
google_android ¦ Google Android ¦ nyc-mr1-dev ¦ ¦ ¦ nyc-mr1-dev
intel ¦ n/a 3rd Generation Intel Xeon ¦ See references ¦ ¦ ¦ any
intel ¦ n/a Flexlm License Daemons ¦ before version v11.19.5.0 ¦ ¦ ¦ [, 11.19.5.0)
intel ¦ n/a Intel Server Configuration Utility ¦ before version 88 ¦ ¦ ¦ [, 88)
intel ¦ n/a Intel Optane PMem ¦ before versions 01.00.00.3547, 02.00.00.3915, 03.00.00.0483 ¦ ¦ ¦ [, 01.00.00.3547); [, 02.00.00.3915); [, 03.00.00.0483)
intel ¦ n/a Intel Unison software ¦ before version 1.1 for Windows ¦ ¦ ¦ [, 1.1)
vmware ¦ Spring Spring For Apache Kafka ¦ 2.8.x ¦ 2.9.11 ¦ ¦ [2.8, 2.9.11)
vmware ¦ VMware Cloud Foundation ¦ 5.x ¦ 7.0 U3m, 8.0 U1b ¦ ¦ [5, 8.0_U1b); [5, 7.0_U3m)
CISA-ADP ¦ git ¦ 0 ¦ 2,24.1 ¦ ¦ [, 24.1)
CISA-ADP ¦ parisneo lollms-webui ¦ 0 ¦ 9,.2 ¦ ¦ any
juniper ¦ Juniper Networks Junos OS ¦ 22.3 ¦ 22.3R2-S2, 22.3R3-S1 ¦ ¦ [22.3, 22.3R2-S2); [22.3R3, 22.3R3-S1)
vmware ¦ n/a VMware vCenter Server ¦ 8.0 ¦ 8.0 U2b ¦ ¦ [8.0, 8.0_U2b)
vmware ¦ n/a VMware Workspace ONE UEM ¦ Workspace ONE UEM 23.2.0.0 ¦ ¦ ¦ 23.2.0.0
freebsd ¦ FreeBSD FreeBSD ¦ 13.2-RELEASE ¦ 13.2-RELEASE-p2 ¦ ¦ [13.2-RELEASE, 13.2-RELEASE-p2)
huawei ¦ Huawei IPS Module ¦ V500R001C30 ¦ ¦ ¦ 500R001C30
huawei ¦ Huawei HUAWEI nova 5i ¦ Versions earlier than 10.0.0.125(C01E123R7P3) ¦ ¦ ¦ [, 10.0.0.125(C01E123R7P3))
zdi ¦ Visualware MyConnection Server ¦ 11.3c ¦ ¦ ¦ 11.3c
zdi ¦ D-Link DIR-2150 ¦ 1.05B01 ¦ ¦ ¦ 1.05B01
zdi ¦ NETGEAR RAX30 ¦ 1.0.9.90_3 ¦ ¦ ¦ 1.0.9.90_3
zdi ¦ IrfanView IrfanView ¦ 4.67 64bit ¦ ¦ ¦ 4.67 + 64bit
zdi ¦ TP-Link Archer AX21 ¦ 1.1.3 Build 20221125 ¦ ¦ ¦ 1.1.3 + Build_20221125
zdi ¦ LG Simple Editor ¦ LG Simple Editor 3.21.0 ¦ ¦ ¦ 3.21.0
zdi ¦ OpenBSD Kernel ¦ OpenBSD 6.9 ¦ ¦ ¦ 6.9
zdi ¦ GStreamer GStreamer ¦ 1.22.4 and 8dddb9ad2009705dfc3e50d59d7c56fc7314cfc3 ¦ ¦ ¦ 1.22.4
zdi ¦ Foxit PDF Reader ¦ 5.0.0.57 (5.0.0.10.0.23307) ¦ ¦ ¦ 5.0.0.57
zdi ¦ X-Rite eZ ¦ 6.0.2, build 68 ¦ ¦ ¦ 6.0.2 + build_68
ibm ¦ IBM CICS TX Advanced ¦ 10.1, 11.1 ¦ ¦ ¦ 10.1; 11.1
ibm ¦ IBM Cognos Controller ¦ 10.4.1, 10.4.2, 11.0.0 ¦ ¦ ¦ 10.4.1; 10.4.2; 11.0.0
ibm ¦ IBM Datacap Navigator ¦ 9.1.5, 9.1.6, 9.1.7, 9.1.8, 9.1.9 ¦ ¦ ¦ 9.1.5; 9.1.6; 9.1.7; 9.1.8; 9.1.9
ibm ¦ IBM Db2 for Linux, UNIX and Windows ¦ 10.5, 11.1 ,11.5 ¦ ¦ ¦ 10.5; 11.1; 11.5
ibm ¦ IBM MQ ¦ 9.3 CD ¦ ¦ ¦ 9.3 + CD
ibm ¦ IBM PowerVM Hypervisor ¦ FW1110.00 ¦ ¦ FW1110.20 ¦ [FW1110.00, FW1110.20]
ibm ¦ IBM Aspera Console ¦ 3.4.0 ¦ ¦ 3.4.2 PL5 ¦ [3.4.0, 3.4.2_PL5]
ibm ¦ IBM Sterling B2B Integrator ¦ 6.0, 6.1, 6.2 ¦ ¦ ¦ 6.0; 6.1; 6.2
twcert ¦ GeoVision GV_DSP_LPR_V2 ¦ all ¦ ¦ ¦ any
twcert ¦ HGiga iSherlock 4.5 ¦ earlier ¦ 4.5-149 ¦ ¦ [, 4.5-149)
twcert ¦ ASUS ZenWiFi XT8 ¦ earlier ¦ ¦ 3.0.0.4.388_24609 ¦ [, 3.0.0.4.388_24609]
twcert ¦ Planet GS-4210 ¦ earlier version ¦ ¦ v5.4.103.20231111 ¦ [, 5.4.103.20231111]
twcert ¦ Billion M100 ¦ 1.04.1.592.* ¦ 1.04.1.592.8 ¦ ¦ [1.04.1.592, 1.04.1.592.8)
symantec ¦ Broadcom Symantec Privileged Access Management ¦ 4.1.0 - 4.1.7 ¦ ¦ ¦ [4.1.0, 4.1.7]
Unisoc ¦ Unisoc SC7731E ¦ Android11/Android12/Android13 ¦ ¦ ¦ Android11; Android12; Android13
Unisoc ¦ Unisoc SC7731E ¦ Android12 ¦ ¦ ¦ Android12
elastic ¦ Elastic Elastic Cloud on Kubernetes ¦ <2.8 ¦ ¦ ¦ [, 2.8)
Checkmk ¦ Checkmk GmbH Checkmk ¦ 2.3.0 ¦ 2.3.0p8 ¦ ¦ [2.3.0, 2.3.0p8)
Checkmk ¦ Checkmk GmbH Checkmk ¦ 2.3.0 ¦ 2.3.0b4 ¦ ¦ [2.3.0, 2.3.0b4)
qnap ¦ QNAP Systems Inc. QTS ¦ 5.1.x ¦ 5.1.6.2722 build 20240402 ¦ ¦ [5.1, 5.1.6.2722_build_20240402)
qnap ¦ QNAP Systems Inc. QuTS hero ¦ h5.1.x ¦ h5.1.6.2734 build 20240414 ¦ ¦ [h5.1, h5.1.6.2734_build_20240414)
qnap ¦ QNAP Systems Inc. Media Streaming add-on ¦ 500.1.x ¦ 500.1.1.5 ( 2024/01/22 ) ¦ ¦ [500.1, 500.1.1.5)
qnap ¦ QNAP Systems Inc. QuLog Center ¦ 1.5.x.x ¦ 1.5.0.738 ( 2023/03/06 ) ¦ ¦ [1.5, 1.5.0.738)
qnap ¦ QNAP Systems Inc. QVR Elite ¦ 5.7.x ¦ 5.7.0 ¦ ¦ [, 5.7.0)
php ¦ PHP Group PHP ¦ 8.1.* ¦ 8.1.28 ¦ ¦ [8.1, 8.1.28)
OpenHarmony ¦ OpenHarmony OpenHarmony ¦ v4.0.0 ¦ v4.0.1 ¦ ¦ [4.0.0, 4.0.1)
Honeywell ¦ Honeywell C300 ¦ 520.2 ¦ ¦ 520.2 TCU4 ¦ [520.2, 520.2_TCU4]
Honeywell ¦ Honeywell C300 ¦ 511.1 ¦ ¦ 511.5 TCU4 HF3 ¦ [511.1, 511.5_TCU4_HF3]
Honeywell ¦ Honeywell C300 ¦ 510.1 ¦ ¦ 510.2 HF13 ¦ [510.1, 510.2_HF13]
OpenText ¦ OpenText Application Lifecycle Management ¦ 15.01 P1 ¦ ¦ ¦ 15.01 + P1
OpenText ¦ OpenText NetIQ Directory and Resource Administrator ¦ 10.0.2 ¦ < ¦ ¦ [, 10.0.2)
OpenText ¦ Micro Focus Enterprise Server ¦ 6.0 ¦ ¦ 6.0 update 24 ¦ [6.0, 6.0_update_24]
OpenText ¦ OpenText CX-E Voice ¦ all versions ¦ ¦ 22.4 ¦ [, 22.4]
icscert ¦ Zavio IP Camera CF7500 ¦ version M2.1.6.05 ¦ ¦ ¦ M2.1.6.05
icscert ¦ Sielco Analog FM transmitter ¦ 2.12 (EXC5000GX) ¦ ¦ ¦ 2.12
icscert ¦ Ruijie Reyee OS ¦ 2.206.x ¦ 2.320.x ¦ ¦ [2.206, 2.321)
icscert ¦ Horner Automation Cscape ¦ v9.90 SP8 ¦ ¦ ¦ 9.90 + SP8
icscert ¦ AVEVA AVEVA Enterprise SCADA ¦ 2024 ¦ ¦ 2024 SP1 P01 ¦ [2024, 2024_SP1_P01]
icscert ¦ Sielco Radio Link ¦ version 20130114 ¦ ¦ ¦ 20130114
hpe ¦ Hewlett Packard Enterprise (HPE) ArubaOS ¦ ArubaOS 10.5.x.x: 10.5.0.0 and below ¦ ¦ ¦ [10.5, 10.5.0.0]
hpe ¦ Hewlett Packard Enterprise (HPE) InstantOS ¦ InstantOS 8.11.x.x: 8.11.1.2 and below ¦ ¦ ¦ [8.11, 8.11.1.2]
hpe ¦ Hewlett Packard Enterprise (HPE) Aruba Access Points ¦ Version 8.12.0.0: 8.12.0.1 and below ¦ ¦ <=8.12.0.1 ¦ [8.12.0.0, 8.12.0.1]
hpe ¦ Hewlett Packard Enterprise (HPE) EdgeConnect SD-WAN Orchestrator ¦ Orchestrator 9.3.x ¦ ¦ <=9.3.0 ¦ [9.3, 9.3.0]
hpe ¦ Hewlett Packard Enterprise (HPE) EdgeConnect SD-WAN Orchestrator ¦ Orchestrator 9.2.x ¦ ¦ <=9.2.* ¦ [9.2, 9.3)
hpe ¦ Hewlett Packard Enterprise (HPE) EdgeConnect ECOS ¦ ECOS 9.2.x.x ¦ ¦ 9.2.3.0 ¦ [9.2, 9.2.3.0]
hpe ¦ Hewlett Packard Enterprise (HPE) ArubaOS-Switch ¦ ArubaOS-Switch 16.09.xxxx: All versions. ¦ ¦ ¦ [16.09, 16.10)
CERTVDE ¦ WAGO CC100 0751-9x01 ¦ 0.0.0 ¦ ¦ 4.5.10 (FW27) ¦ [0.0.0, 4.5.10]
CERTVDE ¦ Pepperl+Fuchs OIT1500-F113-B12-CB ¦ 0 ¦ ¦ V2.11.0 ¦ [, 2.11.0]
CERTVDE ¦ WAGO Controller BACnet/IP ¦ 0 ¦ ¦ FW13 ¦ [, FW13]
CERTVDE ¦ Pepperl+Fuchs ICDM-RX/MOD-DB9 ¦ Modbus Router ¦ ¦ v7.09 ¦ [, 7.09]
CERTVDE ¦ Welotec TK515L ¦ 0 ¦ v2.3.0.r5542 ¦ ¦ [, 2.3.0.r5542)
MediaTek ¦ MediaTek, Inc. MT6580, MT6739 ¦ Android 11.0, 12.0 ¦ ¦ ¦ Android_11.0; Android_12.0
MediaTek ¦ MediaTek, Inc. MT2713, MT2735 ¦ Android 13.0 ¦ ¦ ¦ Android_13.0
Mattermost ¦ Mattermost Mattermost ¦ unspecified ¦ ¦ 6.3 ¦ [, 6.3]
Mattermost ¦ Mattermost Mattermost ¦ 5.x ¦ ¦ 5.39 ¦ [5, 5.39]
sap ¦ SAP_SE SAP NetWeaver Application Server ABAP ¦ SAP_BASIS 700 ¦ ¦ ¦ SAP_BASIS_700
sap ¦ SAP_SE SAP Manage Purchase Contracts App ¦ S4CORE 102 ¦ ¦ ¦ S4CORE_102
sap ¦ SAP_SE SAP NetWeaver Application Server Java ¦ KERNEL 7.53 ¦ ¦ ¦ KERNEL_7.53
sap ¦ SAP_SE SAP Web Dispatcher ¦ WEBDISP 7.77 ¦ ¦ ¦ WEBDISP_7.77
sap ¦ SAP_SE SAP Asset Accounting ¦ SAP_FIN617 ¦ ¦ ¦ SAP_FIN617
HCL ¦ HCL Software HCL Connections ¦ 6.0, 6.5, 7.0, 8.0 ¦ ¦ ¦ 6.0; 6.5; 7.0; 8.0
HCL ¦ HCL Software Sametime ¦ <=12.0.2 ¦ ¦ ¦ [, 12.0.2]
HCL ¦ HCL Software BigFix Platform ¦ 9.5 - 9.5.23, 10 - 10.0.10 ¦ ¦ ¦ [9.5, 9.5.23]; [10, 10.0.10]
HCL ¦ HCL Software DRYiCE MyXalytics ¦ 1177 and below ¦ ¦ ¦ [, 1177]
dell ¦ Dell AppSync ¦ 0 ¦ 4.6.0.4 or later ¦ ¦ [, 4.6.0.4)
dell ¦ Dell Data Protection Central ¦ Version 19.9.0-10 ¦ ¦ ¦ 19.9.0-10
dell ¦ Dell NetWorker ¦ Versions 19.9 through 19.9.0.1 ¦ ¦ ¦ [19.9, 19.9.0.1]
dell ¦ Dell PowerScale OneFS ¦ Version 9.2.1.0 through 9.2.1.22 ¦ ¦ ¦ [9.2.1.0, 9.2.1.22]
dell ¦ Dell RecoverPoint for VMs ¦ 5.3 SP2 P1 ¦ ¦ ¦ 5.3 + SP2_P1
dell ¦ Dell Unity ¦ Versions prior to 5.3.0.0.5.120 ¦ ¦ ¦ [, 5.3.0.0.5.120)
dell ¦ Dell SmartFabric Storage Software ¦ v1.4.0 and prior ¦ ¦ ¦ [, 1.4.0]
dell ¦ Dell Wyse ThinOS ¦ ThinOS 2408 ¦ ¦ ¦ 2408
dell ¦ Dell PowerEdge BIOS ¦ N/A ¦ 1.19.0 ¦ ¦ [, 1.19.0)
talos ¦ Wavlink Wavlink AC3000 ¦ M33A8.V5030.210505 ¦ ¦ ¦ M33A8.V5030.210505
talos ¦ Tp-Link AC1350 ¦ v5.1.0 Build 20220926 ¦ ¦ ¦ 5.1.0 + Build_20220926
talos ¦ Open Babel Open Babel ¦ master commit 530dbfa3 ¦ ¦ ¦ commit
talos ¦ llama.cpp llama.cpp ¦ Commit 18c2e17 ¦ ¦ ¦ commit
talos ¦ Microsoft PowerPoint ¦ 16.83 for macOS ¦ ¦ ¦ 16.83
talos ¦ Peplink Surf SOHO HW1 ¦ v6.3.5 (in QEMU) ¦ ¦ ¦ 6.3.5
GitLab ¦ GitLab GitLab ¦ >=15.7, <15.8.5 ¦ ¦ ¦ [15.7, 15.8.5)
Esri ¦ Esri Portal for ArcGIS ¦ 10.8.1 ¦ ¦ <= 11.2 ¦ [10.8.1, 11.2]
TPLink ¦ TP-Link Systems Inc. ER7212PC ¦ 0 ¦ 2.4.3 Build 20260722 Rel.40250 ¦ ¦ [, 2.4.3_Build_20260722_Rel.40250)
SICK AG ¦ SICK AG LMS5xx ¦ all firmware versions ¦ ¦ ¦ any
hp ¦ HP Inc. HP Smart Tank 5101 ¦ 0 ¦ <001.2630C ¦ ¦ [, 001.2630C)
hp ¦ HP Inc. HP Smart Tank 520 ¦ 0 ¦ 001.2622C or later ¦ ¦ [, 001.2622C)
Liferay ¦ Liferay DXP ¦ 7.3.10 ¦ ¦ 7.3.10-u35 ¦ [7.3.10, 7.3.10-u35]
Liferay ¦ Liferay DXP ¦ 2023.Q3.1 ¦ ¦ 2023.Q3.5 ¦ [2023.Q3.1, 2023.Q3.5]
GEHC ¦ GE HealthCare Venue ¦ R3 ¦ ¦ R3.3 ¦ [R3, R3.3]
Arm ¦ Arm Ltd Valhall GPU Kernel Driver ¦ r41p0 ¦ ¦ r47p0 ¦ [r41p0, r47p0]
adobe ¦ Adobe InDesign Desktop ¦ 0 ¦ ¦ ID19.3 ¦ [, ID19.3]
adobe ¦ Adobe Acrobat Reader ¦ unspecified ¦ ¦ None ¦ any
3DS ¦ Dassault Systèmes DELMIA Apriso ¦ Release 2019 Golden ¦ ¦ Release 2019 SP5 ¦ [2019_Golden, 2019_SP5]
fortinet ¦ Fortinet Fortinet FortiDeceptor ¦ 3.0.0 and below ¦ ¦ ¦ [, 3.0.0]
fortinet ¦ Fortinet Fortinet FortiMail ¦ FortiMail before 7.2.0 ¦ ¦ ¦ [, 7.2.0)
fortinet ¦ Fortinet Fortinet FortiTester ¦ FortiTester 3.0.0 through 3.9.1, 4.0.0 through 4.2.0 ¦ ¦ ¦ [3.0.0, 3.9.1]; [4.0.0, 4.2.0]
fortinet ¦ Fortinet Fortinet FortiOS ¦ FortiOS 6.4.2, 6.2.5 ¦ ¦ ¦ 6.4.2; 6.2.5
palo_alto ¦ Palo Alto Networks PAN-OS ¦ 9.0 ¦ 9.0.17-h4 ¦ ¦ [9.0, 9.0.17-h4)
palo_alto ¦ Palo Alto Networks PAN-OS ¦ 10.0 ¦ ¦ All ¦ [10.0, )
sonicwall ¦ SonicWall Capture Client ¦ 3.7.10 and earlier versions ¦ ¦ ¦ [, 3.7.10]
sonicwall ¦ SonicWall GMS ¦ 9.3.2-SP1 and earlier versions ¦ ¦ ¦ [, 9.3.2-SP1]
vmware ¦ Spring Spring Security ¦ 5.7.0 - 5.7.13, 5.8.0 - 5.8.15, 6.3.0 - 6.3.4, Older unsupported versions are also affected ¦ ¦ ¦ [, 5.7.13]; [5.8.0, 5.8.15]; [6.3.0, 6.3.4]
vmware ¦ Spring Spring Framework ¦ 6.1.x, 6.0.x, and older, unsupported versions ¦ ¦ ¦ [6.1, 6.2); [, 6.1)
sonicwall ¦ SonicWall SonicOS ¦ 7.0.1-5161 and older versions ¦ ¦ ¦ [, 7.0.1-5161]
sonicwall ¦ SonicWall SonicOS ¦ 6.5.4.4-44v-21-2079 and earlier versions ¦ ¦ ¦ [, 6.5.4.4-44v-21-2079]
schneider ¦ Schneider Electric EcoStruxure ¦ Version 2022 and prior ¦ ¦ ¦ [, 2022]
schneider ¦ Schneider Electric Modicon M340 ¦ Versions prior to SV3.65 ¦ ¦ ¦ [, SV3.65)
schneider ¦ Schneider Electric Easergy ¦ SC2-04MOD-07000104 ¦ ¦ prior ¦ [, SC2-04MOD-07000104]
redhat ¦ Red Hat shadow ¦ 4.x before 4.1.5 ¦ ¦ ¦ [4, 4.1.5)
redhat ¦ WildFly wildfly ¦ 0 ¦ 24.0.1.Final ¦ ¦ [, 24.0.1.Final)
SolarWinds ¦ SolarWinds Access Rights Manager ¦ previous versions ¦ ¦ 2023.2.4 ¦ [, 2023.2.4]
SolarWinds ¦ SolarWinds Serv-U ¦ 15.4.2 and Previous Versions ¦ ¦ ¦ [, 15.4.2]
trendmicro ¦ Trend Micro, Inc. Trend Micro Apex One ¦ 2019 (14.0) ¦ 14.0.0.12980 ¦ ¦ [14.0, 14.0.0.12980)
trendmicro ¦ Trend Micro, Inc. Trend Micro Apex One ¦ SaaS ¦ 14.0.13139 ¦ ¦ [, 14.0.13139)
suse ¦ SUSE SUSE Linux Enterprise Desktop ¦ ? ¦ 3.7.3-150500.3.5.1 ¦ ¦ [, 3.7.3-150500.3.5.1)
openEuler ¦ openEuler kernel ¦ 4.19.90 ¦ 4.19.90-2401.3 ¦ ¦ [4.19.90, 4.19.90-2401.3)
openEuler ¦ openEuler kernel ¦ 5.10.0-60.18.0 ¦ 5.10.0-183.0.0 ¦ ¦ [5.10.0-60.18.0, 5.10.0-183.0.0)
Zyxel ¦ Zyxel ATP series firmware ¦ versions V4.32 through V5.38 ¦ ¦ ¦ [4.32, 5.38]
Zyxel ¦ Zyxel ATP series firmware ¦ 5.10 through 5.36 Patch 2 ¦ ¦ ¦ [5.10, 5.36_Patch_2]
Zyxel ¦ Zyxel NAS326 firmware ¦ < V5.21(AAZF.17)C0 ¦ ¦ ¦ [, 5.21(AAZF.17)C0)
apache ¦ Apache Software Foundation Apache Tomcat ¦ 11.0.0-M1 ¦ ¦ 11.0.0-M10 ¦ [11.0.0-M1, 11.0.0-M10]
apache ¦ Apache Software Foundation Apache Tiles ¦ 2.0.0 ¦ * ¦ ¦ [2.0.0, )
nvidia ¦ nvidia ChatRTX ¦ All versions prior to and including 0.2.1 ¦ ¦ ¦ [, 0.2.1]
nvidia ¦ NVIDIA Container Toolkit ¦ All versions up to and including v1.16.1 ¦ ¦ ¦ [, 1.16.1]
nvidia ¦ NVIDIA CUDA Toolkit ¦ All versions up to and including CUDA Toolkit 12.6 ¦ ¦ ¦ [, 12.6]
nvidia ¦ NVIDIA DGX ¦ All versions prior to 23.08.07 ¦ ¦ ¦ [, 23.08.07)
isc ¦ ISC BIND 9 ¦ 9.18.11-S1 ¦ ¦ 9.18.27-S1 ¦ [9.18.11-S1, 9.18.27-S1]
NEC ¦ NEC Platforms, Ltd ITK-32LCGS ¦ 5.0.0.0 – v5.3.4.4, v5.4.0.0 – v5.6.0.20 ¦ ¦ ¦ [5.0.0.0, 5.3.4.4]; [5.4.0.0, 5.6.0.20]
NEC ¦ NEC Corporation UNIVERGE IX-R ¦ Ver1.2.15 and earlier ¦ ¦ ¦ [, 1.2.15]
NEC ¦ NEC Corporation UNIVERGE IX ¦ for Ver10.8 up to Ver10.8.27 ¦ ¦ ¦ [10.8, 10.8.27]
brocade ¦ Brocade Fabric OS ¦ prior to v9.0.0 ¦ ¦ ¦ [, 9.0.0)
brocade ¦ Brocade Brocade SANnav ¦ before v2.3.1 and v2.3.0a ¦ ¦ ¦ [, 2.3.1); [, 2.3.0a)
brocade ¦ Brocade Fabric OS ¦ before v9.2.1, v9.2.0b, v9.1.1d, and v8.2.3e ¦ ¦ ¦ [, 9.2.1); [, 9.2.0b); [, 9.1.1d); [, 8.2.3e)
Mautic ¦ Mautic Mautic ¦ >= 5.0.0 ¦ < 5.1.1 ¦ ¦ [5.0.0, 5.1.1)
Hanwha_Vision ¦ Hanwha Vision Co., Ltd. HRX-1620 ¦ 3.05.62 and prior versions ¦ ¦ ¦ [, 3.05.62]
INCD ¦ Unitronics Unistream Unilogic ¦ All versions ¦ 1.35.227 ¦ ¦ [, 1.35.227)
INCD ¦ StarTrinity Softswitch ¦ version 2023-02-16 ¦ Upgrade to version 2023-07-27 ¦ ¦ [2023-02-16, 2023-07-27)
Perforce ¦ Helix Helix Core ¦ 0.0.0 ¦ 2023.1 Patch 2 ¦ ¦ [0.0.0, 2023.1_Patch_2)
ProgressSoftware ¦ Progress MOVEit Transfer ¦ 2023.0.0 (15.0.0) ¦ 2023.0.6 (15.0.6) ¦ ¦ [2023.0.0, 2023.0.6)
Linux ¦ Linux Linux ¦ 6.12-rc1 ¦ ¦ ¦ 6.12-rc1
Rockwell ¦ Rockwell Automation Arena ¦ All versions 16.20.00 and prior ¦ ¦ ¦ [, 16.20.00]
Rockwell ¦ Rockwell Automation CompactLogix ¦ v.33.011 ¦ ¦ ¦ 33.011
kubernetes ¦ Kubernetes Kubernetes ¦ v1.28.0 - v1.28.8 ¦ ¦ ¦ [1.28.0, 1.28.8]
kubernetes ¦ Kubernetes Kubernetes ¦ kubelet v1.22.0 - v1.22.13 ¦ v1.22.14 ¦ ¦ [1.22.0, 1.22.14)
Axis ¦ Axis Communications AB AXIS OS ¦ AXIS OS 10.11 - 11.5 ¦ ¦ ¦ [10.11, 11.5]
Axis ¦ Axis Communications AB AXIS OS ¦ AXIS OS 10.5 – 11.5 ¦ ¦ ¦ [10.5, 11.5]
Axis ¦ Axis Communications AB AXIS A8207 AXIS OS ¦ AXIS OS 11.5 or earlier ¦ ¦ ¦ [, 11.5]
OpenVPN ¦ OpenVPN tap-windows6 ¦ 9.26 or earlier ¦ ¦ ¦ [, 9.26]
ASUS ¦ ASUS Router ¦ 3.0.0.4_382 series ¦ ¦ ¦ [3.0.0.4_382, 3.0.0.4_383)
JetBrains ¦ JetBrains TeamCity ¦ 0 ¦ 2022.04.7, 2022.10.6, 2023.05.6, 2023.11.5 ¦ ¦ [, 2023.11.5); [, 2022.04.7); [, 2022.10.6); [, 2023.05.6)
JetBrains ¦ JetBrains IntelliJ IDEA ¦ 2023.1 ¦ 2024.2 EAP3 ¦ ¦ [2023.1, 2024.2_EAP3)
ABB ¦ ABB Ability ¦ 1.0 FP3 ¦ ¦ ¦ 1.0 + FP3
LGE ¦ LG Electronics LG SuperSign CMS ¦ 4.1.3 ¦ < 4.3.1 ¦ ¦ [4.1.3, 4.3.1)
cloudflare ¦ Cloudflare miniflare ¦ 0 ¦ ¦ <=3.20230821.0 ¦ [, 3.20230821.0]
`

export const VERSION_STATEMENTS: readonly VersionStatement[] = `${TABLE}${COMPOUND_STATEMENTS}${WORDY_STATEMENTS}`
  .trim()
  .split('\n')
  .map((line) => {
    const [cna = '', product = '', version = '', lessThan = '', lessThanOrEqual = '', reading = ''] = line
      .split('¦')
      .map((each) => each.trim())
    return { cna, product, version, lessThan, lessThanOrEqual, reading }
  })
